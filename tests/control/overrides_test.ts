import assert from "node:assert/strict";
import { parseOverridesObject, readOverrides } from "../../lib/control/overrides.ts";

/** The text of an overrides file, and what a server obeys of it. */
const FILES: readonly (readonly [text: string, overrides: Readonly<Record<string, string>>])[] = [
  ["{}", {}],
  ['{"ride_book": "no-captains"}', { ride_book: "no-captains" }],
  [' \r\n{\r\n\t"a": "x",\r\n"b": "Y y"\r\n}\r\n', { a: "x", b: "Y y" }],
  ['\uFEFF{"a": "x"}', { a: "x" }],
  ['{"a": "x", "a": "y"}', { a: "y" }],
  ['{"a": "", "": "x"}', { a: "", "": "x" }],
  ['{"toString": "x", "constructor": "y"}', { toString: "x", constructor: "y" }],
  // Values that are no text are passed over, and the others kept.
  ['{"a": null, "b": 5, "c": true, "d": ["x"], "e": {"a": "x"}, "f": "x"}', { f: "x" }],
  // What is no JSON object holds no overrides.
  ["", {}],
  [" \n", {}],
  ["{", {}],
  ['{"a": "x",}', {}],
  ['{"a": "x"} trailing', {}],
  ['{"a": "x"}{"b": "y"}', {}],
  ["{a: 'x'}", {}],
  ['// note\n{"a": "x"}', {}],
  ["a: x", {}],
  ["null", {}],
  ["[]", {}],
  ['["a", "x"]', {}],
  ['[["a", "x"]]', {}],
  ['"a"', {}],
  ["5", {}],
  ["true", {}],
  ['\uFEFF\uFEFF{"a": "x"}', {}],
  ["\u0000", {}],
];

Deno.test("an overrides file is read with tolerance", () => {
  for (const [text, overrides] of FILES) {
    assert.deepEqual([...readOverrides(text)], Object.entries(overrides), JSON.stringify(text));
  }
});

Deno.test("a tool may have any name, `__proto__` too, and none is found by inheritance", () => {
  assert.deepEqual([...readOverrides('{"__proto__": "x"}')], [["__proto__", "x"]]);
  assert.equal(readOverrides("{}").get("toString"), undefined);
  assert.equal(readOverrides('{"__proto__": {"a": "x"}}').get("a"), undefined);
});

Deno.test("for editing, every entry of an object is kept as it is", () => {
  const text = '{"b":"x","a":null,"__proto__":{"c":[1]},"d":5}';
  assert.equal(JSON.stringify(parseOverridesObject(text)), text);
  assert.equal(JSON.stringify(parseOverridesObject(`\uFEFF${text}\r\n`)), text);
});

Deno.test("for editing, only an object will do", () => {
  for (const text of ["", "null", "[]", "[{}]", '"{}"', "5", "true", "{", "{} {}", "{'a': 1}"]) {
    assert.equal(parseOverridesObject(text), undefined, JSON.stringify(text));
  }
});
