import assert from "node:assert/strict";
import { join } from "node:path";
import { libraryFiles, readLibrary, TOOLS } from "./_library.ts";

// A library that people can own is one that they can read.

const KILOBYTE = 1000;

Deno.test("the library is small enough for a person to own", async (t) => {
  const fixtures = [...readLibrary().values()];
  const files = libraryFiles().map((file) => ({
    file,
    bytes: Deno.statSync(join(TOOLS, file)).size,
  })).sort((a, b) => b.bytes - a.bytes);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const scenarios = fixtures.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  const [largest] = files;
  // The figures are in the steps' names, where a run shows them.
  await t.step(`${scenarios} scenarios of ${fixtures.length} tools, of at most 1,200`, () => {
    assert(scenarios <= 1200);
  });
  await t.step(`${kilobytes(bytes)} in all, of at most 1,200 kB`, () => {
    assert(bytes <= 1200 * KILOBYTE);
  });
  await t.step(`${kilobytes(largest!.bytes)} in ${largest!.file}, of at most 100 kB`, () => {
    assert(largest!.bytes <= 100 * KILOBYTE);
  });
});

function kilobytes(bytes: number): string {
  return `${(bytes / KILOBYTE).toFixed(1)} kB`;
}
