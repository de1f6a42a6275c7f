import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { mismatches } from "../../lib/scenario/explain_mismatch.ts";
import { matches } from "../../lib/scenario/match.ts";

Deno.test("every part of a rule that does not fit is named, with what is there", () => {
  const cases: [JsonObject, JsonValue, unknown[]][] = [
    [{ a: "x" }, { a: "X" }, []],
    [{ a: "x", b: 1 }, { a: "y" }, [
      { path: "a", want: "x", got: "y" },
      { path: "b", want: 1 },
    ]],
    [{ at: { lat: 25, lon: "*" } }, { at: { lat: 26, lon: null } }, [
      { path: "at.lat", want: 25, got: 26 },
      { path: "at.lon", want: "*", got: null },
    ]],
    [{ at: { lat: 25 } }, { at: 5 }, [{ path: "at", want: { lat: 25 }, got: 5 }]],
    [{ items: [{ id: "a" }, { id: "b" }] }, { items: [{ id: "a", n: 1 }] }, [
      { path: "items[]", want: { id: "b" }, got: [{ id: "a", n: 1 }] },
    ]],
    [{ toString: "*" }, {}, [{ path: "toString", want: "*" }]],
    [{ a: 1 }, [], [{ path: "", want: { a: 1 }, got: [] }]],
  ];
  for (const [rule, args, expected] of cases) assert.deepEqual(mismatches(rule, args), expected);
});

Deno.test("nothing is named where the rule matches, and something where it does not", () => {
  const value = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, true, 1, "a", "~a", "*", "=a", "A b"),
      fc.array(tie("json"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("json"), { maxKeys: 2 }),
    ),
  })).json as fc.Arbitrary<JsonValue>;
  const object = fc.dictionary(fc.constantFrom("a", "b"), value, { maxKeys: 2 });
  fc.assert(fc.property(object, object, (rule, args) => {
    assert.equal(mismatches(rule, args).length === 0, matches(rule, args));
  }));
});
