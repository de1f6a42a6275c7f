import assert from "node:assert/strict";
import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { readFolder } from "../../lib/store/folder.ts";
import type { RenderEnvironment } from "../../lib/template/environment.ts";
import { renderTemplate } from "../../lib/template/render.ts";
import { renderJson } from "../../lib/template/render_json.ts";
import { scanTemplate } from "../../lib/template/scan.ts";
import { type Template, TemplateError } from "../../lib/template/template.ts";
import { encode, oneLine, type WireJson } from "../../lib/wire_json.ts";

const ENVIRONMENT: RenderEnvironment = {
  now: () => Date.UTC(2026, 9, 5, 12, 0, 0, 999),
  uuid: () => "00000000-0000-4000-8000-000000000000",
  randomInteger: (min) => min,
};

const decode = (parts: WireJson): string => new TextDecoder().decode(encode(parts));

/** Compares with what the value itself gives, the first time and again. */
function assertWritten(template: Template, args: JsonObject, message?: string): void {
  const value = renderTemplate(template, args, ENVIRONMENT);
  const text = JSON.stringify(value);
  for (let time = 0; time < 2; time++) {
    const { json, quoted, isObject } = renderJson(template, args, ENVIRONMENT);
    assert.equal(decode(json), oneLine(text), message);
    assert.equal(decode(quoted), oneLine(JSON.stringify(text)), message);
    assert.equal(isObject, isJsonObject(value), message);
  }
}

/** Whether nothing but the placeholders is rendered: then the template is parsed only once. */
function isCopied(source: string): boolean {
  const template = scanTemplate(source);
  renderJson(template, {}, ENVIRONMENT);
  const parse = JSON.parse;
  let parsed = 0;
  JSON.parse = (...given) => {
    parsed++;
    return parse(...given);
  };
  try {
    renderJson(template, {}, ENVIRONMENT);
  } finally {
    JSON.parse = parse;
  }
  return parsed === 0;
}

Deno.test("a template is written as the value that it renders to, to the letter", () => {
  const sources = [
    "null",
    "1.0",
    ' [ 1e2 , -0.0, 5e-324, 12345678901234567890 , "\\u0041\\/\\u00e9é" ] ',
    '{"b": 1, "2": 2, "1": 1, "b": {"c": {{args.n}}}, "__proto__": {"x": "{{args.s}}"}}',
    '{"a": {{uuid}}, "a": 1}',
    '{"{{args.s}}": 1, "text": 2}',
    '{"{{args.n}}": 1, "0": {{args.o}}}',
    '{"{{unix}}": 1, "{{rand:7-7}}": 2}',
    "{{args.o}}",
    '"{{args.o}}{{args.s}}-{{args.missing}}"',
    "[{{unix}}{{rand:10-20}}, -{{unixms}}, {{rand:5-5}}.5, {{rand:5-5}}e3]",
    '"\\ud83d{{args.low}}"',
    '"\\ud83d{{args.empty}}\\ude00"',
    '"{{args.high}}{{args.low}}"',
    '"{{args.high}}\\ude00"',
    '"\uE0000\uE002{{args.s}}\\ue0010\\uE002"',
    '{"\uE0000\uE002": "{{args.s}}", "a": "\uE0010\uE002"}',
    '"{{args.mark}}"',
    '{"at": "{{now+2h@20m|hhmm}}", "day": "{{now|daylabel}}", "id": "{{ uuid }}"}',
  ];
  const args = {
    n: -1.5e21,
    s: 'te"xt\\ {{now}} \u0000\u2028',
    o: { "2": ["\ud800", null], "1": { __proto__: null } },
    high: "\ud83d",
    low: "\ude00",
    empty: "",
    mark: "\uE0000\uE002",
  };
  for (const source of sources) assertWritten(scanTemplate(source), args, source);
});

const TEXT = fc.oneof(
  fc.constantFrom('"', "\\", "{{", "}}", "{{uuid}}", "\ud83d", "\ude00", "\uE0000\uE002", "é"),
  fc.constantFrom("__proto__", "0", "1", "a", "\n", "\u007f", "\u2028", "\u0085", "مطعم", "$1"),
  fc.string({ unit: "binary" }),
);
const VALUE = fc.jsonValue({ stringUnit: "binary", maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const ARGS = fc.record({ a: fc.oneof(TEXT, VALUE), b: fc.oneof(TEXT, VALUE), c: TEXT });

/** What a JSON string in a template may hold, in any of the ways to write it. */
const CONTENT = fc.array(
  fc.oneof(
    TEXT.map((text) => JSON.stringify(text).slice(1, -1).replaceAll("{{", "{\\u007b")),
    fc.constantFrom("{{args.a}}", "{{args.b}}", "{{ args.c }}", "{{uuid}}", "{{now}}"),
    fc.constantFrom("\\ud83d", "\\ude00", "\\u0041", "\\/", "\\ue000", "a"),
  ),
  { maxLength: 4 },
).map((parts) => `"${parts.join("")}"`);

const { TEMPLATE } = fc.letrec<{ TEMPLATE: string }>((tie) => ({
  TEMPLATE: fc.oneof(
    { maxDepth: 3 },
    CONTENT,
    fc.constantFrom(
      "{{args.a}}",
      "{{args.b}}",
      "{{rand:1-9}}",
      "{{unix}}{{rand:1-9}}",
      "-{{unix}}",
    ),
    fc.constantFrom("1.0", "-0", "1e400", "12345678901234567890", "null", "true"),
    fc.array(tie("TEMPLATE"), { maxLength: 3 }).map((items) => `[${items.join(" , ")}]`),
    fc.array(fc.tuple(CONTENT, tie("TEMPLATE")), { maxLength: 4 }).map((members) =>
      `{ ${members.map(([key, value]) => `${key}: ${value}`).join(",\n")} }`
    ),
  ),
}));

Deno.test("any template is written as its value, with any arguments", () => {
  fc.assert(
    fc.property(TEMPLATE, ARGS, ARGS, (source, first, second) => {
      let template: Template;
      try {
        template = scanTemplate(source);
        renderTemplate(template, first, ENVIRONMENT);
        renderTemplate(template, second, ENVIRONMENT);
      } catch (error) {
        if (error instanceof TemplateError) return fc.pre(false);
        throw error;
      }
      assertWritten(template, first);
      assertWritten(template, second);
    }),
    { numRuns: 1500 },
  );
});

Deno.test("what can be copied is not rendered again", () => {
  assert(isCopied("{}"));
  assert(isCopied('{"a": {{args.a}}, "b": ["{{now}} and {{uuid}}", {{rand:1-9}}], "c": 1.0}'));
  assert(!isCopied('{"{{args.a}}": 1}'));
  assert(!isCopied("{{unix}}{{rand:1-9}}"));
});

Deno.test("a template that is no JSON fails as it does when its value is rendered", () => {
  for (const source of ["", "{{args.a}", '{"a": {{args.a}}', '["{{args.a}}" x]']) {
    let expected: unknown;
    try {
      renderTemplate(scanTemplate(source), {}, ENVIRONMENT);
    } catch (error) {
      expected = error;
    }
    assert.throws(() => renderJson(scanTemplate(source), {}, ENVIRONMENT), expected as Error);
  }
});

Deno.test("every answer of the library is written as its value", () => {
  const { fixtures } = readFolder(new URL("../../tools", import.meta.url).pathname);
  assert(fixtures.size > 0);
  for (const { tool, scenarios } of fixtures.values()) {
    for (const { name, template, match = {} } of scenarios) {
      assertWritten(template, match, `${tool} ${name}`);
    }
  }
});
