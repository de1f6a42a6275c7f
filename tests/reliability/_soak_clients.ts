import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { assertHarmless, Gun } from "./_gun.ts";
import { shot, type Target } from "./_hostile.ts";
import { startStdio } from "./_stdio.ts";
import type { Tally } from "./_tally.ts";
import { INITIALIZE, POST_HEADERS, toolCall } from "./_wire.ts";

/** What the clients of a soak share. */
export interface Ground {
  readonly port: number;
  readonly tally: Tally;
  /** Calls that the files answer, as a client may make them. */
  readonly calls: readonly JsonObject[];
  readonly targets: readonly Target[];
  /** The file of forced scenarios. */
  readonly overrides: string;
  /** Whether it is time to stop. */
  readonly over: () => boolean;
}

/** Visits the server once: opens a session in some way, uses it, and leaves it in some way. */
export type Visit = (ground: Ground) => Promise<void>;

const TIMEOUT_MS = 10_000;

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

async function send(
  { port }: Ground,
  path: string,
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ response: Response; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { ...POST_HEADERS, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { response, text: await response.text() };
}

/** Checks an answer to a call, and tells apart the one error that edits of a file may cause. */
function check({ tally }: Ground, message: JsonObject, id: JsonValue): void {
  assert.equal(message.id, id, "an answer to another request");
  assert(message.result !== undefined, `a call was answered with ${JSON.stringify(message.error)}`);
  const { content, structuredContent, isError } = message.result as {
    content: [{ text: string }];
    structuredContent?: JsonObject;
    isError: boolean;
  };
  assert.equal(typeof isError, "boolean");
  if (content[0].text === "internal server error") return tally.count("internal server error");
  if (structuredContent === undefined) return;
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
}

let lastId = 1;

/** Calls tools and lists in a session of Streamable HTTP; leaves it by DELETE, or just leaves. */
const streamable: Visit = async (ground) => {
  const { port, tally } = ground;
  const opened = await tally.time(() => send(ground, "/mcp", INITIALIZE));
  const session = opened?.response.headers.get("mcp-session-id");
  if (!session) return;
  tally.count("sessions over Streamable HTTP");
  const own = { "mcp-session-id": session };
  for (let calls = 5 + Math.random() * 40; calls > 0 && !ground.over(); calls--) {
    await tally.time(async () => {
      const id = ++lastId;
      const { response, text } = await send(ground, "/mcp", toolCall(pick(ground.calls), id), own);
      assert.equal(response.status, 200, `status ${response.status}`);
      check(ground, JSON.parse(text.slice(text.indexOf("{"))), id);
    });
    if (Math.random() < 0.05) {
      await tally.time(() =>
        send(ground, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, own)
      );
    }
  }
  if (Math.random() < 0.5) {
    tally.count("sessions abandoned");
    return;
  }
  const ended = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "DELETE", headers: own });
  await ended.body?.cancel();
  if (ended.status !== 204) tally.count(`error: DELETE was answered with ${ended.status}`);
};

/** Opens the standalone stream of a session and vanishes from it. */
const standalone: Visit = async (ground) => {
  const { port, tally } = ground;
  const opened = await tally.time(() => send(ground, "/mcp", INITIALIZE));
  const session = opened?.response.headers.get("mcp-session-id");
  if (!session) return;
  const abort = new AbortController();
  const headers = { accept: "text/event-stream", "mcp-session-id": session };
  const stream = await fetch(`http://127.0.0.1:${port}/mcp`, { headers, signal: abort.signal });
  const reader = stream.body!.getReader();
  await reader.read();
  tally.count("standalone streams");
  await new Promise((resume) => setTimeout(resume, Math.random() * 500));
  abort.abort();
  reader.cancel().catch(() => {});
};

/** Calls tools over a legacy SSE stream and vanishes from it. */
const legacy: Visit = async (ground) => {
  const { port, tally } = ground;
  const abort = new AbortController();
  const stream = await fetch(`http://127.0.0.1:${port}/sse`, { signal: abort.signal });
  tally.count("legacy streams");
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  const next = async (): Promise<string> => {
    while (!buffer.includes("\n\n")) {
      const { done, value } = await reader.read();
      assert(!done, "a legacy stream ended by itself");
      buffer += value;
    }
    const end = buffer.indexOf("\n\n");
    const event = buffer.slice(0, end);
    buffer = buffer.slice(end + 2);
    return event.startsWith(":") ? await next() : event.slice(event.indexOf("data: ") + 6);
  };
  const endpoint = await next();
  const ask = (body: JsonObject) =>
    tally.time(async () => {
      const { response } = await send(ground, endpoint, body);
      assert.equal(response.status, 202, `status ${response.status}`);
      return JSON.parse(await next()) as JsonObject;
    });
  await ask(INITIALIZE);
  for (let calls = 5 + Math.random() * 20; calls > 0 && !ground.over(); calls--) {
    const id = ++lastId;
    const answer = await ask(toolCall(pick(ground.calls), id));
    if (answer === undefined) break;
    check(ground, answer, id);
  }
  abort.abort();
  reader.cancel().catch(() => {});
};

/** Starts the program over stdio, calls tools, and ends it by the end of its input. */
const stdio: Visit = async (ground) => {
  const { tally } = ground;
  // On the files that nobody edits: what is half saved keeps a program from starting.
  await using program = startStdio({ flags: ["--overrides", ground.overrides] });
  const calls = ground.calls.filter(({ name }) => name !== "probe");
  tally.count("stdio programs");
  await tally.time(async () => {
    await program.send(INITIALIZE);
    await program.read();
  });
  for (let left = 20; left > 0 && !ground.over(); left--) {
    await tally.time(async () => {
      const id = ++lastId;
      await program.send(toolCall(pick(calls), id));
      check(ground, await program.read() ?? {}, id);
    });
  }
  await program.endInput();
  const { code } = await program.child.status;
  if (code !== 0) tally.count(`error: a stdio program ended with ${code}`);
};

/** Sends what a hostile client may send. */
const hostile: Visit = async ({ port, tally, targets, over }) => {
  const gun = new Gun(port);
  for (const given of fc.sample(shot(targets), 50)) {
    if (over()) break;
    await tally.time(async () => assertHarmless(given, await gun.fire(given)));
    gun.shots++;
    tally.count("hostile requests");
  }
  gun.close();
};

/** The kinds of visits, and of how many clients at a time each is made. */
export const VISITS: readonly (readonly [visit: Visit, clients: number, pauseMs: number])[] = [
  [streamable, 4, 0],
  [standalone, 2, 20],
  [legacy, 3, 20],
  [stdio, 1, 2000],
  [hostile, 1, 100],
];
