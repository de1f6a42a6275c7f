import assert from "node:assert/strict";
import fc from "fast-check";
import { readArguments } from "../../lib/cli/call_arguments.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: ["number", "null"] },
    either: { type: ["string", "integer"] },
    maybe: { type: ["string", "null"] },
    kind: { enum: ["a", "b"] },
    place: {
      type: "object",
      properties: { latitude: { type: "number" }, name: { type: "string" } },
    },
    options: {
      type: "array",
      items: { type: "object", properties: { id: { type: "string" }, n: { type: "integer" } } },
    },
    "dotted.name": { type: "string" },
  },
};

Deno.test("pairs become arguments of the types that the schema asks for", () => {
  const cases: [string[], JsonValue][] = [
    [[], {}],
    [["text=5"], { text: "5" }],
    [['text="quoted"'], { text: '"quoted"' }],
    [["text="], { text: "" }],
    [["text=a=b"], { text: "a=b" }],
    [["count=5"], { count: 5 }],
    [["count=five"], { count: "five" }],
    [["count=-5"], { count: -5 }],
    [["ratio=2", "maybe=null"], { ratio: 2, maybe: null }],
    [["ratio=null", "maybe=5"], { ratio: null, maybe: "5" }],
    [["either=5"], { either: 5 }],
    [["either=5.5"], { either: "5.5" }],
    [["either=true"], { either: "true" }],
    [["kind=5"], { kind: "5" }],
    [["unknown=true", "other=text"], { unknown: true, other: "text" }],
    [["unknown=[1,2]"], { unknown: [1, 2] }],
    [["place.latitude=25.1", "place.name=7"], { place: { latitude: 25.1, name: "7" } }],
    [['place={"latitude":1}'], { place: { latitude: 1 } }],
    [["options.0.id=5", "options.0.n=5", "options.1.id=x"], {
      options: [{ id: "5", n: 5 }, { id: "x" }],
    }],
    [["dotted.name=5"], { "dotted.name": "5" }],
    [["new.deep.key=1"], { new: { deep: { key: 1 } } }],
    [["new.0=1"], { new: { "0": 1 } }],
    [['{"text": 5}'], { text: 5 }],
    [["[1]"], [1]],
    [["5"], 5],
    [["null"], null],
  ];
  for (const [words, expected] of cases) {
    assert.deepEqual(readArguments(words, SCHEMA), expected, words.join(" "));
  }
});

Deno.test("what is no arguments is refused with what to write instead", () => {
  const cases: [string[], RegExp][] = [
    [["text"], /^`text` is neither key=value nor JSON\.\nWrite pairs/],
    [["=5"], /`=5` is neither/],
    [["text=a", "{}"], /^JSON must stand alone/],
    [['{"text": "a"}', "count=1"], /^JSON must stand alone/],
    [['{"text": "a=b"}', "count=1"], /^JSON must stand alone/],
    [["{text:", "5}"], /^JSON must stand alone: one text with all arguments, in quotes/],
    [['{"text": }'], /^the arguments: not valid JSON: value expected at line 1, column 10$/],
    [['{\n"a": 1,\n}'], /at line 3, column 1$/],
    [["text=a", "text=b"], /^`text` is given twice\.$/],
    [["place.latitude=1", "place=2"], /`place` is given twice/],
    [["place=2", "place.latitude=1"], /^`place\.latitude`: `place` has a value already\.$/],
    [["place..x=1"], /empty part/],
    [[".x=1"], /empty part/],
    [["options.1.id=x"], /^`options\.1\.id`: `1` should be 0, the next index of the list\.$/],
    [["options.x=1"], /`x` should be 0/],
  ];
  for (const [words, message] of cases) {
    assert.throws(() => readArguments(words, SCHEMA), { message });
  }
});

Deno.test("a key of any name is data, also one that objects are born with", () => {
  const args = readArguments(["__proto__=1", "constructor.x=2"], SCHEMA) as JsonObject;
  assert.deepEqual(Object.entries(args), [["__proto__", 1], ["constructor", { x: 2 }]]);
  assert.equal(Object.getPrototypeOf(args), Object.prototype);
});

Deno.test("any JSON object comes through whole, in one word and in pairs", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.jsonValue()), (value) => {
      const json = JSON.parse(JSON.stringify(value));
      assert.deepEqual(readArguments([JSON.stringify(json)], SCHEMA), json);
      const pairs = Object.entries(json).map(([key, member]) => `${key}=${JSON.stringify(member)}`);
      const expected = Object.fromEntries(Object.entries(json));
      assert.deepEqual(readArguments(pairs, { type: "object" }), expected);
    }),
  );
});
