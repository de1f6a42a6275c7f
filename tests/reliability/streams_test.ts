import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/json.ts";
import { keepSessions } from "../../lib/http/sessions.ts";
import { serveSse, type SseSession } from "../../lib/http/sse.ts";
import { makeTwin } from "../mcp/_twin.ts";
import { startServer } from "../support/program.ts";
import { RawConnection } from "../support/raw_http.ts";
import { LONG } from "./_long.ts";
import { probeText } from "./_tools.ts";
import {
  assertServes,
  eventually,
  INITIALIZE,
  initialize,
  type LegacyStream,
  messageOf,
  openLegacy,
  openStandalone,
  POST_HEADERS,
  postLegacy,
  residentMemory,
  statusOf,
  toolCall,
} from "./_wire.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

/** Waits until the session of a legacy stream has ended. */
function ended(port: number, endpoint: string): Promise<void> {
  return eventually(
    "the session of a stream that is gone has ended",
    async () => (await postLegacy(port, endpoint, INITIALIZED)).status === 404,
  );
}

Deno.test("a client that vanishes from its stream frees the session", async () => {
  await using server = await startServer();
  const { port } = server;
  const ways: Record<string, (connection: RawConnection) => void | Promise<void>> = {
    "closed": async (connection) => {
      for (let read = ""; !read.includes('"id":3');) read += await connection.readChunk();
      connection.close();
    },
    "half closed": (connection) => connection.closeWrite(),
    // What has arrived and was not read makes the system send a reset.
    "reset": (connection) => connection.close(),
  };
  for (const vanish of Object.values(ways)) {
    const stream = await openLegacy(port);
    await Promise.all([1, 2, 3].map((id) => postLegacy(port, stream.endpoint, { ...PING, id })));
    await vanish(stream.connection);
    await ended(port, stream.endpoint);
    stream.connection.close();
  }
  await assertServes(port);
});

Deno.test("a client that vanishes before its stream has begun leaves no session", async () => {
  const { twin } = makeTwin([probeText(0)]);
  const sessions = keepSessions<SseSession>({ idleMs: 60_000, max: 1000 });
  let most = 0;
  await using server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
    async handler(request) {
      const response = await serveSse(request, "", twin, sessions);
      most = Math.max(most, sessions.size);
      return response;
    },
  });
  for (let client = 0; client < 300; client++) {
    const connection = await RawConnection.open(server.addr.port);
    await connection.send({ method: "GET", path: "/sse" });
    // At once, or when the server has taken the request.
    if (client % 2 === 0) await new Promise((resume) => setTimeout(resume, 0));
    connection.close();
  }
  await eventually("no session is left", () => sessions.size === 0);
  assert(most > 0);
});

Deno.test("a client that vanishes during a call costs nobody anything", async () => {
  await using server = await startServer();
  const { port } = server;
  const session = await initialize(port);
  for (let client = 0; client < 50; client++) {
    const connection = await RawConnection.open(port);
    await connection.send({
      method: "POST",
      path: "/mcp",
      headers: { ...POST_HEADERS, "mcp-session-id": session },
      body: JSON.stringify({ ...PING, method: "tools/list" }),
    });
    connection.close();
  }
  assert.equal(await statusOf(port, session), 200);
  await assertServes(port);
});

Deno.test("requests that never come to their end keep nobody waiting, nor the server alive", async () => {
  await using server = await startServer();
  const { port } = server;
  const halves = [
    "",
    "GET /he",
    "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 99\r\n\r\n{",
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
  ];
  const connections: RawConnection[] = [];
  for (let round = 0; round < 20; round++) {
    for (const half of halves) {
      const connection = await RawConnection.open(port);
      await connection.write(half);
      connections.push(connection);
    }
  }
  await assertServes(port);
  const started = performance.now();
  assert.equal((await server.stop()).code, 0);
  assert(performance.now() - started < 5000);
  for (const connection of connections) connection.close();
});

Deno.test("a client that does not read its stream is given up, and the others are served", async () => {
  await using server = await startServer();
  const { port } = server;
  using slow = await openLegacy(port);
  await postLegacy(port, slow.endpoint, INITIALIZE);
  const before = await residentMemory(server.pid);
  // Each answer quotes the name: a megabyte on a stream that nobody reads.
  const call = toolCall({ name: "x".repeat(1024 * 1024) });
  let answers = 0;
  for (; answers < 100; answers++) {
    const { status } = await postLegacy(port, slow.endpoint, call);
    if (status === 404) break;
    assert.equal(status, 202);
  }
  assert(answers >= 16 && answers < 60, `given up after ${answers} MiB`);
  await assertServes(port);
  const grown = (await residentMemory(server.pid) - before) / 1024 / 1024;
  assert(grown < 400, `${grown} MiB more`);
});

Deno.test("a client that does not read an answer keeps nobody waiting", async () => {
  await using server = await startServer();
  const { port } = server;
  const session = await initialize(port);
  const connections: RawConnection[] = [];
  for (let client = 0; client < 50; client++) {
    const connection = await RawConnection.open(port);
    connections.push(connection);
    const headers = { ...POST_HEADERS, "mcp-session-id": session };
    const body = JSON.stringify({ ...PING, method: "tools/list" });
    for (let request = 0; request < 5; request++) {
      await connection.send({ method: "POST", path: "/mcp", headers, body });
    }
  }
  await assertServes(port);
  for (const connection of connections) connection.close();
});

const STREAMS = LONG ? 1000 : 300;

Deno.test(`${STREAMS} legacy streams at once each get their own answers, and none is left`, async () => {
  // Fewer sessions than streams are allowed, since no stream is cut.
  await using server = await startServer(["--max-sessions", "100"]);
  const { port } = server;
  const streams: LegacyStream[] = [];
  while (streams.length < STREAMS) {
    streams.push(...await Promise.all(Array.from({ length: 50 }, () => openLegacy(port))));
  }
  assert.equal(new Set(streams.map(({ endpoint }) => endpoint)).size, STREAMS);
  await inTurns(streams, async ({ endpoint, connection }, id) => {
    assert.equal((await postLegacy(port, endpoint, { ...PING, id })).status, 202);
    const { id: answered } = messageOf(await connection.readChunk()) as JsonObject;
    assert.equal(answered, id);
  });
  for (const { connection } of streams) connection.close();
  await inTurns(streams, ({ endpoint }) => ended(port, endpoint));
  await assertServes(port);
});

/** Does something for each item, twenty at a time. */
async function inTurns<T>(
  items: readonly T[],
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: 20 }, async () => {
    while (next < items.length) {
      const index = next++;
      await act(items[index]!, index);
    }
  }));
}

Deno.test(`${STREAMS} sessions with an open stream each are served, and their streams end with them`, async () => {
  const server = await startServer(["--max-sessions", "100"]);
  const { port } = server;
  const sessions: string[] = [];
  const streams: RawConnection[] = [];
  for (let count = 0; count < STREAMS; count++) {
    const session = await initialize(port);
    sessions.push(session);
    streams.push(await openStandalone(port, session));
  }
  await inTurns(sessions, async (session) => assert.equal(await statusOf(port, session), 200));
  const started = performance.now();
  assert.equal((await server.stop()).code, 0);
  assert(performance.now() - started < 5000);
  // Each stream ends properly, with its last chunk.
  for (const stream of streams) {
    assert.equal(await stream.readChunk(), "");
    stream.close();
  }
});
