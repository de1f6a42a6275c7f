import assert from "node:assert/strict";
import { run } from "../cli/_program.ts";
import { startServer } from "../support/program.ts";
import { RawConnection } from "../support/raw_http.ts";
import {
  initialize,
  openLegacy,
  openStandalone,
  POST_HEADERS,
  postLegacy,
  toolCall,
} from "./_wire.ts";

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} ends a server with streams and requests of every kind within two seconds`, async () => {
    const server = await startServer();
    const { port } = server;
    const session = await initialize(port);
    const connections: RawConnection[] = [];
    for (let count = 0; count < 10; count++) {
      connections.push(await openStandalone(port, await initialize(port)));
      connections.push((await openLegacy(port)).connection);
      // A request in the middle of its body.
      const slow = await RawConnection.open(port);
      const headers = { ...POST_HEADERS, "mcp-session-id": session, "content-length": "50" };
      await slow.send({ method: "POST", path: "/mcp", headers });
      connections.push(slow, await RawConnection.open(port));
    }
    // A stream with megabytes that nobody reads.
    const unread = await openLegacy(port);
    const call = toolCall({ name: "x".repeat(1024 * 1024) });
    for (let count = 0; count < 8; count++) await postLegacy(port, unread.endpoint, call);
    const started = performance.now();
    const { code, signal: killed } = await server.stop(signal);
    assert.deepEqual([code, killed], [0, null], server.log());
    const took = performance.now() - started;
    assert(took < 5000, `${took} ms`);
    assert.doesNotMatch(server.log(), /uncaught| {4}at /i);
    for (const connection of [...connections, unread.connection]) connection.close();
  });
}

Deno.test("a second signal changes nothing", async () => {
  const server = await startServer();
  using _ = await openLegacy(server.port);
  Deno.kill(server.pid, "SIGINT");
  Deno.kill(server.pid, "SIGTERM");
  const { code, signal } = await server.stop("SIGINT");
  assert.deepEqual([code, signal], [0, null]);
});

Deno.test("a port that is taken is told in one line, with exit code 1", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const { code, out, err } = await run(["start", "--port", String(port)]);
  assert.equal(code, 1);
  assert.equal(out, "");
  const [line, ...more] = err.trimEnd().split("\n");
  assert.match(line!, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken.*--port ${port + 1}`));
  assert.deepEqual(more, []);
});

Deno.test("an address that is not this machine's is told, with exit code 1", async () => {
  const { code, out, err } = await run(["start", "--port", "0", "--host", "192.0.2.1"]);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /192\.0\.2\.1/);
  assert.doesNotMatch(err, / {4}at |uncaught/i);
});
