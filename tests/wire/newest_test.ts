import assert from "node:assert/strict";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { INITIALIZE } from "../support/messages.ts";
import { programCommand, ROOT, startServer } from "../support/program.ts";
import { exchange, RawConnection } from "../support/raw_http.ts";
import { type Conversation, CONVERSATIONS, post, talk } from "./_conversation.ts";

// What a Go server on go-sdk v1.8.0 answers, message by message: the protocol of 2026-07-28 above all.

const conversations: Conversation[] = JSON.parse(Deno.readTextFileSync(CONVERSATIONS));
const tools = ["--tools", `${ROOT}tests/wire/parity/tools`];
const stdio = (...flags: string[]): string[] => [
  ...programCommand(),
  ...["start", "--stdio", "--quiet", "--no-journal", ...flags],
];

Deno.test("every recorded conversation goes as it went with the Go SDK server", async () => {
  await using server = await startServer(tools);
  for (const { name, transport, lines, out } of conversations) {
    const got = transport === "stdio"
      ? await talk(stdio(...tools), lines)
      : await post(server.port, lines);
    assert.deepEqual(got.map(comparable), out.map(comparable), `${transport}: ${name}`);
  }
});

/** One of the exchanges in which versions of the Go SDK, or this program, once differed. */
interface Difference {
  readonly kind: string;
  readonly request: {
    readonly transport: "http" | "sse" | "stdio";
    readonly lines?: string[];
    readonly method?: string;
    readonly path?: string;
    readonly host?: string;
    readonly body?: string;
    readonly headers?: [string, string][];
    /** The protocol version that its session is opened with. */
    readonly session?: string;
    /** How often the session's id is sent, where not once. */
    readonly sids?: string[];
  };
  readonly answer: {
    readonly status?: number;
    readonly headers?: [string, string][];
    readonly body?: JsonValue;
    readonly out?: JsonValue[];
  };
}

const differences: Difference[] = JSON.parse(
  Deno.readTextFileSync(new URL("parity/v18.json", import.meta.url)),
);

/** Those over HTTP that stay different, as the ones below. */
const STAY_OVER_HTTP = [
  "data after the JSON value",
  "null beside the version",
  "repeated key, the first of a wrong type",
  "repeated key in arguments, the first too large",
  "lone surrogate in an id",
  "lone surrogate in a URI",
  "cut UTF-8 sequence",
  "error.code with an exponent",
  "inputResponses of a wrong type",
  "more than 100,000 values",
  "Host [::1%25lo]",
  "Host [::1",
  "Host 127.0.0.1:x",
  "Expect of something else",
];

/** Those over stdio that stay different: docs/MCP_SERVER.md, "Deliberate differences", says why. */
const STAY = [
  "stdio: batch from 2025-06-18 on",
  "stdio: a batch whose notification waits for ever",
  "stdio: no JSON-RPC",
  "stdio: space after a message",
  "stdio: message over two lines",
  "stdio: line between 4 and 16 MiB",
  "stdio: notifications/cancelled with an id",
  "stdio: unfinished JSON",
];

Deno.test("exchanges that once differed are answered as v1.8.0 answers them", async () => {
  await using server = await startServer();
  const differ: string[] = [];
  for (const { kind, request, answer } of differences) {
    const { transport, lines = [] } = request;
    if (transport !== "http") {
      if (STAY.includes(kind)) continue;
      const got = transport === "stdio"
        ? await talk(stdio(), lines)
        : await post(server.port, lines);
      assert.deepEqual(got.map(comparable), answer.out!.map(comparable), kind);
      continue;
    }
    const got = await send(server.port, request);
    try {
      assert.equal(got.status, answer.status, kind);
      assert.deepEqual(got.body, comparable(answer.body!), kind);
      for (const [name, value] of answer.headers!) assert.equal(got.headers.get(name), value, kind);
    } catch (error) {
      if (!STAY_OVER_HTTP.includes(kind)) throw error;
      differ.push(kind);
    }
  }
  assert.deepEqual(differ, STAY_OVER_HTTP, "what the documents say differs");
});

async function send(
  port: number,
  { session, sids, method = "POST", path = "/mcp", host, headers = [], body }:
    Difference["request"],
): Promise<{ status: number; headers: ReadonlyMap<string, string>; body: JsonValue }> {
  const id = session === undefined ? undefined : await open(port, session);
  const ids = id === undefined ? [] : (sids ?? [id]).map(() => ["Mcp-Session-Id", id]);
  const sent = [...headers, ...ids].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const bytes = new TextEncoder().encode(body);
  using connection = await RawConnection.open(port);
  const length = body === "" ? "" : `Content-Length: ${bytes.length}\r\n`;
  await connection.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${host ?? "127.0.0.1"}\r\n${sent}${length}\r\n`,
  );
  await connection.write(bytes);
  const got = await connection.readResponse(method);
  const type = got.headers.get("content-type");
  const value: JsonValue = type === "application/json"
    ? JSON.parse(got.body)
    : type === "text/event-stream"
    ? got.body.split("\n\n").filter((event) => event !== "").map((event) => {
      const [, name = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? [];
      return [name, JSON.parse(data), []];
    })
    : got.body;
  return { ...got, body: comparable(value) };
}

async function open(port: number, protocolVersion: string): Promise<string> {
  const body = { ...INITIALIZE, params: { ...INITIALIZE.params as JsonObject, protocolVersion } };
  const { headers } = await exchange(port, {
    method: "POST",
    path: "/mcp",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
    },
    body: JSON.stringify(body),
  });
  return headers.get("mcp-session-id")!;
}

/** Without what may differ: the exemptions of parity_test.ts. */
function comparable(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return value.replace(/cannot unmarshal "(?:[^"\\]|\\.)*" into/, "cannot unmarshal … into");
  }
  if (Array.isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  const { ttlMs: _ttl, cacheScope: _scope, isError, ...rest } = value;
  if (isError === true) rest.isError = true;
  for (const own of ["tools", "resources", "contents", "structuredContent"]) {
    if (!(own in rest) || isJsonObject(rest[own]) && own !== "structuredContent") continue;
    rest[own] = "its own";
    if (own === "structuredContent") rest.content = "its own";
  }
  return Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, comparable(item)]));
}
