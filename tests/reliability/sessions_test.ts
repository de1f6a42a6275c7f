import assert from "node:assert/strict";
import { startServer } from "../support/program.ts";
import { RawConnection } from "../support/raw_http.ts";
import { makeToolFolder } from "./_tools.ts";
import {
  assertServes,
  deleteSession,
  eventually,
  initialize,
  messageOf,
  openLegacy,
  openStandalone,
  POST_HEADERS,
  postLegacy,
  statusOf,
  toolCall,
} from "./_wire.ts";

/** Short enough to wait for, long enough for a request on a busy machine. */
const SHORT_IDLE = ["--session-idle", "600ms"];

Deno.test("DELETE ends a session, its stream and its id", async () => {
  await using server = await startServer();
  const { port } = server;
  const session = await initialize(port);
  using stream = await openStandalone(port, session);
  assert.equal(await deleteSession(port, session), 204);
  assert.equal(await stream.readChunk(), "", "the stream ends");
  assert.equal(await statusOf(port, session), 404);
  assert.equal(await deleteSession(port, session), 404);
  await assertServes(port);
});

Deno.test("DELETE during a call lets the call go without an answer", async () => {
  await using tools = await makeToolFolder();
  const overrides = `${tools.folder}/overrides.json`;
  Deno.writeTextFileSync(overrides, '{"probe": {"delay": "1500ms"}}');
  await using server = await startServer([
    ...["--tools", tools.folder, "--overrides", overrides, "--no-journal"],
  ]);
  const { port } = server;
  const session = await initialize(port);
  const other = await initialize(port);
  const call = async (id: string): Promise<RawConnection> => {
    const connection = await RawConnection.open(port);
    await connection.send({
      method: "POST",
      path: "/mcp",
      headers: { ...POST_HEADERS, "mcp-session-id": id },
      body: JSON.stringify(toolCall({ name: "probe" })),
    });
    return connection;
  };
  using cut = await call(session);
  using uncut = await call(other);
  // Whole requests that came after them are answered, so both are under way.
  for (let request = 0; request < 3; request++) await statusOf(port, other);
  assert.equal(await deleteSession(port, session), 204);
  const { status, body } = await cut.readResponse("POST");
  assert.deepEqual([status, body], [200, ""]);
  const { result } = messageOf((await uncut.readResponse("POST")).body);
  assert.equal((result as { isError: boolean }).isError, false);
  assert.equal(await statusOf(port, session), 404);
});

Deno.test("a session without requests ends after --session-idle, one with requests does not", async () => {
  // A busy machine may stand still for most of a second, and the used session must not be idle then.
  await using server = await startServer(["--session-idle", "2s"]);
  const { port } = server;
  const [idle, used] = [await initialize(port), await initialize(port)];
  // Asking for the idle one would be using it, so the time is taken by the used one.
  const end = performance.now() + 3500;
  while (performance.now() < end) {
    assert.equal(await statusOf(port, used), 200);
    await new Promise((resume) => setTimeout(resume, 50));
  }
  assert.equal(await statusOf(port, idle), 404);
  assert.equal(await statusOf(port, used), 200);
});

Deno.test("an open stream keeps its session, and the session ends some time after it", async () => {
  await using server = await startServer(SHORT_IDLE);
  const { port } = server;
  const [streaming, idle] = [await initialize(port), await initialize(port)];
  using stream = await openStandalone(port, streaming);
  using legacy = await openLegacy(port);
  await new Promise((resume) => setTimeout(resume, 1400));
  assert.equal(await statusOf(port, idle), 404);
  assert.equal(await statusOf(port, streaming), 200);
  const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
  assert.equal((await postLegacy(port, legacy.endpoint, initialized)).status, 202);
  stream.close();
  await new Promise((resume) => setTimeout(resume, 1400));
  assert.equal(await statusOf(port, streaming), 404);
});

Deno.test("a running request keeps its session", async () => {
  await using server = await startServer(SHORT_IDLE);
  const { port } = server;
  const [running, idle] = [await initialize(port), await initialize(port)];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 5, method: "ping" });
  using slow = await RawConnection.open(port);
  const headers = { ...POST_HEADERS, "mcp-session-id": running, "content-length": "40" };
  await slow.send({ method: "POST", path: "/mcp", headers });
  await new Promise((resume) => setTimeout(resume, 1400));
  assert.equal(await statusOf(port, idle), 404);
  await slow.write(body + " ".repeat(40 - body.length));
  const response = await slow.readResponse("POST");
  assert.deepEqual([response.status, messageOf(response.body).id], [200, 5]);
});

Deno.test("past --max-sessions the one that is idle for longest ends, and none in use", async () => {
  await using server = await startServer(["--max-sessions", "3"]);
  const { port } = server;
  const [a, b, c] = [await initialize(port), await initialize(port), await initialize(port)];
  using stream = await openStandalone(port, a);
  assert.equal(await statusOf(port, b), 200, "b was used after c");
  const d = await initialize(port);
  assert.equal(await statusOf(port, c), 404);
  for (const session of [a, b, d]) assert.equal(await statusOf(port, session), 200);
  // Now a has a stream, and b is idle for longest.
  const e = await initialize(port);
  assert.equal(await statusOf(port, b), 404);
  for (const session of [a, d, e]) assert.equal(await statusOf(port, session), 200);
  stream.close();
});

Deno.test("more streams than --max-sessions are all kept", async () => {
  await using server = await startServer(["--max-sessions", "2"]);
  const { port } = server;
  const sessions: string[] = [];
  const streams: RawConnection[] = [];
  for (let count = 0; count < 5; count++) {
    const session = await initialize(port);
    sessions.push(session);
    streams.push(await openStandalone(port, session));
  }
  for (const session of sessions) assert.equal(await statusOf(port, session), 200);
  for (const stream of streams) stream.close();
});

Deno.test("a second stream of a session is refused with 409 until the first is gone", async () => {
  await using server = await startServer();
  const { port } = server;
  const session = await initialize(port);
  const first = await openStandalone(port, session);
  const status = async () => {
    using second = await RawConnection.open(port);
    const headers = { "accept": "text/event-stream", "mcp-session-id": session };
    await second.send({ method: "GET", path: "/mcp", headers });
    return (await second.readHead()).status;
  };
  assert.equal(await status(), 409);
  assert.equal(await status(), 409);
  assert.equal(await statusOf(port, session), 200, "the first goes on");
  // The client vanishes without a word.
  first.close();
  await eventually("a stream can be opened again", async () => await status() === 200);
});

Deno.test("a session id of an earlier run gets 404, and a new session works", async () => {
  let session: string, endpoint: string;
  {
    await using server = await startServer();
    session = await initialize(server.port);
    using stream = await openLegacy(server.port);
    endpoint = stream.endpoint;
  }
  await using server = await startServer();
  assert.equal(await statusOf(server.port, session), 404);
  assert.equal(await deleteSession(server.port, session), 404);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  assert.equal((await postLegacy(server.port, endpoint, ping)).status, 404);
  await assertServes(server.port);
});
