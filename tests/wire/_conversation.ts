import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { openLegacy } from "../reliability/_wire.ts";
import { exchange } from "../support/raw_http.ts";

/** Messages sent one after the other, and what a Go server answered to each that asks something. */
export interface Conversation {
  readonly name: string;
  readonly transport: "stdio" | "sse";
  readonly lines: readonly string[];
  /** What came; where a POST was refused, its status and text. */
  out: readonly JsonValue[];
}

/** The recorded conversations. */
export const CONVERSATIONS = new URL(
  "parity/conversations.json",
  import.meta.url,
);

/** Holds a conversation over stdio. */
export async function talk(
  [command, ...args]: readonly string[],
  lines: readonly string[],
): Promise<JsonValue[]> {
  const child = new Deno.Command(command!, {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  const out: JsonValue[] = [];
  for (const line of lines) {
    await writer.write(new TextEncoder().encode(`${line}\n`));
    if (!asks(line)) continue;
    while (!buffer.includes("\n")) {
      const { value } = await reader.read();
      if (value === undefined) throw new Error(`the server ended at ${line}`);
      buffer += value;
    }
    const end = buffer.indexOf("\n");
    out.push(JSON.parse(buffer.slice(0, end)));
    buffer = buffer.slice(end + 1);
  }
  await writer.close();
  await reader.cancel();
  await child.status;
  return out;
}

/** Holds a conversation over legacy SSE, in a session of its own. */
export async function post(
  port: number,
  lines: readonly string[],
): Promise<JsonValue[]> {
  using stream = await openLegacy(port);
  const { connection, endpoint: path } = stream;
  const headers = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
  };
  const out: JsonValue[] = [];
  for (const body of lines) {
    const { status, body: text } = await exchange(port, {
      method: "POST",
      path,
      headers,
      body,
    });
    if (status !== 202) out.push({ status, text });
    else if (asks(body)) {
      out.push(JSON.parse(/data: (.*)/.exec(await connection.readChunk())![1]!));
    }
  }
  return out;
}

/** Whether a line has a request in it. */
function asks(line: string): boolean {
  const sent: JsonObject | JsonObject[] = JSON.parse(line);
  return [sent].flat().some((message) => "id" in message);
}
