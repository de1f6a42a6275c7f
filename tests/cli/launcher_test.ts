import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";
import type { Outcome } from "../support/outcome.ts";

// careem-mcp.sh, as people and clients start it.

const SCRIPT = join(ROOT, "careem-mcp.sh");
const ENVIRONMENT = { DENO: Deno.execPath(), NO_COLOR: "1" };

async function run(
  command: string,
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: ENVIRONMENT,
    ...options,
  }).output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "with spaces and ' " });
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("it works from any folder and through symbolic links, one of them relative", () =>
  withFolder(async (folder) => {
    await Deno.symlink(SCRIPT, join(folder, "first"));
    await Deno.symlink("first", join(folder, "second link"));
    const { code, out } = await run(join(folder, "second link"), ["--version"], { cwd: folder });
    assert.equal(code, 0);
    assert.match(out, /^\d+\.\d+\.\d+\n$/);
  }));

Deno.test("started in a folder that was deleted, it says so", () =>
  withFolder(async (folder) => {
    const gone = `cd "$1" && rmdir "$1" && exec "$2" --version`;
    const { code, out, err } = await run("bash", ["-c", gone, "-", folder, SCRIPT]);
    await Deno.mkdir(folder);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^careem-mcp: the folder that this was started in has been deleted\./m);
    assert.doesNotMatch(err, /os error|Stack/);
  }));

Deno.test("what an editor has Node.js's programs load does not reach it", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "debugger.cjs"), 'console.log("noise");');
    const env = { ...ENVIRONMENT, NODE_OPTIONS: "--require ./debugger.cjs", NODE_CHANNEL_FD: "3" };
    const { code, out } = await run(SCRIPT, ["--version"], { env, cwd: folder });
    assert.equal(code, 0);
    assert.match(out, /^\d+\.\d+\.\d+\n$/);
  }));

Deno.test("it uses the executable beside it, in a folder with spaces in its name", () =>
  withFolder(async (folder) => {
    const copy = join(folder, "careem-mcp.sh");
    await Deno.copyFile(SCRIPT, copy);
    const executable = join(folder, "careem-mcp");
    await Deno.writeTextFile(executable, '#!/bin/sh\nprintf "[%s]" "$@"\nexit 7\n');
    await Deno.chmod(executable, 0o755);
    const { code, out } = await run(copy, ["call", "a b", '{"c": "$d"}']);
    assert.equal(out, '[call][a b][{"c": "$d"}]');
    assert.equal(code, 7, "the exit code is the program's");
  }));

Deno.test("without an executable or sources it says what is missing", () =>
  withFolder(async (folder) => {
    const copy = join(folder, "careem-mcp.sh");
    await Deno.copyFile(SCRIPT, copy);
    const { code, out, err } = await run(copy, ["start"]);
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(err, /^careem-mcp: there is no executable `careem-mcp` in .*\n$/);
  }));

Deno.test("exit codes are passed on", async () => {
  assert.equal((await run(SCRIPT, ["--help"])).code, 0);
  assert.equal((await run(SCRIPT, ["scenario", "no_such_tool", "x"])).code, 1);
  assert.equal((await run(SCRIPT, ["--no-such-flag"])).code, 2);
});

Deno.test("with --stdio, standard output carries the protocol alone", async () => {
  const child = new Deno.Command(SCRIPT, {
    args: ["--stdio"],
    env: ENVIRONMENT,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
  await writer.close();
  const { code, stdout } = await child.output();
  assert.equal(code, 0);
  assert.equal(new TextDecoder().decode(stdout), '{"jsonrpc":"2.0","id":1,"result":{}}\n');
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} reaches the program, which ends well`, async () => {
    const child = new Deno.Command(SCRIPT, {
      args: ["start", "--port", "0"],
      env: ENVIRONMENT,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const reader = child.stderr.getReader();
    await reader.read();
    child.kill(signal);
    while (!(await reader.read()).done);
    assert.equal((await child.status).code, 0);
  });
}

const hasNode = await run("npx", ["--version"], { env: {} }).then(
  ({ code }) => code === 0,
  () => false,
);
if (!hasNode) console.warn("Node.js is not here: starting with Deno from npm is not tested.");

Deno.test({
  name: "where only Node.js is, it gets Deno from npm, and signals still reach the program",
  ignore: !hasNode,
  async fn() {
    const node = (await run("bash", ["-c", "dirname $(command -v npx)"])).out.trim();
    const child = new Deno.Command(SCRIPT, {
      args: ["start", "--port", "0"],
      clearEnv: true,
      env: { PATH: `${node}:/usr/bin:/bin`, HOME: Deno.env.get("HOME") ?? "/" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    let log = "";
    while (!log.includes("is serving")) {
      const { done, value } = await reader.read();
      assert(!done, log);
      log += value;
    }
    child.kill("SIGTERM");
    while (!(await reader.read()).done);
    assert.equal((await child.status).code, 0);
  },
});

Deno.test("an exported CDPATH leads it nowhere else", async () => {
  const { code, out } = await run("bash", ["-c", `cd / && .${SCRIPT} --version`], {
    env: { ...ENVIRONMENT, CDPATH: `${ROOT}:/tmp:/` },
  });
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
});

Deno.test("a link of the executable's name to the script is no executable", () =>
  withFolder(async (folder) => {
    const copy = join(folder, "careem-mcp.sh");
    await Deno.copyFile(SCRIPT, copy);
    await Deno.symlink("careem-mcp.sh", join(folder, "careem-mcp"));
    for (const name of ["careem-mcp.sh", "careem-mcp"]) {
      const { code, err } = await run("timeout", ["10", join(folder, name), "start"]);
      assert.equal(code, 1);
      assert.match(err, /^careem-mcp: there is no executable `careem-mcp` in .*\n$/);
    }
  }));

Deno.test("DENO may be a path with spaces, and sh may start the script", () =>
  withFolder(async (folder) => {
    const deno = join(folder, "my deno");
    await Deno.symlink(Deno.execPath(), deno);
    for (const shell of ["sh", "bash"]) {
      const { code, out, err } = await run(shell, [SCRIPT, "--version"], { env: { DENO: deno } });
      assert.equal(code, 0, err);
      assert.match(out, /^\d+\.\d+\.\d+\n$/);
    }
    const empty = { clearEnv: true, env: { PATH: folder } };
    const { code, err } = await run("/bin/sh", [SCRIPT, "--version"], empty);
    if (code !== 0) assert.match(err, /^careem-mcp: /);
  }));

Deno.test("a DENO that cannot be run is named", async () => {
  for (const deno of ["/nonexistent/deno", "/nonexistent/deno --flag", " "]) {
    const { code, out, err } = await run(SCRIPT, ["start"], { env: { DENO: deno } });
    assert.deepEqual([code, out], [1, ""]);
    assert.equal(err, `careem-mcp: DENO names ${deno}, which cannot be run.\n`);
  }
});

Deno.test("a Deno that is too old is passed over for one from npm, or said to be too old", () =>
  withFolder(async (folder) => {
    const program = async (name: string, text: string): Promise<string> => {
      const path = join(folder, name);
      await Deno.mkdir(join(path, ".."), { recursive: true });
      await Deno.writeTextFile(path, `#!/bin/sh\n${text}\n`);
      await Deno.chmod(path, 0o755);
      return path;
    };
    const copy = join(folder, "careem-mcp.sh");
    await Deno.copyFile(SCRIPT, copy);
    await Deno.writeTextFile(join(folder, "main.ts"), "");
    const start = async (...paths: string[]): Promise<Outcome> =>
      await run("/bin/bash", [copy, "start"], {
        clearEnv: true,
        env: {
          PATH: [...paths.map((path) => join(folder, path)), join(folder, "basic")].join(":"),
        },
      });
    // The script's own needs, without any Deno or Node.js that is installed here.
    for (const name of ["dirname", "readlink", "mkdir"]) {
      await program(`basic/${name}`, `PATH=/usr/bin:/bin exec ${name} "$@"`);
    }
    const version = (text: string): string =>
      `if [ "$1" = --version ]; then echo "deno ${text} (stable)"; else echo "${text}"; fi`;
    await program("old/deno", version("2.7.9"));
    await program("new/deno", version("2.10.0"));
    await program("next/deno", version("3.0.1"));
    const fromNpm = await program("from npm", "echo npm");
    await program("npx/npx", `printf %s '${fromNpm.replaceAll("'", `'\\''`)}'`);

    assert.equal((await start("new")).out, "2.10.0\n");
    assert.equal((await start("next")).out, "3.0.1\n");
    const old = await start("old");
    assert.equal(old.code, 1);
    assert.match(old.err, /^careem-mcp: the Deno that is installed is too old; 2\.8 or newer is/);
    assert.match(old.err, /\nRun: deno upgrade, or get the careem-mcp executable\.\n$/);
    assert.equal((await start("old", "npx")).out, "npm\n");
    // A desktop client may start it later where npx is not on the PATH.
    assert.equal((await start()).out, "npm\n");
    await Deno.remove(join(folder, ".run"), { recursive: true });
    const none = await start();
    assert.match(none.err, /^careem-mcp: neither Deno nor Node\.js is installed\.\nGet Deno from/);
  }));

Deno.test("hints name the script as it was called", async () => {
  const [relative, whole] = await Promise.all([
    run("bash", ["-c", "./careem-mcp.sh scenarios no_such_tool"], { cwd: ROOT }),
    run(SCRIPT, ["reset", "--help"]),
  ]);
  assert.match(relative.err, /\nSee: \.\/careem-mcp\.sh scenarios --find tool\n$/);
  assert(whole.out.startsWith(`Usage: ${SCRIPT} reset `), whole.out);
  assert(whole.out.endsWith(`  ${SCRIPT} reset\n`), whole.out);
});

const shellcheck = await run("shellcheck", ["--version"]).then(() => true, () => false);
if (!shellcheck) console.warn("shellcheck is not here: the shell scripts are not linted.");

Deno.test({
  name: "shellcheck finds nothing in the shell scripts",
  ignore: !shellcheck,
  async fn() {
    const { code, out } = await run("shellcheck", [
      SCRIPT,
      join(ROOT, ".ci/run"),
      join(ROOT, "packaging/pack.sh"),
    ]);
    assert.equal(code, 0, out);
  },
});
