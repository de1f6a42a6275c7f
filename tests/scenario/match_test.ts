import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonValue } from "../../lib/json.ts";
import { matches } from "../../lib/scenario/match.ts";

/** A key that is special to JavaScript, as parsing JSON makes it. */
function json(text: string): JsonValue {
  return JSON.parse(text);
}

/** The rows of the table of docs/SPEC.md, section 4: a rule, what matches it and what does not. */
const TABLE: readonly {
  readonly want: JsonValue;
  readonly yes: readonly JsonValue[];
  readonly no: readonly JsonValue[];
}[] = [
  // Objects: every key of the rule, recursively; further keys do not matter.
  { want: {}, yes: [{}, { a: 1 }], no: [null, [], "", "{}", 0, true, [{}]] },
  {
    want: { a: 1 },
    yes: [{ a: 1 }, { b: 2, a: 1 }],
    no: [{}, { a: 2 }, { a: "1" }, { A: 1 }, { a: null }, [1], { b: { a: 1 } }, '{"a":1}'],
  },
  { want: { a: 1, b: "x" }, yes: [{ b: "X", a: 1, c: null }], no: [{ a: 1 }, { b: "x" }, {}] },
  {
    want: { a: { b: { c: "~x" } } },
    yes: [{ a: { b: { c: "axb", d: 1 }, e: 1 } }],
    no: [{ a: { b: {} } }, { a: { b: "x" } }, { a: { c: "x" } }, { a: null }, { a: [{ b: 1 }] }],
  },
  // An absent key never matches, whatever the rule says of it.
  {
    want: { a: null },
    yes: [{ a: null }],
    no: [{}, { b: null }, { a: 0 }, { a: "" }, { a: "null" }],
  },
  { want: { a: "*" }, yes: [{ a: "" }, { a: 0 }, { a: false }, { a: {} }], no: [{}, { a: null }] },
  { want: { a: "~" }, yes: [{ a: "" }, { a: [] }], no: [{}, { a: null }] },
  { want: { a: [] }, yes: [{ a: [] }, { a: [1] }], no: [{}, { a: {} }] },
  { want: { a: {} }, yes: [{ a: {} }], no: [{}, { a: [] }] },
  // Only own keys count, in the rule and in the arguments.
  { want: { toString: "*" }, yes: [{ toString: 1 }], no: [{}] },
  { want: { constructor: "~object" }, yes: [{ constructor: "Object" }], no: [{}] },
  { want: { length: "*" }, yes: [{ length: 0 }], no: [{}, [1]] },
  {
    want: json('{"__proto__": {"a": 1}}'),
    yes: [json('{"__proto__": {"a": 1, "b": 2}}')],
    no: [{}, { a: 1 }, json('{"__proto__": {"a": 2}}'), json('{"__proto__": null}')],
  },
  { want: json('{"__proto__": "*"}'), yes: [json('{"__proto__": 0}')], no: [{}] },
  // Arrays: every element of the rule matches some element.
  { want: [], yes: [[], [1], [null]], no: [null, {}, "", "[]", 0] },
  { want: [1], yes: [[1], [2, 1]], no: [[], [2], ["1"], [[1]], { 0: 1 }, 1, "[1]"] },
  { want: [1, 1], yes: [[1]], no: [[2]] },
  { want: [2, 1], yes: [[1, 2], [1, 3, 2]], no: [[1], [2], [3]] },
  { want: ["*"], yes: [[0], [null, ""]], no: [[], [null]] },
  { want: [null], yes: [[null], [1, null]], no: [[], [1], ["null"]] },
  { want: [[]], yes: [[[]], [1, [2]]], no: [[], [1], [{}]] },
  { want: [["a"]], yes: [[["A", "b"]]], no: [["a"], [[]]] },
  {
    want: [{ id: "=a" }, { id: "b", n: 1 }],
    yes: [[{ id: "B", n: 1 }, { id: "A" }], [{ id: "a" }, { id: "b", n: 1, m: 2 }, 3]],
    no: [[{ id: "a" }], [{ id: "a" }, { id: "b" }], [{ id: "b" }, { n: 1 }]],
  },
  // "*": anything but null.
  { want: "*", yes: ["", "*", "x", 0, false, [], {}], no: [null] },
  // "~text": contains, without regard to case.
  { want: "~", yes: ["", "x", 0, false, [], {}], no: [null] },
  {
    want: "~SuShi",
    yes: ["sushi", "Best SUSHI near me", ["sushi"], { sushi: 1 }],
    no: ["sush", ""],
  },
  { want: "~5", yes: [5, 15, -0.5, "5", [1, 5], { a: 5 }], no: [6, "six", null] },
  { want: "~ru", yes: [true, "TRUE", [true]], no: [false, null] },
  { want: "~null", yes: ["null", [null], { a: null }], no: [null, "nul"] },
  { want: "~:1", yes: [{ a: 1 }, { a: 10 }], no: [{ a: 2 }, [1]] },
  { want: "~*", yes: ["*", "a*b"], no: ["a", ""] },
  { want: "~~", yes: ["~", "a~b"], no: ["a", ""] },
  { want: "~=", yes: ["=", "a=b"], no: ["a"] },
  { want: "~.", yes: ["a.b", 1.5], no: ["ab", 15] },
  { want: "~CAFÉ", yes: ["Morning Syrniki Café"], no: ["cafe"] },
  { want: "~ a", yes: ["b A"], no: ["a"] },
  // "=text": equals, without regard to case.
  { want: "=", yes: [""], no: [null, " ", "=", 0, [], {}] },
  { want: "=*", yes: ["*"], no: ["", "x", "=*", null] },
  { want: "=~x", yes: ["~x", "~X"], no: ["x", "axb"] },
  { want: "==x", yes: ["=x", "=X"], no: ["x"] },
  { want: "=5", yes: [5, "5"], no: [50, "=5", null] },
  { want: "=NULL", yes: ["null"], no: [null, [null]] },
  { want: "=Été", yes: ["été", "ÉTÉ"], no: ["ete"] },
  { want: '={"A":1}', yes: [{ a: 1 }, '{"a":1}'], no: [{ a: 1, b: 2 }, '{"a": 1}', { a: "1" }] },
  { want: '=[1,"A"]', yes: [[1, "a"]], no: [["a", 1], [1]] },
  // Any other string: the same.
  { want: "", yes: [""], no: [null, " ", 0, false, [], {}] },
  { want: "5", yes: [5, "5"], no: [5.5, 55, "05", " 5", [5], null] },
  { want: "5.0", yes: ["5.0"], no: [5] },
  { want: "1e+21", yes: [1e21, "1E+21"], no: [1e20] },
  { want: "TRUE", yes: [true, "true"], no: [false, "tru", null] },
  { want: "false", yes: [false, "False"], no: [true, 0, null, ""] },
  { want: "null", yes: ["null", "NULL"], no: [null] },
  { want: "Sushi", yes: ["sushi", "SUSHI"], no: ["sushi ", "sush", ["sushi"]] },
  { want: '{"a":1}', yes: [{ a: 1 }], no: [{ a: 2 }, { a: 1, b: 1 }] },
  { want: "[]", yes: [[], "[]"], no: [[1], {}] },
  { want: "**", yes: ["**"], no: ["*", "x"] },
  { want: "* ", yes: ["* "], no: ["x"] },
  { want: " ~x", yes: [" ~X"], no: ["x"] },
  { want: "a.c", yes: ["A.C"], no: ["abc"] },
  // Numbers, booleans and null: the same value.
  { want: 5, yes: [5, 5.0], no: ["5", 5.5, -5, [5], null, true] },
  { want: 0, yes: [0, -0], no: [false, null, "", "0", []] },
  { want: 25.0866, yes: [25.0866], no: [25.08661, 25, "25.0866"] },
  { want: true, yes: [true], no: [false, 1, "true", null] },
  { want: false, yes: [false], no: [true, 0, "false", "", null] },
  { want: null, yes: [null], no: [0, false, "", "null", [], {}] },
];

Deno.test("a rule matches what its row of the table says, and nothing else", () => {
  for (const { want, yes, no } of TABLE) {
    const rule = JSON.stringify(want);
    for (const got of yes) assert(matches(want, got), `${rule} matches ${JSON.stringify(got)}`);
    for (const got of no) assert(!matches(want, got), `${rule} refuses ${JSON.stringify(got)}`);
    // Where a rule stands makes no difference.
    for (const got of yes) assert(matches({ k: [want] }, { k: [null, got] }), rule);
    for (const got of no) assert(!matches({ k: { l: want } }, { k: { l: got } }), rule);
  }
});

/**
 * The table once more, written as the reasons against a match: the first key, element or text that
 * a rule misses. Texts are compared by a case-insensitive regular expression.
 */
function* misses(want: JsonValue, got: JsonValue): Generator<string> {
  const kind = (value: JsonValue) =>
    value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  switch (kind(want)) {
    case "object": {
      if (kind(got) !== "object") return yield "no object";
      const present = new Map(Object.entries(got as object));
      for (const [key, part] of Object.entries(want as object)) {
        if (!present.has(key)) yield `no ${key}`;
        else yield* misses(part, present.get(key));
      }
      return;
    }
    case "array": {
      if (kind(got) !== "array") return yield "no array";
      for (const part of want as JsonValue[]) {
        const outcomes = (got as JsonValue[]).map((candidate) => [...misses(part, candidate)]);
        if (outcomes.filter((outcome) => outcome.length === 0).length === 0) yield "no element";
      }
      return;
    }
    case "string": {
      if (got === null) return yield "null";
      const [, mark, literal] = /^([*~=]?)([^]*)$/.exec(want as string)!;
      if (mark === "*" && literal === "") return;
      const text = mark === "*" ? `*${literal}` : literal!;
      const escaped = text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
      const pattern = new RegExp(mark === "~" ? escaped : `^(?:${escaped})$`, "i");
      if (!pattern.test(kind(got) === "string" ? got as string : JSON.stringify(got))) {
        yield "other text";
      }
      return;
    }
    default:
      if (JSON.stringify(want) !== JSON.stringify(got)) yield "another value";
  }
}

const STRINGS = [
  ...["", "a", "A", "ab", "AB", "bA", "b", "é", "É", "caFÉ", "مطعم", "a b", " ", "a.b", "\\", '"'],
  ...[
    "*",
    "**",
    "=*",
    "~*",
    "~",
    "=",
    "~~",
    "==",
    "=~a",
    "~a",
    "~A",
    "=a",
    "=AB",
    "~b",
    "~é",
    "~,",
  ],
  ...["1", "~1", "=1", "true", "~ru", "null", "~null", "1.5", "~.", "[]", "{}", "=[]", '{"a":1}'],
  ...["~:", '~"', '=["a"]', '~"A"', "a\nb", "~\n", "[", "~[", "(", "a$"],
];
const KEYS = ["a", "b", "A", "", "__proto__", "toString", "length", "0"];

const { VALUE } = fc.letrec<{ VALUE: JsonValue }>((tie) => ({
  VALUE: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 3, arbitrary: fc.constantFrom(...STRINGS) },
    { weight: 2, arbitrary: fc.constantFrom<JsonValue>(0, 1, 1.5, -1, true, false, null) },
    { weight: 2, arbitrary: fc.array(tie("VALUE"), { maxLength: 3 }) },
    {
      weight: 3,
      arbitrary: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie("VALUE")), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries)),
    },
  ),
}));

/** A value and a rule made from it by asking for less, or for something else in places. */
const PAIR = VALUE.chain((got) =>
  fc.infiniteStream(fc.nat({ max: 11 })).map((choices) => {
    const next = () => choices.next().value!;
    const weaken = (value: JsonValue): JsonValue => {
      const choice = next();
      if (choice === 0) return "*";
      if (choice === 1) return STRINGS[next() * 4 % STRINGS.length]!;
      if (Array.isArray(value)) return value.filter(() => next() > 2).map(weaken).reverse();
      if (typeof value === "object" && value !== null) {
        const kept = Object.entries(value).filter(() => next() > 2);
        return Object.fromEntries(kept.map(([key, part]) => [key, weaken(part)]));
      }
      if (typeof value !== "string") return choice < 4 ? String(value) : value;
      if (choice < 4) return `~${value.slice(next() % 3).toUpperCase()}`;
      return choice < 7 ? `=${value.toUpperCase()}` : value;
    };
    return [weaken(got), got] as const;
  })
);

Deno.test("a second reading of the table agrees", () => {
  const seen = { yes: 0, no: 0 };
  const agree = (want: JsonValue, got: JsonValue) => {
    const expected = misses(want, got).next().done === true;
    seen[expected ? "yes" : "no"]++;
    assert.equal(matches(want, got), expected, JSON.stringify([want, got]));
  };
  fc.assert(fc.property(VALUE, VALUE, agree), { numRuns: 2000 });
  fc.assert(fc.property(PAIR, ([want, got]) => agree(want, got)), { numRuns: 4000 });
  for (const want of STRINGS) for (const got of STRINGS) agree(want, got);
  assert(seen.yes > 1500 && seen.no > 1500, JSON.stringify(seen));
});

Deno.test("matching changes neither the rule nor the arguments", () => {
  const freeze = (value: JsonValue): JsonValue => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
    Object.freeze(value);
    return value;
  };
  const want = freeze({ a: [{ b: "~X" }, null], c: "*" });
  const got = freeze({ a: [null, { b: "axb" }], c: 0, d: 1 });
  assert(matches(want, got));
});
