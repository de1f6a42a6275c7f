import assert from "node:assert/strict";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import type { JsonObject } from "../../lib/json.ts";
import { readFolder } from "../../lib/store/folder.ts";
import { ROOT } from "../support/program.ts";
import { buildExecutable, compileProgram, findCompiler } from "./_build.ts";
import { connectStdio, install, run } from "./_installation.ts";

// The executable as people get it: one file, alone in a folder. CAREEM_MCP_EXECUTABLE names one
// that is there already.

const compiler = await findCompiler();
const built = Deno.env.get("CAREEM_MCP_EXECUTABLE") ||
  (compiler && await buildExecutable(compiler));
const unix = Deno.build.os !== "windows";

const HOME = { latitude: 25.0866, longitude: 55.1474 };
const MENU = { restaurant_id: 30104, ...HOME };
const TOOLS = join(ROOT, "tools");
const { fixtures } = readFolder(TOOLS);

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const PONG = '{"jsonrpc":"2.0","id":1,"result":{}}\n';

/** A test that needs the executable. */
function test(name: string, body: (executable: string) => Promise<void>): void {
  const ignore = built === undefined;
  Deno.test({ name: ignore ? `NOT TESTED: ${name}` : name, ignore, fn: () => body(built!) });
}

test("alone in a folder it passes the acceptance, wire and command line tests", async (source) => {
  using home = install(source);
  const commands = ["call", "check", "config", "eject", "run", "scenario", "scenarios", "start"];
  const tests = ["acceptance", "wire", ...commands.map((name) => `cli/${name}_test.ts`)];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--quiet", "--no-check", "--parallel", ...tests],
    cwd: join(ROOT, "tests"),
    env: { CAREEM_MCP_EXECUTABLE: home.executable, NO_COLOR: "1" },
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success, output);
  for (const transport of ["Streamable HTTP", "legacy SSE", "stdio"]) {
    assert.match(output, new RegExp(`acceptance over ${transport} \\.\\.\\. ok`));
  }
  // The journal is all that it writes.
  assert.deepEqual(home.names().filter((name) => !name.startsWith("careem-mcp")), [".run"]);
});

test("it needs nothing from the environment, and writes nothing but the protocol", async (source) => {
  using home = install(source);
  const input = [
    PING,
    "no JSON\n",
    '{"jsonrpc":"2.0","id":2,"method":"no/such"}\n',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}\n',
  ].join("");
  const { code, out, err } = await home.run(["--stdio"], { input });
  assert.equal(code, 0, err);
  const messages = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert(messages.every(({ jsonrpc }) => jsonrpc === "2.0"), out);
  assert.deepEqual(new Set(messages.map(({ id }) => id)), new Set([1, 2, 3, null]));
  assert.match(err, /the copy inside the executable/);
  assert.deepEqual(home.names(), [home.executable.slice(home.folder.length + 1)]);
});

test("it passes what every release is put through on its own system", async (source) => {
  using home = install(source);
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", join(ROOT, "packaging", "smoke.ts"), home.folder],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  assert.match(new TextDecoder().decode(stdout), /works here/);
});

test("the embedded fixtures are this checkout's, and all of them are honest", async (source) => {
  using home = install(source);
  const listed = await home.run(["scenarios", "--json"]);
  const { tools } = JSON.parse(listed.out) as { tools: { tool: string; scenarios: unknown[] }[] };
  assert.deepEqual(
    tools.map(({ tool, scenarios }) => [tool, scenarios.length]).sort(),
    [...fixtures.values()].map(({ tool, scenarios }) => [tool, scenarios.length]).sort(),
  );
  const check = await home.run(["check"]);
  assert.deepEqual([check.code, check.out], [0, ""], check.err);
});

test("what `eject` writes is served from then on, edits at the next call", async (source) => {
  using home = install(source);
  const ejected = await home.run(["eject"]);
  assert.equal(ejected.code, 0, ejected.err);
  const file = "food/food_get_restaurant_menu.md";
  const text = Deno.readTextFileSync(home.path("tools", file));
  assert.equal(text, Deno.readTextFileSync(join(TOOLS, file)));

  await using session = await connectStdio(home.executable, ["--stdio"]);
  const nameOf = async (): Promise<unknown> => {
    const { restaurant } = await session.call("food_get_restaurant_menu", MENU);
    return ((restaurant as JsonObject).name as JsonObject).value;
  };
  assert.equal(await nameOf(), "Morning Syrniki Café");
  home.write(`tools/${file}`, text.replaceAll("Morning Syrniki Café", "Evening Syrniki Café"));
  assert.equal(await nameOf(), "Evening Syrniki Café");
  home.write(`tools/${file}`, text.replaceAll("\n", "\r\n"));
  assert.equal(await nameOf(), "Morning Syrniki Café", "Windows line ends");
});

test("two copies do not disturb each other", async (source) => {
  using one = install(source);
  using other = install(source);
  await using first = await connectStdio(one.executable, ["--stdio"]);
  await using second = await connectStdio(other.executable, ["--stdio"]);
  const forced = await one.run(["scenario", "food_get_restaurant_menu", "upstream-unavailable"]);
  assert.equal(forced.code, 0, forced.err);
  assert.match(String((await first.call("food_get_restaurant_menu", MENU)).error), /status 503/);
  assert.equal((await second.call("food_get_restaurant_menu", MENU)).error, undefined);
  assert(!other.names().includes(".run"));
});

test("started through a symbolic link it uses what is beside the real file", async (source) => {
  if (!unix) return;
  using home = install(source);
  using elsewhere = install(source);
  home.write(".run/overrides.json", '{"food_get_restaurant_menu": "upstream-unavailable"}');
  home.write("tools/food_get_restaurant_menu.md", menuFile());
  const link = elsewhere.path("link");
  Deno.symlinkSync(home.executable, link);
  const { out, err } = await run(link, ["--stdio"], { input: PING, cwd: elsewhere.folder });
  assert.equal(out, PONG);
  assert.match(err, /serving 1 tools?, /);
  for (const place of [home.path("tools"), home.path(".run", "overrides.json")]) {
    assert(err.includes(place), err);
  }
  assert.match(err, /food_get_restaurant_menu → upstream-unavailable/);
});

test("a folder that cannot be written to is no obstacle to serving", async (source) => {
  if (!unix) return;
  using home = install(source);
  Deno.chmodSync(home.folder, 0o555);
  // Permissions do not stop root, so it becomes somebody else.
  const user = Deno.uid() === 0 ? { uid: 65_534, cwd: home.folder } : {};
  // Nor does it need a place for temporary files.
  const circumstances = { ...user, env: { TMPDIR: home.folder } };
  try {
    const served = await home.run(["--stdio"], { ...circumstances, input: PING });
    assert.deepEqual([served.code, served.out], [0, PONG], served.err);
    const called = await home.run(["call", "pay_get_wallet_balance"], circumstances);
    assert.equal(called.code, 0, called.err);
    const forced = await home.run(["scenario", "ride_book", "no-captains"], circumstances);
    assert.equal(forced.code, 1);
    assert.match(forced.err, /cannot be (?:written|created)[^]*--overrides/);
  } finally {
    Deno.chmodSync(home.folder, 0o755);
  }
  assert.deepEqual(home.names(), ["careem-mcp"]);
});

test("the configurations of Claude Desktop and Codex start it as they are written", async (source) => {
  using home = install(source);
  const written = {
    "claude-desktop": `{"mcpServers":{"careem-mcp":{"command":${
      JSON.stringify(home.executable)
    },"args":["--stdio"]}}}`,
    codex: `[mcp_servers.careem-mcp]\ncommand = ${
      JSON.stringify(home.executable)
    }\nargs = ["--stdio"]\n`,
  };
  for (const [client, text] of Object.entries(written)) {
    const printed = await home.run(["config", client]);
    for (const config of [text, printed.out]) {
      const { command, args } = client === "codex"
        ? (parseToml(config) as { mcp_servers: Servers }).mcp_servers["careem-mcp"]
        : (JSON.parse(config) as { mcpServers: Servers }).mcpServers["careem-mcp"];
      await using session = await connectStdio(command, args);
      assert.equal(session.client.getServerVersion()?.name, "careem-mcp-service", client);
      assert.equal((await session.client.listTools()).tools.length, fixtures.size, client);
    }
  }
});

type Servers = { "careem-mcp": { command: string; args: string[] } };

test("it can do what its commands need and nothing else", async (source) => {
  if (compiler === undefined) return;
  const folder = Deno.makeTempDirSync();
  try {
    const probe = join(folder, "probe");
    await compileProgram(compiler, join(import.meta.dirname!, "_probe.ts"), probe);
    // The probe stands for the executable only if their permissions are the same.
    assert.deepEqual(permissionsOf(probe), permissionsOf(source));
    const { code, out, err } = await run(probe, [folder], {
      env: { CAREEM_MCP_PORT: "1", HOME: "/secret", PATH: Deno.env.get("PATH") ?? "" },
    });
    assert.equal(code, 0, err);
    assert.deepEqual(JSON.parse(out), {
      "reads a file": "done",
      "writes a file": "done",
      "listens on 127.0.0.1": "done",
      "listens on localhost": "done",
      "listens on all addresses": "done",
      "reads CAREEM_MCP_PORT": "done",
      "reads NO_COLOR": "done",
      "connects to another machine": "refused",
      "looks up a name": "refused",
      "fetches a page": "refused",
      "imports from the network": "refused",
      "listens on another address": "refused",
      "reads HOME": "refused",
      "reads the whole environment": "refused",
      "sets a variable": "refused",
      "runs a program": "refused",
      "loads a library": "refused",
      "asks for the machine's name": "refused",
      "asks for more": "refused",
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

test("it is hardly larger than an empty program, and keeps nothing of this machine", async (source) => {
  if (compiler === undefined) return;
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(join(folder, "empty.ts"), "");
    await compileProgram(compiler, join(folder, "empty.ts"), join(folder, "empty"));
    const [size, empty] = [Deno.statSync(source).size, Deno.statSync(join(folder, "empty")).size];
    assert(size <= 1.05 * empty, `${size} bytes, an empty program has ${empty}`);
    const added = new TextDecoder().decode(Deno.readFileSync(source).subarray(empty - size));
    for (const place of [ROOT, `${Deno.env.get("HOME")}/`, ["npmjs", "org"].join(".")]) {
      assert(!added.includes(place), `${place} is in the executable`);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

/** The permissions that an executable was compiled with, from the data at its end. */
function permissionsOf(executable: string): unknown {
  const bytes = Deno.readFileSync(executable);
  const text = new TextDecoder("latin1").decode(bytes.subarray(-8_000_000));
  const start = text.lastIndexOf('"permissions":{') + '"permissions":'.length;
  return JSON.parse(text.slice(start, text.indexOf("}", start) + 1));
}

function menuFile(): string {
  return Deno.readTextFileSync(join(TOOLS, "food", "food_get_restaurant_menu.md"));
}
