import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";
import { readLibrary } from "./_library.ts";

const fixtures = [...readLibrary().values()];

Deno.test("the library holds at least 32 tools and 150 scenarios", async (t) => {
  const started = performance.now();
  readLibrary();
  const milliseconds = Math.round(performance.now() - started);
  const scenarios = fixtures.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  const domains = new Set(fixtures.map(({ domain }) => domain));
  // The figures are in the steps' names, where every way of running the tests shows them.
  await t.step(`${fixtures.length} tools in ${domains.size} domains`, () => {
    assert(fixtures.length >= 32);
  });
  await t.step(`${scenarios} scenarios, parsed in ${milliseconds} ms`, () => {
    assert(scenarios >= 150);
  });
});

Deno.test("every tool is in the folder of its domain, in a file of its name", () => {
  for (const { path, domain, tool } of fixtures) {
    assert.equal(path, join(ROOT, "tools", domain, `${tool}.md`));
  }
});

Deno.test("docs/SOURCE.md tells how many files there are", () => {
  const [, n] = /^\*\*N = (\d+)\*\*/m.exec(sourceDocument()) ?? [];
  assert.equal(Number(n), fixtures.length);
});

Deno.test("docs/SOURCE.md lists every tool with the number of its scenarios", () => {
  const rows = [...sourceDocument().matchAll(/^\| `(\w+)` +\|.*\| (\d+) +\|$/gm)];
  const listed = Object.fromEntries(rows.map(([, tool, count]) => [tool, Number(count)]));
  const held = Object.fromEntries(fixtures.map(({ tool, scenarios }) => [tool, scenarios.length]));
  assert.deepEqual(listed, held);
});

Deno.test("tools/README.md names only stages that can be forced", () => {
  const readme = Deno.readTextFileSync(join(ROOT, "tools", "README.md"));
  const rows = [...readme.matchAll(/^\| ((?:`\w+_\w+`(?:, )?)+) \| (.*) \|$/gm)];
  assert(rows.length >= 5);
  for (const [, tools, stages] of rows) {
    for (const [, tool] of tools!.matchAll(/`(\w+)`/g)) {
      const names = fixtures.find((fixture) => fixture.tool === tool)!.scenarios.map((s) => s.name);
      for (const [, stage] of stages!.matchAll(/`([a-z0-9-]+)`/g)) {
        assert(names.includes(stage!), `${tool} has no scenario ${stage}`);
      }
    }
  }
});

function sourceDocument(): string {
  return Deno.readTextFileSync(join(ROOT, "docs", "SOURCE.md"));
}
