import assert from "node:assert/strict";
import { INITIALIZE } from "../support/messages.ts";
import { ROOT, startServer } from "../support/program.ts";
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
  const variable = await run(["check"], { env: { CAREEM_MCP_PROJECT: "/nowhere" } });
  assert.match(variable.err, /^careem-mcp: CAREEM_MCP_PROJECT: there is no folder \/nowhere\./);
  const { code, err } = await run(["--project", "/nowhere/at all"], {
    env: { CAREEM_MCP_PROJECT: "/elsewhere" },
  });
  assert.equal(code, 1);
  assert.equal(
    err,
    "careem-mcp: --project: there is no folder /nowhere/at all.\nName one that exists.\n",
  );
});

Deno.test("each forced scenario has a line; entries that do nothing are warned of", async () => {
  using project = makeProject();
  const entries = { order_track: "NEAR", food_find_dish: "sushi", gone: "x", pay_show_wallet: "y" };
  project.write(".run/overrides.json", JSON.stringify(entries));
  const { err } = await project.run(["--stdio"]);
  assert.match(
    err,
    /^ {2}Forced {11}order_track → near\n {19}food_find_dish → sushi\nWarning: .+ no tool `gone`, .+\nWarning: .+ no scenario `y`, .+\n$/m,
  );
  project.write(".run/overrides.json", "[1]");
  const broken = await project.run(["--stdio", "--quiet"]);
  assert.equal(
    broken.err,
    `Warning: ${project.overrides} is not a JSON object, so nothing is forced; mend or delete it\n`,
  );
});

Deno.test("the addresses that are told can be used on this machine", async () => {
  using project = makeProject();
  const flags = ["--project", project.directory];
  await using everywhere = await startServer([...flags, "--host", "0.0.0.0"]);
  assert.match(everywhere.log(), /Streamable HTTP {2}http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
  const log = everywhere.log();
  assert(log.indexOf("Warning: 0.0.0.0 is reachable") < log.indexOf("is serving"), log);
});

const hasIpv6 = ((): boolean => {
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return true;
  } catch {
    return false;
  }
})();

Deno.test({
  name: "an IPv6 address is told in brackets, however it was given",
  ignore: !hasIpv6,
}, async () => {
  using project = makeProject();
  for (const host of ["[::1]", "::1", "::"]) {
    await using server = await startServer(["--project", project.directory, "--host", host]);
    assert.match(server.log(), /Health {11}http:\/\/\[::1\]:\d+\/health\n/, host);
  }
});

Deno.test("an address that the program may not listen on is refused without a warning before", async () => {
  using project = makeProject();
  const { code, out, err } = await project.run(["start", "--port", "0", "--host", "192.0.2.2"]);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /^careem-mcp: Cannot listen on 192\.0\.2\.2: .+127\.0\.0\.1.+\n.+\n$/);
});

Deno.test("from the sources, fixtures that come with the program are told by their folder", async () => {
  using project = makeProject({});
  Deno.removeSync(project.path("tools"));
  const { err } = await project.run(["--stdio"]);
  const place = Deno.env.get("CAREEM_MCP_EXECUTABLE")
    ? "the copy inside the executable"
    : `${ROOT}tools (those that come with careem-mcp)`;
  assert(err.includes(`  Fixtures         ${place}\n`), err);
});

Deno.test("a call of a tool that is not there is logged as one that failed", async () => {
  using project = makeProject();
  const call = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "order_trac", arguments: { a: 1 } },
  };
  const input = `${JSON.stringify(INITIALIZE)}\n${JSON.stringify(call)}\n`;
  const [text, json] = await Promise.all([
    project.run(["--stdio"], { input }),
    project.run(["--stdio", "--log", "json"], { input }),
  ]);
  assert.match(text.err, /^[\d:]{8} order_trac - {"a":1}\n {9}unknown tool "order_trac"$/m);
  // Whatever is said in JSON is said in objects, the first lines as well.
  const entries = json.err.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert(entries.every(({ time }) => !Number.isNaN(Date.parse(time))));
  assert(entries.some(({ message }) => message?.startsWith("careem-mcp is serving 3 tools")));
  const { time: _time, ...entry } = entries.find(({ tool }) => tool !== undefined);
  assert.deepEqual(entry, {
    tool: "order_trac",
    scenario: null,
    forced: false,
    args: { a: 1 },
    problem: 'unknown tool "order_trac"',
  });
});
