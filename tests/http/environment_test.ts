import assert from "node:assert/strict";
import { programCommand, startServer } from "../support/program.ts";

// Variables of the runtime that would change what the program does.

Deno.test("DENO_SERVE_ADDRESS moves no listener and adds none", async () => {
  for (const duplicate of ["", "duplicate,"]) {
    using free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = free.addr;
    free.close();
    const env = { DENO_SERVE_ADDRESS: `${duplicate}tcp:127.0.0.1:${port}` };
    await using server = await startServer([], { env });
    assert.notEqual(server.port, port);
    assert((await fetch(`${server.url}/health`).then((response) => response.json())).tools > 0);
    await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port }), "nothing listens there");
    assert.match(server.log(), /DENO_SERVE_ADDRESS is passed over: the flags say where to listen/);
  }
});

Deno.test("call --url asks a server on this machine, whatever proxy the environment names", async () => {
  await using server = await startServer();
  const [command, ...args] = programCommand();
  const proxy = "http://127.0.0.1:1";
  const { code, stdout } = await new Deno.Command(command, {
    args: [
      ...[...args, "call", "--url", `${server.url}/mcp`],
      ...["reverse_geocode", "latitude=25.0866", "longitude=55.1474"],
    ],
    env: { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NO_PROXY: "", no_proxy: "" },
    stderr: "null",
  }).output();
  assert.equal(code, 0);
  assert.match(new TextDecoder().decode(stdout), /LOC-50001/);
});
