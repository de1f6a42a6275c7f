import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonValue } from "../../lib/json.ts";
import { readArguments } from "../../lib/mcp/arguments.ts";

Deno.test("arguments are read as they are", () =>
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
    const given = args as Record<string, JsonValue>;
    assert.deepEqual(readArguments(given), { args: given });
  })));

Deno.test("half a surrogate pair is read as Go reads it, in names as well", () => {
  const half = JSON.parse('{"a":["\\ud800",{"\\udc00b":"x\\ud83d"}],"c":"\\ud83d\\ude00"}');
  assert.deepEqual(readArguments(half), {
    args: { a: ["\ufffd", { "\ufffdb": "x\ufffd" }], c: "😀" },
  });
});

Deno.test("what Go cannot read is told in its words", () => {
  const cases: [given: JsonValue, fault: string][] = [
    [[], 'cannot unmarshal "[]" into Go value of type map[string]interface {}'],
    ["x", 'cannot unmarshal "\\"x\\"" into Go value of type map[string]interface {}'],
    [
      JSON.parse('{"v":1e999}'),
      'cannot unmarshal "1e999" into Go struct field map[string]interface {}.v of type float64',
    ],
    [
      JSON.parse('{"x":"\\ud800","v":{"w":-1e999}}'),
      'cannot unmarshal "-1e999" into Go struct field ' +
      "map[string]interface {}map[string]interface {}.v.w of type float64",
    ],
    [
      JSON.parse('{"a":{"b":[1e999]}}'),
      'cannot unmarshal "1e999" into Go struct field map[string]interface {}' +
      "map[string]interface {}[]interface {}.a.b.0 of type float64",
    ],
  ];
  for (const [given, fault] of cases) {
    assert.deepEqual(readArguments(given), { fault: `unmarshaling arguments: json: ${fault}` });
  }
  assert.deepEqual(readArguments(null), { args: {} });
});
