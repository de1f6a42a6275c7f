import assert from "node:assert/strict";
import { startServer } from "../support/program.ts";
import { makeProject, run } from "./_program.ts";

Deno.test("`start` tells on stderr what a person needs", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"order_track": "near"}');
  await using server = await startServer(["--project", project.directory]);
  await server.stop();
  const log = server.log();
  const lines = [
    "careem-mcp is serving 3 tools, 9 scenarios",
    `${server.url}/mcp`,
    `${server.url}/sse`,
    `${server.url}/health`,
    `claude mcp add --transport http careem-mcp ${server.url}/mcp`,
    project.path("tools"),
    project.overrides,
    "order_track → near",
  ];
  for (const line of lines) assert(log.includes(line), `${line} is not in\n${log}`);
});

Deno.test("over stdio nothing but the protocol is on stdout; --quiet silences the rest", async () => {
  using project = makeProject();
  const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const [loud, quiet, switched] = await Promise.all([
    project.run(["--stdio"], { input }),
    project.run(["--stdio", "--quiet"], { input }),
    project.run(["start"], { input, env: { CAREEM_MCP_STDIO: "1", CAREEM_MCP_QUIET: "true" } }),
  ]);
  const out = '{"jsonrpc":"2.0","id":1,"result":{}}\n';
  assert.deepEqual([loud.code, loud.out], [0, out]);
  assert.match(loud.err, /^careem-mcp is serving 3 tools, 9 scenarios\n/);
  assert.deepEqual([quiet, switched], [{ code: 0, out, err: "" }, { code: 0, out, err: "" }]);
});

Deno.test("broken tool files keep it from starting and are all listed", async () => {
  using project = makeProject({ "tools/a.md": "", "tools/b.md": "---\n---\n" });
  const { code, out, err } = await project.run(["--stdio"]);
  assert.deepEqual([code, out], [1, ""]);
  const lines = err.trimEnd().split("\n");
  assert.equal(lines.at(-1), `careem-mcp: ${lines.length - 1} problems in the tool files, above.`);
  for (const file of ["a.md", "b.md"]) assert(err.includes(`${project.path("tools", file)}:`), err);
});

Deno.test("a port that is taken is said to be, with another to take", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  using project = makeProject();
  const { code, err } = await project.run(["start", "--port", String(port)]);
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^careem-mcp: Port ${port} on 127.0.0.1 is taken`));
});

Deno.test("a folder that does not exist is an error that names it", async () => {
  const { code, err } = await run(["--project", "/nowhere/at all"]);
  assert.equal(code, 1);
  assert.equal(
    err,
    "careem-mcp: --project: there is no folder /nowhere/at all.\nName one that exists.\n",
  );
});
