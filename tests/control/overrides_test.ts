import assert from "node:assert/strict";
import {
  entryFor,
  FAULTS,
  parseOverrides,
  parseOverridesObject,
  stepAt,
} from "../../lib/control/overrides.ts";

/** The steps of each entry. */
function stepsIn(text: string): Record<string, unknown> {
  const { entries } = parseOverrides(text);
  return Object.fromEntries([...entries].map(([key, { steps }]) => [key, steps]));
}

Deno.test("a string forces a scenario, whatever stands around it", () => {
  const cases: [text: string, forced: Record<string, string>][] = [
    ["{}", {}],
    ['{"ride_book": "no-captains"}', { ride_book: "no-captains" }],
    [' \r\n{\r\n\t"a": "x",\r\n"b": "Y y"\r\n}\r\n', { a: "x", b: "Y y" }],
    ['\uFEFF{"a": "x"}', { a: "x" }],
    ['{"a": "x", "a": "y"}', { a: "y" }],
    ['{"a": "", "": "x"}', { a: "", "": "x" }],
    ['{"toString": "x", "constructor": "y"}', { toString: "x", constructor: "y" }],
    ['{"*": "x"}', { "*": "x" }],
  ];
  for (const [text, forced] of cases) {
    const expected = Object.entries(forced).map(([key, scenario]) => [key, [{ scenario }]]);
    assert.deepEqual(stepsIn(text), Object.fromEntries(expected), text);
    assert.deepEqual(parseOverrides(text).problems, [], text);
  }
  assert.deepEqual([...parseOverrides('{"__proto__": "x"}').entries.keys()], ["__proto__"]);
  assert.equal(parseOverrides("{}").entries.get("toString"), undefined);
});

Deno.test("objects and lists give delays, faults and one step a call", () => {
  const text = JSON.stringify({
    a: ["preparing", { scenario: "late", delay: "1m30s", times: 2 }, null],
    b: { fault: 503, times: 3, at: "2026-10-05T12:00:00.000Z" },
    c: { fault: "hang", delay: ".5s" },
    d: null,
    e: {},
    "*": { delay: "800ms" },
    "/": [{ fault: "404" }, { delay: "15s" }],
  });
  assert.deepEqual(stepsIn(text), {
    a: [{ scenario: "preparing" }, { scenario: "late", delayMs: 90_000, times: 2 }, {}],
    b: [{ fault: "503", times: 3, at: "2026-10-05T12:00:00.000Z" }],
    c: [{ fault: "hang", delayMs: 500 }],
    d: [{}],
    e: [{}],
    "*": [{ delayMs: 800 }],
    "/": [{ fault: "404" }, { delayMs: 15_000 }],
  });
  assert.deepEqual(parseOverrides(text).problems, []);
  for (const fault of FAULTS) {
    assert.deepEqual(stepsIn(JSON.stringify({ a: { fault } })), { a: [{ fault }] });
  }
  const overrides = parseOverrides(text);
  assert.deepEqual(entryFor(overrides, "d")?.steps, [{}], "null is an entry of its own");
  assert.deepEqual(entryFor(overrides, "z")?.steps, [{ delayMs: 800 }]);
});

Deno.test("an entry that cannot be understood forces nothing, and is told with what to do", () => {
  const cases: [value: unknown, problem: RegExp][] = [
    [5, /^`a`: write a scenario's name, .+ or a list of these; as it is, it forces nothing$/],
    [true, /^`a`: write a scenario's name/],
    [["x", ["y"]], /^`a`: write a scenario's name/],
    [[], /^`a`: an empty list forces nothing/],
    [
      { scenerio: "x" },
      /^`a`: `scenerio` is none of scenario, fault, delay, times, at, did you mean `scenario`\?/,
    ],
    [{ scenario: 5 }, /^`a`: the scenario's name must be a string/],
    [{ scenario: "x", fault: "hang" }, /^`a`: a scenario and a fault cannot both answer/],
    [
      { fault: "hung" },
      /^`a`: the fault "hung" is none of hang, drop, .+, cut, did you mean `hang`\?/,
    ],
    [{ fault: 418 }, /^`a`: the fault 418 is none of hang/],
    [{ fault: ["503"] }, /^`a`: the fault \["503"\] is none of/],
    [{ delay: 3 }, /^`a`: the delay 3 is no duration such as "800ms" or "3s"/],
    [{ delay: "3 s" }, /^`a`: the delay "3 s" is no duration/],
    [{ delay: "25h" }, /^`a`: the delay "25h" is no duration .+ of 24h at most/],
    [{ times: 0 }, /^`a`: `times` must be a whole number above zero/],
    [{ times: "2" }, /^`a`: `times` must be/],
    [{ at: 5 }, /^`a`: `at` must be a string/],
  ];
  for (const [value, problem] of cases) {
    const text = JSON.stringify({ a: value, b: "x" });
    const { problems, entries } = parseOverrides(text);
    assert.equal(problems.length, 1, text);
    assert.equal(problems[0]!.key, "a");
    assert.match(problems[0]!.message, problem);
    assert.deepEqual(entries.get("b")?.steps, [{ scenario: "x" }], "the others are kept");
    const steps = entries.get("a")?.steps ?? [{}];
    assert(steps.every(({ fault, delayMs }) => fault === undefined && delayMs === undefined));
  }
  const [places] = Object.values(stepsIn('{"a": ["x", 5, "y"]}'));
  assert.deepEqual(places, [{ scenario: "x" }, {}, { scenario: "y" }], "places stay");
  const { problems } = parseOverrides('{"/": "x", "\\u001b[31m": 5}');
  assert.match(problems[0]!.message, /^`\/`: `\/` is for requests, which have no scenario/);
  assert.match(problems[1]!.message, /^`\\u001b\[31m`: write/, "safe for terminals");
});

Deno.test("a file that is no JSON object forces nothing and says why; an empty one is none", () => {
  const cases: [text: string, why: RegExp][] = [
    ["{", /^is not a JSON object, so nothing is forced; mend or delete it$/],
    ['{"a": "x",}', /^is not a JSON object, which has no comma before its end, so nothing/],
    ['// note\n{"a": "x"}', /^is not a JSON object, which has no comments, so nothing/],
    ['{"a": "x"} trailing', /^is not a JSON object, so/],
    ['{"a": "x"}{"b": "y"}', /^is not a JSON object, so/],
    ["{a: 'x'}", /^is not a JSON object, so/],
    ["a: x", /^is not a JSON object, so/],
    ["null", /^is not a JSON object, so/],
    ["[]", /^is not a JSON object, so/],
    ['"a"', /^is not a JSON object, so/],
    ['\uFEFF\uFEFF{"a": "x"}', /^is not a JSON object, so/],
    // UTF-16, as it reads as UTF-8.
    ["\uFFFD\uFFFD{\u0000}\u0000", /^is not saved as UTF-8, so nothing is forced/],
  ];
  for (const [text, why] of cases) {
    const { entries, problems } = parseOverrides(text);
    assert.deepEqual([entries.size, problems.length], [0, 1], text);
    assert.equal(problems[0]!.key, undefined);
    assert.match(problems[0]!.message, why);
  }
  for (const text of ["", " \n"]) assert.deepEqual(parseOverrides(text).problems, []);
});

Deno.test("steps come one a call; the last one stays unless it ends", () => {
  const nth = (steps: Parameters<typeof stepAt>[0]) =>
    [0, 1, 2, 3, 4, 9].map((call) => stepAt(steps, call).scenario ?? "-").join(" ");
  const [a, b] = [{ scenario: "a" }, { scenario: "b" }];
  assert.equal(nth([a]), "a a a a a a");
  assert.equal(nth([a, b]), "a b b b b b");
  assert.equal(nth([a, a, b]), "a a b b b b");
  assert.equal(nth([{ ...a, times: 2 }, b]), "a a b b b b");
  assert.equal(nth([a, { ...b, times: 2 }]), "a b b - - -");
  assert.equal(nth([{ ...a, times: 3 }]), "a a a - - -");
  assert.equal(nth([{}, a]), "- a a a a a");
  assert.equal(nth([a, {}]), "a - - - - -");
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
