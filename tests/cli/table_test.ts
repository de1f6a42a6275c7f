import assert from "node:assert/strict";
import fc from "fast-check";
import { displayWidth, layOut, truncate } from "../../lib/cli/table.ts";

Deno.test("columns are as wide as their widest cell, and lines end without spaces", () => {
  assert.deepEqual(layOut([["a", "bb", ""], ["ccc", "d", "e"], ["f"]]), [
    "a    bb",
    "ccc  d   e",
    "f",
  ]);
  assert.deepEqual(layOut([]), []);
});

Deno.test("the widest column gives way when the terminal is too narrow", () => {
  assert.deepEqual(layOut([["name", "a rather long explanation"]], 20), ["name  a rather long…"]);
  assert.deepEqual(layOut([["a", "twelve chars", "twelve chars"]], 25), [
    "a  twelve ch…  twelve ch…",
  ]);
});

Deno.test("the first column is never cut", () => {
  assert.deepEqual(layOut([["twelve chars", "twelve chars"]], 22), ["twelve chars  twelve …"]);
  assert.deepEqual(layOut([["twelve chars", "x"]], 5), ["twelve chars  x"]);
});

Deno.test("width is what a terminal shows: no paint, wide characters double, marks nothing", () => {
  const cases: [string, number][] = [
    ["plain", 5],
    ["\u001b[31mred\u001b[39m", 3],
    ["寿司", 4],
    ["Café", 4],
    ["Cafe\u0301", 4],
    ["🍣", 2],
    ["شاورما", 6],
  ];
  for (const [text, width] of cases) assert.equal(displayWidth(text), width, text);
  assert.equal(truncate("寿司と天ぷら", 6), "寿司…");
  assert.equal(truncate("寿司", 4), "寿司");
});

Deno.test("no line is wider than the terminal while its columns can give way", () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 30 }),
  );
  fc.assert(fc.property(
    fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 3 * 8 + 3 * 2, max: 120 }),
    (rows, width) => {
      const first = Math.max(...rows.map(([cell = ""]) => displayWidth(cell)));
      for (const line of layOut(rows, first + width)) {
        assert(displayWidth(line) <= first + width, line);
      }
    },
  ));
});
