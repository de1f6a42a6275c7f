import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";

// What `careem-mcp.sh compile` refuses; tests/executable is about what it makes.

async function compile(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; err: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(ROOT, "packaging/compile.ts"), ...args],
    env: { NO_COLOR: "1", RUST_BACKTRACE: "1", ...env },
  }).output();
  return { code, err: new TextDecoder().decode(stderr) };
}

Deno.test("an unknown target is told at once, with those that there are", async () => {
  const { code, err } = await compile(["--target", "foo"]);
  assert.equal(code, 2);
  assert.match(err, /^careem-mcp: unknown target `foo`; known are aarch64-apple-darwin, .+\nSee: /);
  assert.equal(err.trimEnd().split("\n").length, 2, err);
  assert.throws(() => Deno.statSync(join(ROOT, "dist/foo")), Deno.errors.NotFound);
});

Deno.test("a DENORT_BIN that is no executable is named", async () => {
  const wrong = {
    "/nonexistent": "where there is no file",
    [ROOT]: "where there is no file",
    [join(ROOT, "README.md")]: "which is no executable",
  };
  for (const [path, problem] of Object.entries(wrong)) {
    const { code, err } = await compile([], { DENORT_BIN: path });
    assert.equal(code, 1);
    assert.equal(err, `careem-mcp: DENORT_BIN names ${path}, ${problem}.\n`);
  }
});

Deno.test("what does not start is not left behind, and the base is blamed", async () => {
  // Deno itself is an executable, and no base for any.
  const folder = await Deno.makeTempDir();
  const output = join(folder, "new", "deep", "careem-mcp");
  const { code, err } = await compile(["--output", output], { DENORT_BIN: Deno.execPath() });
  assert.equal(code, 1);
  const blame = `what was built does not start, so ${Deno.execPath()} is no base for Deno `;
  assert(err.startsWith(`careem-mcp: ${blame}`), err);
  assert.deepEqual([...Deno.readDirSync(folder)], []);
  await Deno.remove(folder);
});
