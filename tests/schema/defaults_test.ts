import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/json.ts";
import { applyDefaults } from "../../lib/schema/defaults.ts";

const nested: JsonObject = {
  properties: {
    opts: {
      properties: {
        unit: { default: "km" },
        deep: { properties: { n: { default: 1 } } },
      },
    },
  },
};

const cases: {
  name: string;
  schema: JsonObject;
  args: JsonObject;
  filled: JsonObject;
}[] = [
  {
    name: "a missing property",
    schema: { properties: { limit: { default: 10 } } },
    args: { a: 1 },
    filled: { a: 1, limit: 10 },
  },
  {
    name: "a present property stays, whatever its type",
    schema: { properties: { limit: { type: "integer", default: 10 } } },
    args: { limit: "5" },
    filled: { limit: "5" },
  },
  {
    name: "null is a value",
    schema: nested,
    args: { opts: null },
    filled: { opts: null },
  },
  {
    name: "a default of null is one",
    schema: { properties: { a: { default: null } } },
    args: {},
    filled: { a: null },
  },
  {
    name: "a required property gets none",
    schema: { properties: { a: { default: 1 } }, required: ["a"] },
    args: {},
    filled: {},
  },
  {
    name: "nothing below a required property, even a present one",
    schema: { ...nested, required: ["opts"] },
    args: { opts: {} },
    filled: { opts: {} },
  },
  {
    name: "missing objects are created",
    schema: nested,
    args: {},
    filled: { opts: { unit: "km", deep: { n: 1 } } },
  },
  {
    name: "present objects are completed",
    schema: nested,
    args: { opts: { unit: "mi", deep: {} } },
    filled: { opts: { unit: "mi", deep: { n: 1 } } },
  },
  {
    name: "an object is created for a default that is then passed over",
    schema: { properties: { o: { properties: { a: { default: 1 } }, required: ["a"] } } },
    args: {},
    filled: { o: {} },
  },
  {
    name: "a default object is completed",
    schema: { properties: { o: { default: { a: 1 }, properties: { b: { default: 2 } } } } },
    args: {},
    filled: { o: { a: 1, b: 2 } },
  },
  {
    name: "not inside arrays",
    schema: { properties: { l: { items: { properties: { a: { default: 1 } } } } } },
    args: { l: [{}] },
    filled: { l: [{}] },
  },
  {
    name: "not through references or combinations",
    schema: {
      properties: { p: { $ref: "#/$defs/p" } },
      allOf: [{ properties: { a: { default: 1 } } }],
      $defs: { p: { default: 1 } },
    },
    args: {},
    filled: {},
  },
  {
    name: "not in place of an object",
    schema: nested,
    args: { opts: "text" },
    filled: { opts: "text" },
  },
  {
    name: "schemas that are booleans, and keywords of the wrong shape",
    schema: { properties: { a: true, b: { default: 1 } }, required: "b" },
    args: {},
    filled: { b: 1 },
  },
];

for (const { name, schema, args, filled } of cases) {
  Deno.test(`defaults: ${name}`, () => {
    assert.deepEqual(applyDefaults(schema, args), filled);
  });
}

Deno.test("defaults: a schema that has none returns the arguments themselves", () => {
  const args = { a: { b: 1 } };
  const schema = { properties: { a: { properties: { b: {} } } } };
  assert.equal(applyDefaults(schema, args), args);
});

Deno.test("defaults: a property called __proto__ is a property", () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"default":{"a":1}}}}');
  const filled = applyDefaults(schema, {});
  assert.deepEqual(Object.keys(filled), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(filled), Object.prototype);
  assert.equal("a" in filled, false);

  const args = JSON.parse('{"__proto__":5}');
  assert.equal(JSON.stringify(applyDefaults(schema, args)), '{"__proto__":5}');
});

Deno.test("defaults: what objects inherit is not there", () => {
  const schema = { properties: { constructor: { default: 1 }, toString: { default: 2 } } };
  assert.equal(JSON.stringify(applyDefaults(schema, {})), '{"constructor":1,"toString":2}');
});

Deno.test("defaults: the schema's own default is never handed out", () => {
  const schema = { properties: { list: { default: [1] } } };
  const { list } = applyDefaults(schema, {});
  (list as number[]).push(2);
  assert.deepEqual(schema, { properties: { list: { default: [1] } } });
});
