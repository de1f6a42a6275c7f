import assert from "node:assert/strict";
import { programCommand, type RunningServer, startServer } from "../support/program.ts";
import { RawConnection, type RawRequest } from "../support/raw_http.ts";
import { assertServes, eventually, initialize, openLegacy, openStandalone } from "./_wire.ts";

const POSIX = Deno.build.os !== "windows";

Deno.test({
  name: "a server that may open no more files serves again when it may",
  ignore: !POSIX,
  async fn() {
    await using server = await startServer([], { command: limited(200) });
    const { port } = server;
    const connections: RawConnection[] = [];
    // More clients than the process may have connections; the system queues or refuses the rest.
    for (let client = 0; client < 300; client++) {
      const connection = await RawConnection.open(port).catch(() => undefined);
      if (connection !== undefined) connections.push(connection);
    }
    const request: RawRequest = { method: "GET", path: "/health" };
    const served = await Promise.all(connections.map(async (connection) => {
      await connection.send(request).catch(() => {});
      const answered = connection.readResponse("GET").then(() => 1, () => 0);
      return await Promise.race([answered, waited(500)]);
    }));
    const count = served.reduce<number>((sum, one) => sum + one, 0);
    assert(count < 200, `${count} were served, so it had all the files it needed`);
    for (const connection of connections) connection.close();
    await eventually("it serves", () => assertServes(port).then(() => true, () => false));
    const session = await initialize(port);
    using stream = await openStandalone(port, session);
    using _ = await openLegacy(port);
    assert(stream);
    assert.equal((await server.stop()).code, 0);
  },
});

function waited(milliseconds: number): Promise<0> {
  return new Promise((resolve) => setTimeout(() => resolve(0), milliseconds));
}

/** The command of the program, with a limit on open files. */
function limited(files: number): [string, ...string[]] {
  return ["bash", "-c", `ulimit -n ${files} && exec "$@"`, "bash", ...programCommand()];
}

Deno.test({
  name: "connections, sessions and streams that are gone hold no file open",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using server = await startServer();
    const { port } = server;
    await assertServes(port);
    const before = await openFiles(server);
    for (let round = 0; round < 20; round++) {
      const session = await initialize(port);
      const stream = await openStandalone(port, session);
      const legacy = await openLegacy(port);
      const silent = await RawConnection.open(port);
      await silent.write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{");
      assert(await openFiles(server) > before);
      for (const connection of [stream, legacy.connection, silent]) connection.close();
    }
    await eventually("all is closed", async () => await openFiles(server) <= before);
  },
});

async function openFiles({ pid }: RunningServer): Promise<number> {
  return (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
}
