import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";

// careem-mcp.cmd cannot be run everywhere; what can be said of it by reading is said here.

const launcher = Deno.readTextFileSync(join(ROOT, "careem-mcp.cmd"));
const script = Deno.readTextFileSync(join(ROOT, "careem-mcp.sh"));
const lines = launcher.split("\r\n");

Deno.test("the Windows launcher has Windows line ends, without which cmd may lose its place", () => {
  assert.equal(launcher.replaceAll("\r\n", "").includes("\n"), false);
  assert.equal(lines.at(-1), "", "the last line is ended, too");
});

Deno.test("the Windows launcher prints nothing of its own to standard output", () => {
  assert.equal(lines[0], "@echo off");
  const echoes = lines.slice(1).filter((line) => /\becho /.test(line));
  assert(echoes.length > 0);
  for (const line of echoes) assert(line.startsWith(">&2 echo "), line);
  for (const line of lines.filter((line) => /\bwhere\b/.test(line))) {
    assert.match(line, /where \/q/);
  }
});

Deno.test("the Windows launcher looks for the executable, then the sources, then Deno, then npx", () => {
  const order = [
    'careem-mcp.exe" goto',
    'main.ts" goto',
    "defined DENO",
    "where /q deno",
    "where /q npx",
  ];
  const places = order.map((text) => launcher.indexOf(text));
  assert(places.every((place) => place > 0), places.join());
  assert.deepEqual(places, [...places].sort((a, b) => a - b));
});

Deno.test("the Windows launcher has no blocks, which a parenthesis in a folder's name would end", () => {
  for (const line of lines) assert.doesNotMatch(line, /\($|^\s*\)|\belse\b.*\(/, line);
});

Deno.test("every place that the Windows launcher goes to is there, and none is run into", () => {
  const goals = lines.flatMap((line) => /\bgoto (\w+)/.exec(line)?.[1] ?? []);
  assert(goals.length > 0);
  for (const goal of goals) {
    const at = lines.indexOf(`:${goal}`);
    assert(at > 0, goal);
    const before = lines.slice(0, at).findLast((line) => line !== "")!;
    // Where neither version is right, npx is what comes next.
    if (goal !== "npx") assert.match(before, /^exit \/b/, goal);
  }
});

Deno.test("both launchers start the sources with the same flags", () => {
  const flags = script.slice(script.lastIndexOf("run --quiet")).match(/--[\w-]+/g);
  assert.deepEqual(/run --quiet.*main\.ts/.exec(launcher)![0].match(/--[\w-]+/g), flags);
});

Deno.test("the Windows launcher passes every argument on, and the exit code back", () => {
  for (const start of ['"%HERE%careem-mcp.exe" %*', '"%HERE%main.ts" %*']) {
    const at = lines.findIndex((line) => line.endsWith(start));
    assert(at > 0, start);
    assert.equal(lines[at + 1]!.trim(), "exit /b");
  }
});
