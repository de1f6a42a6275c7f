import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { compileSchema, schemaProblem } from "../../lib/schema/compile.ts";

const problems: [schema: JsonObject, problem: RegExp][] = [
  [{ minimum: "5" }, /^minimum value must be/],
  [{ type: "text" }, /^type must be JSONType .*: text$/],
  [{ properties: { a: 5 } }, /^\/properties\/a is no schema/],
  [{ properties: [] }, /^properties value must be/],
  [{ items: { allOf: [{}, null] } }, /^\/items\/allOf\/1 is no schema/],
  [{ required: "a" }, /^\/required must list names of properties$/],
  [{ dependentRequired: { a: [1] } }, /^\/dependentRequired must list names/],
  [{ pattern: "(" }, /^\/pattern: Invalid regular expression/],
  [{ patternProperties: { "[": {} } }, /^\/patternProperties: Invalid regular expression/],
  [{ $ref: "#/$defs/none" }, /^\$ref "#\/\$defs\/none" leads to no schema$/],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, /leads to no schema$/],
  [{ $ref: "#/title", title: "t" }, /leads to no schema$/],
  [{ $id: "https://[" }, /^"https:\/\/\[" is no URI reference$/],
  [{ not: { minimum: "5" } }, /^minimum value must be/],
  [{ if: {}, then: { type: "text" } }, /^type must be/],
];

for (const [schema, problem] of problems) {
  Deno.test(`does not compile: ${JSON.stringify(schema)}`, () => {
    assert.match(schemaProblem(schema) ?? "", problem);
    const validate = compileSchema(schema);
    assert.throws(() => validate({}), { message: problem });
    assert.throws(() => validate({}), { message: problem }, "the second time too");
  });
}

const accepted: JsonObject[] = [
  {},
  { $schema: "https://json-schema.org/draft/2020-12/schema" },
  { $schema: "https://example.com/a-draft-of-my-own" },
  { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
  { $id: "https://example.com/tool", type: "object" },
  { nullable: true },
  { id: "old", $async: true, discriminator: {}, "x-extra": { type: 5 } },
  { items: [{ type: "string" }] },
  { enum: [] },
  { description: null, format: "no-such-format" },
];

for (const schema of accepted) {
  Deno.test(`compiles: ${JSON.stringify(schema)}`, () => {
    assert.equal(schemaProblem(schema), undefined);
  });
}

Deno.test("formats are annotations", () => {
  assert.equal(compileSchema({ format: "date-time" })("no date"), undefined);
});

Deno.test("nothing is compiled before the first value", () => {
  assert.doesNotThrow(() => compileSchema({ type: "text" }));
});

Deno.test("schemas with equal $ids do not meet", () => {
  const text = compileSchema({ $id: "https://example.com/a", type: "string" });
  const number = compileSchema({ $id: "https://example.com/a", type: "number" });
  assert.equal(text("a") ?? number(1), undefined);
  assert.match(text(1) ?? "", /want "string"$/);
  assert.match(number("a") ?? "", /want "number"$/);
});

Deno.test("what objects inherit is no property", () => {
  const schema = { properties: { constructor: { type: "string" } }, required: ["constructor"] };
  assert.match(compileSchema(schema)({}) ?? "", /missing properties: \["constructor"\]$/);
  const open = compileSchema({ properties: { toString: { type: "string" } } });
  assert.equal(open({}), undefined);
});

Deno.test("values that look like objects of JavaScript compare as JSON", () => {
  const hostile = JSON.parse('[{"valueOf":1,"toString":2},{"toString":2,"valueOf":1},1]');
  assert.equal(
    compileSchema({ uniqueItems: true })(hostile),
    "validating root: uniqueItems: array items 1 and 0 are equal",
  );
  assert.equal(compileSchema({ enum: [hostile[0]] })(hostile[1]), undefined);
  assert.equal(compileSchema({ const: { constructor: {} } })({ constructor: {} }), undefined);
});

Deno.test("a property called __proto__ is additional like any other", () => {
  const validate = compileSchema({ additionalProperties: false });
  assert.equal(
    validate(JSON.parse('{"__proto__":{"a":1}}')),
    'validating root: unexpected additional properties ["__proto__"]',
  );
});

function nest(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

for (
  const schema of [
    { type: "string" },
    { enum: [1] },
    { uniqueItems: true, minItems: 1, items: { enum: [1] } },
    { items: { $ref: "#" }, type: "array" },
    { contains: false },
  ] as JsonObject[]
) {
  Deno.test(`a value nested too deeply is invalid: ${JSON.stringify(schema)}`, () => {
    assert.equal(compileSchema(schema)(nest(100_000)), "validating root: exceeded max depth");
  });
}

Deno.test("a reference that goes round in a circle ends", () => {
  assert.equal(compileSchema({ $ref: "#" })({}), "validating root: exceeded max depth");
});

Deno.test("a long array is searched for repeats in one pass", () => {
  const items = Array.from({ length: 200_000 }, (_, index) => ({ index }));
  assert.equal(compileSchema({ uniqueItems: true })(items), undefined);
});
