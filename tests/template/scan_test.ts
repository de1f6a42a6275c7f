import assert from "node:assert/strict";
import fc from "fast-check";
import { scanTemplate } from "../../lib/template/scan.ts";
import { type PlaceholderSegment, TemplateError } from "../../lib/template/template.ts";

function placeholders(source: string): PlaceholderSegment[] {
  return scanTemplate(source).segments.filter((segment) => segment.kind === "placeholder");
}

/**
 * Template text without placeholders. A single brace is followed by a space, and the last backslash
 * escapes something, or is escaped.
 */
const TEXT = fc.array(
  fc.constantFrom('"', '\\"', "\\\\", "\\", '"', "a", "\n", " ", "{ ", "} ", ":", ",", "é", "😀"),
  { maxLength: 8 },
).map((pieces) => pieces.join("").replace(/(?<!\\)(?:\\\\)*\\$/, "$&\\"));

const PLACEHOLDER = fc.constantFrom(
  "{{uuid}}",
  "{{ args.a }}",
  "{{  now|hhmm  }}",
  "{{\trand:1-6\t}}",
);

const SOURCE = fc.array(fc.tuple(TEXT, PLACEHOLDER), { maxLength: 6 }).chain((pairs) =>
  TEXT.map((end) => pairs.flat().join("") + end)
);

/**
 * The second reading of "inside a string": what stands before the placeholder, with an ordinary
 * character for each earlier one, has an opening quotation mark left when all whole strings are
 * struck out.
 */
function standsInString(source: string, offset: number): boolean {
  const before = source.slice(0, offset).replace(/\{\{.*?\}\}/g, "x");
  return before.replace(/"(?:[^"\\]|\\[^])*"/g, "").includes('"');
}

Deno.test("a placeholder is inside a string when a string before it is still open", () => {
  const seen = { inside: 0, outside: 0 };
  fc.assert(
    fc.property(SOURCE, (source) => {
      for (const { inString, offset } of placeholders(source)) {
        assert.equal(inString, standsInString(source, offset), `at ${offset}`);
        seen[inString ? "inside" : "outside"]++;
      }
    }),
    { numRuns: 3000 },
  );
  assert(seen.inside > 500 && seen.outside > 500, JSON.stringify(seen));
});

Deno.test("the segments of a template are all of its text, in order", () => {
  fc.assert(
    fc.property(SOURCE, (source) => {
      let position = 0;
      for (const segment of scanTemplate(source).segments) {
        if (segment.kind === "text") {
          assert(segment.text !== "" && source.startsWith(segment.text, position));
          position += segment.text.length;
        } else {
          assert.equal(segment.offset, position);
          const text = source.slice(position, position + segment.length);
          assert(text.startsWith("{{") && text.endsWith("}}"), text);
          position += segment.length;
        }
      }
      assert.equal(position, source.length);
      assert.equal(placeholders(source).length, source.split("{{").length - 1);
    }),
  );
});

Deno.test("quotation marks are tracked by example", () => {
  const examples: readonly (readonly [source: string, inside: readonly boolean[]])[] = [
    ["{{uuid}}", [false]],
    ['"{{uuid}}"', [true]],
    ['"a {{uuid}} b {{uuid}}"', [true, true]],
    ['{"a": {{uuid}}, "b": "{{uuid}}"}', [false, true]],
    ['{"{{uuid}}": {{uuid}}}', [true, false]],
    ['["\\"{{uuid}}\\"", {{uuid}}]', [true, false]],
    ['["\\\\", {{uuid}}]', [false]],
    ['["\\\\\\"{{uuid}}"]', [true]],
    ['["\\\\\\\\", {{uuid}}, "{{uuid}}"]', [false, true]],
    ['["{{uuid}}", {{uuid}}, "{{uuid}}{{uuid}}", {{uuid}}{{uuid}}]', [
      true,
      false,
      true,
      true,
      false,
      false,
    ]],
    ['{"a": \'it\', "b": {{uuid}}}', [false]],
  ];
  for (const [source, inside] of examples) {
    assert.deepEqual(placeholders(source).map(({ inString }) => inString), inside, source);
  }
});

Deno.test("braces of JSON beside a placeholder are text", () => {
  const { segments } = scanTemplate('{"a":{"b":{{args.b}}}}');
  assert.deepEqual(segments, [
    { kind: "text", text: '{"a":{"b":' },
    {
      kind: "placeholder",
      expression: { kind: "args", path: ["b"] },
      inString: false,
      offset: 10,
      length: 10,
    },
    { kind: "text", text: "}}" },
  ]);
});

Deno.test("a template without placeholders is one text, an empty one is nothing", () => {
  assert.deepEqual(scanTemplate('{"a":{"b":1}}').segments, [{
    kind: "text",
    text: '{"a":{"b":1}}',
  }]);
  assert.deepEqual(scanTemplate("").segments, []);
});

Deno.test("spaces inside the braces do not matter", () => {
  for (const source of ["{{uuid}}", "{{ uuid }}", "{{   uuid}}", "{{uuid\t}}"]) {
    assert.deepEqual(placeholders(source)[0]?.expression, { kind: "uuid" }, source);
    assert.equal(placeholders(source)[0]?.length, source.length);
  }
});

Deno.test("a placeholder that is not closed or not known is refused where it opens", () => {
  const sources: readonly (readonly [source: string, offset: number, message: RegExp])[] = [
    ["{{", 0, /is not closed with `}}` on its line/],
    ['{"a": {{now', 6, /not closed/],
    ['{"a": {{now} }', 6, /not closed/],
    ['{"a": {{now\n}}', 6, /not closed/],
    ['["{{uuid}}",\n "{{now"\n, "{{uuid}}"]', 15, /not closed/],
    ["{{}}", 0, /unknown expression ``/],
    ["{{ }}", 0, /unknown expression ``/],
    ["[{{uuid}}, {{later}}]", 11, /unknown expression `later`/],
    ["{{{uuid}}}", 0, /unknown expression `{uuid`/],
    ["{{{{uuid}}}}", 0, /unknown expression `{{uuid`/],
    ['"{{ now + 1h }}"', 1, /`now \+ 1h` has spaces inside; write `now\+1h`/],
    ['[1, "{{now+1x}}"]', 5, /bad duration "1x"/],
    ['["a\\\\", "a\\{{uuid}}"]', 11, /write `\\\\` for a backslash/],
    ["[1,\r\n{{rand:2-1}}]", 5, /two non-negative integers/],
  ];
  for (const [source, offset, message] of sources) {
    assert.throws(() => scanTemplate(source), (error) => {
      assert(error instanceof TemplateError, String(error));
      assert.match(error.message, message);
      assert.equal(error.offset, offset, source);
      return true;
    }, source);
  }
});
