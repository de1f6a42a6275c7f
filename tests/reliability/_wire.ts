import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { INITIALIZE } from "../support/messages.ts";
import { exchange, RawConnection, type RawResponse } from "../support/raw_http.ts";

export { INITIALIZE };

/** What a client of `/mcp` sends with every POST. */
export const POST_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};

/** The call of acceptance test 3. */
export const MENU: JsonObject = {
  name: "food_get_restaurant_menu",
  arguments: { restaurant_id: 30104, latitude: 25.0866, longitude: 55.1474 },
};

/** A `tools/call` request. */
export function toolCall(params: JsonObject, id: JsonValue = 2): JsonObject {
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

/** Sends a POST to `/mcp` on a connection of its own. */
export function post(
  port: number,
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  return exchange(port, {
    method: "POST",
    path: "/mcp",
    headers: { ...POST_HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Opens a session. */
export async function initialize(port: number): Promise<string> {
  const { status, headers } = await post(port, INITIALIZE);
  const id = headers.get("mcp-session-id");
  assert(status === 200 && id !== undefined, `initialize was answered with ${status}`);
  return id;
}

/** The status of a request in a session; 404 tells that it has ended. */
export async function statusOf(port: number, session: string): Promise<number> {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  return (await post(port, ping, { "mcp-session-id": session })).status;
}

/** Ends a session. */
export async function deleteSession(port: number, session: string): Promise<number> {
  const headers = { "mcp-session-id": session };
  return (await exchange(port, { method: "DELETE", path: "/mcp", headers })).status;
}

/** Opens the standalone stream of a session and reads what it starts with. */
export async function openStandalone(port: number, session: string): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  const headers = { "accept": "text/event-stream", "mcp-session-id": session };
  await connection.send({ method: "GET", path: "/mcp", headers });
  assert.equal((await connection.readHead()).status, 200);
  assert.equal(await connection.readChunk(), ": ok\n\n");
  return connection;
}

/** A legacy SSE stream, and the path that its messages are posted to. */
export interface LegacyStream extends Disposable {
  readonly connection: RawConnection;
  readonly endpoint: string;
}

/** Opens a legacy SSE stream. */
export async function openLegacy(port: number): Promise<LegacyStream> {
  const connection = await RawConnection.open(port);
  await connection.send({ method: "GET", path: "/sse" });
  assert.equal((await connection.readHead()).status, 200);
  const endpoint = /^event: endpoint\ndata: (\S+)\n\n$/.exec(await connection.readChunk())?.[1];
  assert(endpoint !== undefined);
  return { connection, endpoint, [Symbol.dispose]: () => connection.close() };
}

/** Posts a message to a legacy stream. */
export function postLegacy(
  port: number,
  endpoint: string,
  body: JsonValue,
): Promise<RawResponse> {
  return exchange(port, {
    method: "POST",
    path: endpoint,
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The JSON-RPC message in a stream's text. */
export function messageOf(text: string): JsonObject {
  const data = /^event: message\ndata: (.*)\n\n$/.exec(text)?.[1];
  assert(data !== undefined, `no single message: ${text.slice(0, 200)}`);
  return JSON.parse(data);
}

/** Checks that the server answers acceptance test 3, in a session of its own. */
export async function assertServes(port: number): Promise<void> {
  const session = await initialize(port);
  const { status, body } = await post(port, toolCall(MENU), { "mcp-session-id": session });
  assert.equal(status, 200);
  const result = messageOf(body).result as JsonObject;
  assert.equal(result.isError, false);
  const { restaurant } = result.structuredContent as { restaurant: JsonObject };
  assert.equal(restaurant.id, 30104);
  assert.deepEqual((restaurant.name as JsonObject).value, "Morning Syrniki Café");
  assert.equal(await deleteSession(port, session), 204);
}

/** Waits until something holds, asking again and again; fails when it takes too long. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs = 5_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!await holds()) {
    assert(performance.now() < deadline, `${what}: not within ${patienceMs} ms`);
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

/** The memory that a process of this machine takes up, in bytes. */
export async function residentMemory(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", {
    args: ["-o", "rss=", "-p", String(pid)],
  }).output();
  const kilobytes = Number(new TextDecoder().decode(stdout).trim());
  assert(kilobytes > 0, `process ${pid} has ended`);
  return kilobytes * 1024;
}

const HEADER_NAMES = new Set([
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-max-age",
  "allow",
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "date",
  "mcp-session-id",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
]);

/** Runtimes and languages, stack traces, paths, parts of fixture files, banned words. */
const TELLTALES = new RegExp(
  [
    String.raw`deno|\bv8\b|node|typescript|javascript|\bajv\b|\bzod\b|hyper|rust`,
    String.raw`    at |\.ts\b|\.js:|(?:Type|Range|Syntax|Reference)Error|undefined`,
    String.raw`\/work|\/tmp|\/home|\/users|file:\/\/|[a-z]:\\|\.md\b|tools\/|overrides`,
    "## |```|\\{\\{|scenario|fixture",
    String.raw`mock|sandbox|sbx|fake|dummy|example\.com`,
  ].join("|"),
  "i",
);

/** Checks that an answer says nothing about this program, its machine or its files. */
export function assertDiscreet({ headers, body }: RawResponse, where: string): void {
  for (const [name, value] of headers) {
    assert(HEADER_NAMES.has(name), `${where}: header ${name}: ${value}`);
    assert.doesNotMatch(value, TELLTALES, `${where}: header ${name}`);
  }
  assert.doesNotMatch(body, TELLTALES, where);
}
