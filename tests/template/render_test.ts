import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { systemEnvironment } from "../../lib/template/environment.ts";
import { renderTemplate } from "../../lib/template/render.ts";
import type { RenderEnvironment } from "../../lib/template/environment.ts";
import { scanTemplate } from "../../lib/template/scan.ts";
import { TemplateError } from "../../lib/template/template.ts";

/** 5 October 2026, 12:00:00.999 UTC; ids and random numbers that count up. */
function fixedEnvironment(now = Date.UTC(2026, 9, 5, 12, 0, 0, 999)): RenderEnvironment {
  let ids = 0;
  let draws = 0;
  return {
    now: () => now,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    randomInteger: (min, max) => Math.min(max, min + draws++),
  };
}

function render(
  source: string,
  args: JsonObject = {},
  environment = fixedEnvironment(),
): JsonValue {
  return renderTemplate(scanTemplate(source), args, environment);
}

/** Compares JSON values exactly, keys that are special to JavaScript included. */
function assertSame(actual: JsonValue, expected: JsonValue, message?: string): void {
  assert.equal(JSON.stringify(actual), JSON.stringify(expected), message);
}

/** The text of a value inside a string (docs/SPEC.md, section 5). */
function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Texts that could break out of a template, or be taken for one. */
const NASTY = fc.oneof(
  fc.constantFrom('"', "\\", '\\"', "{{args.w}}", "{{", "}}", "{{uuid}}", "{{oops", '", "x": "'),
  fc.constantFrom("\u0000", "\u001f", "\n", "\r", "\t", "\b", "\u007f", "\u2028", "\u2029"),
  fc.constantFrom("\ud800", "\udc00", "\udfff\ud83d", "😀", "\uFEFF", "é", "مطعم", "\\u0041"),
  fc.constantFrom("__proto__", "constructor", "toString", "null", "true", "5", "$&", "$1", "</"),
  fc.string({ unit: "binary" }),
);

const STRING = fc.oneof(NASTY, fc.array(NASTY, { maxLength: 4 }).map((parts) => parts.join("")));

/**
 * A key. None ends in a backslash: the JSON parser of the JavaScript engine mistakes other keys for
 * such a one once it has seen it (https://issues.chromium.org/issues/521080746).
 */
const KEY = STRING.map((text) => text.replace(/\\$/, "\\."));

const { VALUE } = fc.letrec<{ VALUE: JsonValue }>((tie) => ({
  VALUE: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<JsonValue>(null, true, false),
    fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(1e21, 5e-324, -1.5, 1e300)),
    STRING,
    fc.array(tie("VALUE"), { maxLength: 4 }),
    // Building from entries makes `__proto__` a key like any other, as parsing JSON does.
    fc.array(fc.tuple(KEY, tie("VALUE")), { maxLength: 4 }).map((entries) =>
      Object.fromEntries(entries)
    ),
  ),
}));

/** The arguments that the generated templates draw on. */
const ARGS: fc.Arbitrary<JsonObject> = fc.tuple(VALUE, VALUE).map(([v, w]) => ({
  v,
  w,
  list: [v, { w }],
  __proto: { constructor: w },
}));

/** Paths into those arguments, with what is there. */
const PATHS: Readonly<Record<string, (args: JsonObject) => JsonValue>> = {
  "args.v": ({ v }) => v!,
  "args.w": ({ w }) => w!,
  "args.list.0": ({ v }) => v!,
  "args.list.1.w": ({ w }) => w!,
  "args.list": ({ list }) => list!,
  "args.__proto.constructor": ({ w }) => w!,
  "args.missing.x": () => null,
};

/** A piece of a template, and the value that it is to become. */
interface Piece<T> {
  readonly source: string;
  readonly value: (args: JsonObject) => T;
}

const PLACEHOLDER = fc.record({
  path: fc.constantFrom(...Object.keys(PATHS)),
  space: fc.constantFrom("", " ", "  "),
}).map(({ path, space }) => ({ source: `{{${space}${path}${space}}}`, value: PATHS[path]! }));

/** Text of the template's own: anything but its braces, which have no escape. */
const LITERAL = STRING.map((text) => text.replaceAll("{", "").replaceAll("}", ""));

const TEXT_PIECE: fc.Arbitrary<Piece<string>> = fc.array(
  fc.oneof(
    LITERAL.map((text) => ({ source: JSON.stringify(text).slice(1, -1), value: () => text })),
    PLACEHOLDER.map(({ source, value }) => ({
      source,
      value: (args: JsonObject) => textOf(value(args)),
    })),
  ),
  { maxLength: 4 },
).map((pieces) => ({
  source: `"${pieces.map(({ source }) => source).join("")}"`,
  value: (args) => pieces.map(({ value }) => value(args)).join(""),
}));

const { TEMPLATE } = fc.letrec<{ TEMPLATE: Piece<JsonValue> }>((tie) => ({
  TEMPLATE: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    PLACEHOLDER,
    TEXT_PIECE,
    fc.integer().map((number) => ({ source: String(number), value: () => number })),
    fc.array(tie("TEMPLATE"), { maxLength: 4 }).map((pieces) => ({
      source: `[${pieces.map(({ source }) => source).join(",\n")}]`,
      value: (args: JsonObject) => pieces.map(({ value }) => value(args)),
    })),
    fc.array(fc.tuple(TEXT_PIECE, tie("TEMPLATE")), { maxLength: 4 }).map((entries) => ({
      source: `{ ${
        entries.map(([key, { source }]) => `${key.source.replace(/"$/, '."')}:${source}`).join(", ")
      } }`,
      value: (args: JsonObject) =>
        Object.fromEntries(entries.map(([key, { value }]) => [`${key.value(args)}.`, value(args)])),
    })),
  ),
}));

Deno.test("any arguments in any places of any template become valid JSON that holds them", () => {
  fc.assert(
    fc.property(TEMPLATE, ARGS, (template, args) => {
      assertSame(render(template.source, args), template.value(args));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("a value is held unchanged as a bare value, and as its text inside a string", () => {
  fc.assert(
    fc.property(VALUE, (v) => {
      assertSame(render("{{args.v}}", { v }), v);
      assertSame(render('{"a":[{"b":{{args.v}}}]}', { v }), { a: [{ b: v }] });
      assertSame(render('"{{args.v}}"', { v }), textOf(v));
      assertSame(render('["say \\"{{args.v}}\\" \\\\{{args.v}}", {{args.v}}]', { v }), [
        `say "${textOf(v)}" \\${textOf(v)}`,
        v,
      ]);
      assertSame(render('{"{{args.v}}.": 1}', { v }), Object.fromEntries([[`${textOf(v)}.`, 1]]));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("a template whose backslash would escape what an argument begins with is refused", () => {
  // With `null` it reads `\n`, so rendering it with empty arguments finds nothing wrong with it.
  for (const source of ['"\\{{args.v}}"', '"a\\\\\\{{args.v}}"', '{"\\{{args.v}}": 1}']) {
    assert.throws(() => scanTemplate(source), TemplateError, source);
  }
  for (const source of ['"\\\\{{args.v}}"', '"\\n{{args.v}}"', '"\\"{{args.v}}"']) {
    assert.doesNotThrow(() => scanTemplate(source), source);
  }
});

Deno.test("values are inserted by context", () => {
  const args = {
    text: 'say "hi"\\\n',
    five: 5,
    yes: true,
    none: null,
    list: [1, "a"],
    map: { a: 1 },
  };
  const examples: readonly (readonly [source: string, value: JsonValue])[] = [
    ["{{args.text}}", args.text],
    ['"{{args.text}}"', args.text],
    ['"<{{args.text}}{{args.five}}>"', `<${args.text}5>`],
    ["[{{args.five}}, {{args.yes}}, {{args.none}}]", [5, true, null]],
    ['"{{args.five}} {{args.yes}} {{args.none}}"', "5 true null"],
    ['"{{args.list}} {{args.map}}"', '[1,"a"] {"a":1}'],
    ['{"a": {{args.list}}, "b": {{args.map}}}', { a: [1, "a"], b: { a: 1 } }],
    ['{"{{args.text}}": "{{args.list.1}}"}', { [args.text]: "a" }],
  ];
  for (const [source, value] of examples) assert.deepEqual(render(source, args), value, source);
});

Deno.test("a value that looks like a placeholder is not read again", () => {
  const args = { v: "{{args.w}} {{uuid}} {{oops}} {{", w: "secret" };
  assert.deepEqual(render('["{{args.v}}", {{args.v}}, "{{args.w}}"]', args), [
    args.v,
    args.v,
    "secret",
  ]);
  assert.deepEqual(render('"{{args.a}}{{args.b}}"', { a: "{", b: "{uuid}}" }), "{{uuid}}");
});

Deno.test("paths follow own properties and array indices only", () => {
  const args = JSON.parse(
    `{"list": [10, [20, {"x": 30}]], "text": "abc", "map": {"0": "zero", "length": 7, "a": null},
      "five": 5, "yes": true, "none": null, "": "empty", "own": {"__proto__": {"x": 1}, "constructor": 2}}`,
  );
  const paths: Readonly<Record<string, JsonValue>> = {
    "args.list.0": 10,
    "args.list.1.0": 20,
    "args.list.1.1.x": 30,
    "args.map.0": "zero",
    "args.map.length": 7,
    "args.map.a": null,
    "args.own.__proto__": { x: 1 },
    "args.own.__proto__.x": 1,
    "args.own.constructor": 2,
    ...Object.fromEntries(
      [
        ...["missing", "missing.x.y", "map.a.b", "map.b", "none.x"],
        ...[
          "__proto__",
          "__proto__.x",
          "constructor",
          "constructor.name",
          "toString",
          "hasOwnProperty",
        ],
        ...["__proto__.constructor", "map.__proto__", "map.constructor", "map.toString.name"],
        ...[
          "list.length",
          "list.2",
          "list.-1",
          "list.00",
          "list.01",
          "list.+1",
          "list.1e0",
          "list.x",
        ],
        ...[
          "list.0x0",
          "list.4294967296",
          "list.at",
          "list.map",
          "list.__proto__",
          "list.constructor",
        ],
        ...[
          "text.0",
          "text.length",
          "text.at",
          "five.toFixed",
          "five.0",
          "yes.valueOf",
          "list.0.0",
        ],
      ].map((path) => [`args.${path}`, null]),
    ),
  };
  for (const [path, value] of Object.entries(paths)) {
    assertSame(render(`{{${path}}}`, args), value, path);
  }
});

Deno.test("arguments without a prototype are walked like others", () => {
  const args: JsonObject = Object.assign(Object.create(null), { a: { b: 1 } });
  assert.deepEqual(render("[{{args.a.b}}, {{args.toString}}]", args), [1, null]);
});

Deno.test("times are those of the environment's clock", () => {
  const examples: readonly (readonly [source: string, value: JsonValue])[] = [
    ['"{{now}}"', "2026-10-05T12:00:00Z"],
    ["{{now}}", "2026-10-05T12:00:00Z"],
    ['"at {{ now+15m }}"', "at 2026-10-05T12:15:00Z"],
    ['"{{now-2h}}"', "2026-10-05T10:00:00Z"],
    ['"{{now+1h30m}}"', "2026-10-05T13:30:00Z"],
    ['"{{now+1ms}}"', "2026-10-05T12:00:01Z"],
    ['"{{now+2h10m@20m}}"', "2026-10-05T14:00:00Z"],
    ['"{{now+24h|date}} {{now|weekday}} {{now|hhmm}}"', "2026-10-06 Monday 16:00"],
    ['"{{now+96h|daylabel}}, {{now+2h10m@20m|hhmm}}"', "Fri, 9th Oct, 18:00"],
    ['"{{now+8h|date}}"', "2026-10-06"],
    ["[{{unix}}, {{unix+30m}}]", [1_791_201_600, 1_791_203_400]],
    ["[{{unixms}}, {{unixms-1s}}]", [1_791_201_600_999, 1_791_201_599_999]],
    ['"{{unix}}/{{unixms}}"', "1791201600/1791201600999"],
    ["{{unix+1ms}}", 1_791_201_601],
  ];
  for (const [source, value] of examples) assert.deepEqual(render(source), value, source);
});

Deno.test("unix times before 1970 are rounded down", () => {
  const environment = fixedEnvironment(-1);
  assert.deepEqual(render("[{{unix}}, {{unixms}}]", {}, environment), [-1, -1]);
});

Deno.test("all times of one rendering are one instant", () => {
  let reads = 0;
  const environment = { ...fixedEnvironment(), now: () => Date.UTC(2026, 0, 1) + 3600 * reads++ };
  const source = '["{{now}}", {{unixms}}, {{unix}}, "{{now|hhmm}}", {{unixms}}]';
  const first = ["2026-01-01T00:00:00Z", 1_767_225_600_000, 1_767_225_600, "04:00"];
  assert.deepEqual(render(source, {}, environment), [...first, 1_767_225_600_000]);
  assert.equal((render(source, {}, environment) as JsonValue[])[1], 1_767_225_603_600);
  assert.equal(reads, 2);
});

Deno.test("ids and random numbers are those of the environment, one a placeholder", () => {
  const id = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
  assert.deepEqual(
    render('{"a": {{uuid}}, "b": "x-{{uuid}}", "c": [{{rand:3-9}}, {{rand:3-9}}, "{{rand:0-0}}"]}'),
    { a: id(1), b: `x-${id(2)}`, c: [3, 4, "0"] },
  );
  const asked: number[][] = [];
  const environment = {
    ...fixedEnvironment(),
    randomInteger: (min: number, max: number) => (asked.push([min, max]), max),
  };
  assert.deepEqual(render("[{{rand:1-6}}, {{rand:0-9007199254740991}}]", {}, environment), [
    6,
    Number.MAX_SAFE_INTEGER,
  ]);
  assert.deepEqual(asked, [[1, 6], [0, Number.MAX_SAFE_INTEGER]]);
});

Deno.test("this machine's environment draws v4 ids and every number of a range", () => {
  const ids = new Set(Array.from({ length: 100 }, () => systemEnvironment.uuid()));
  assert.equal(ids.size, 100);
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  // The odds of missing one of three numbers in a thousand draws are below 1e-170.
  const drawn = new Set(Array.from({ length: 1000 }, () => systemEnvironment.randomInteger(5, 7)));
  assert.deepEqual([...drawn].sort(), [5, 6, 7]);
  for (let draw = 0; draw < 1000; draw++) {
    const number = systemEnvironment.randomInteger(0, Number.MAX_SAFE_INTEGER);
    assert(Number.isSafeInteger(number) && number >= 0, String(number));
    assert.equal(systemEnvironment.randomInteger(7, 7), 7);
  }
  const before = Date.now();
  const now = systemEnvironment.now();
  assert(Number.isInteger(now) && before <= now && now <= Date.now());
});

Deno.test("a template renders many times, each time anew", () => {
  const template = scanTemplate('{"id": {{args.id}}, "n": {{rand:1-9}}}');
  const environment = fixedEnvironment();
  assert.deepEqual(renderTemplate(template, { id: 1 }, environment), { id: 1, n: 1 });
  assert.deepEqual(renderTemplate(template, { id: [] }, environment), { id: [], n: 2 });
});

Deno.test("what is no JSON once rendered is refused at its place in the template", () => {
  const sources: readonly (readonly [source: string, offset: number])[] = [
    ["", 0],
    ["oops", 0],
    ['{"a": oops}', 6],
    ['{"id": {{uuid}}, "a": oops}', 22],
    ['["{{now}}", "{{uuid}}" oops]', 23],
    ["[1 {{args.v}}]", 3],
    ["[{{args.v}} {{uuid}}]", 12],
    ["[{{uuid}}{{uuid}}]", 9],
    ["[{{uuid}}", 9],
    ["[{{uuid}}, {{uuid}}\n", 20],
    ["{ {{args.v}}: 1 }", 2],
    ["{ {{args.v}} }", 2],
    ["[\n{{uuid}},\n]", 12],
    ["{{uuid}} {{uuid}}", 9],
  ];
  for (const [source, offset] of sources) {
    const template = scanTemplate(source);
    assert.throws(() => renderTemplate(template, {}, fixedEnvironment()), (error) => {
      assert(error instanceof TemplateError, String(error));
      assert.match(error.message, /^not valid JSON: /);
      assert.equal(error.offset, offset, source);
      return true;
    }, source);
  }
});
