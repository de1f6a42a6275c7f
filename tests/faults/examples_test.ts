import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";

// The examples of docs/TESTING.md, run as their readers run them.

const EXAMPLES = join(ROOT, "docs/examples");
const ENVIRONMENT = {
  CAREEM_MCP: join(ROOT, "careem-mcp.sh"),
  DENO: Deno.execPath(),
  NO_COLOR: "1",
};

async function run(command: string, args: string[], cwd = EXAMPLES): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd,
    env: ENVIRONMENT,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  assert.equal(code, 0, text(stdout) + text(stderr));
  return text(stdout) + text(stderr);
}

async function isThere(command: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output())
      .success;
  } catch {
    return false;
  }
}

Deno.test("the shell script", async () => {
  assert.match(await run("bash", ["agent.sh"]), /the agent tried again, and ordered nothing\n/);
});

Deno.test("the test for `deno test`", async () => {
  const flags = ["test", "-A", "--no-check", "--config", join(ROOT, "tests/deno.json")];
  assert.match(await run(Deno.execPath(), [...flags, "agent_test.ts"]), /1 passed/);
});

const pytest = await isThere("python3", "-m", "pytest", "--version");
if (!pytest) console.warn("pytest is not here: its example is not tested.");

Deno.test({ name: "the fixture for pytest", ignore: !pytest }, async () => {
  const flags = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_agent.py"];
  assert.match(await run("python3", flags), /1 passed/);
});

const vitest = await isThere("vitest", "--version");
if (!vitest) console.warn("vitest is not here: its example is not tested.");

Deno.test({ name: "the test for vitest", ignore: !vitest }, async () => {
  // It leaves a cache beside what it runs.
  const folder = await Deno.makeTempDir();
  await Deno.copyFile(join(EXAMPLES, "agent.test.mjs"), join(folder, "agent.test.mjs"));
  assert.match(await run("vitest", ["run", "agent.test.mjs"], folder), /1 passed/);
  await Deno.remove(folder, { recursive: true });
});
