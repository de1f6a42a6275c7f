import assert from "node:assert/strict";
import fc from "fast-check";
import { differences, differenceText, sameJson } from "../../lib/cli/json_difference.ts";
import type { JsonValue } from "../../lib/json.ts";

Deno.test("differences are found as deep down as they are", () => {
  const cases: [JsonValue, JsonValue, string[]][] = [
    [{ a: 1, b: [1] }, { b: [1], a: 1 }, []],
    [{ a: 1.0 }, { a: 1 }, []],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, ["~ a.b.c: 1 → 2"]],
    [{ a: 1 }, { b: 1 }, ["- a: 1", "+ b: 1"]],
    [{ required: ["a"] }, { required: ["a", "b"] }, ['~ required: ["a"] → ["a","b"]']],
    [{ l: [{ a: 1 }, { a: 2 }] }, { l: [{ a: 1 }, { a: 3 }] }, ["~ l.1.a: 2 → 3"]],
    [{ l: [{ a: 1 }] }, { l: [{ a: 1 }, { b: 1 }] }, ['+ l.1: {"b":1}']],
    [{ a: null }, { a: {} }, ["~ a: null → {}"]],
    [{ a: "\u001b[31m" }, {}, ['- a: "\\u001b[31m"']],
    [{ a: "x".repeat(100) }, {}, [`- a: "${"x".repeat(71)}…`]],
  ];
  for (const [before, after, expected] of cases) {
    assert.deepEqual(differences(before, after).map(differenceText), expected);
  }
});

Deno.test("there are differences exactly when the values are not the same JSON", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
    const [before, after] = [a, b].map((value) => JSON.parse(JSON.stringify(value)));
    assert.equal(differences(before, after).length === 0, sameJson(before, after));
    assert.equal(differences(before, before).length, 0);
  }));
});
