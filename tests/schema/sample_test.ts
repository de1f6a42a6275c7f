import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { compileSchema } from "../../lib/schema/compile.ts";
import { sampleArguments, sampleValue } from "../../lib/schema/sample.ts";

const values: [schema: JsonObject, sample: JsonValue][] = [
  [{}, "sample"],
  [{ type: "string" }, "sample"],
  [{ type: "string", minLength: 8 }, "samplesa"],
  [{ type: "string", maxLength: 3 }, "sam"],
  [{ type: "string", pattern: "^\\d+$", examples: ["x", "42"] }, "42"],
  [{ type: "string", examples: ["Maki"] }, "Maki"],
  [{ type: "integer", minimum: 5, examples: [null, "7", 4, 7] }, 7],
  [{ type: "string", pattern: "^[a-z]+$" }, "sample"],
  [{ type: "string", maxLength: 2, examples: ["abc", "ab"] }, "ab"],
  [{ type: "string", default: "car", enum: ["bus"] }, "car"],
  [{ enum: [null, "b"], const: "c" }, "b"],
  [{ const: "c" }, "c"],
  [{ const: false }, false],
  [{ const: null }, null],
  [{ enum: [null] }, null],
  [{ type: "integer" }, 1],
  [{ type: "integer", minimum: 5 }, 5],
  [{ type: "integer", minimum: 0.5 }, 1],
  [{ type: "integer", exclusiveMinimum: 5 }, 6],
  [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
  [{ type: "integer", multipleOf: 5 }, 5],
  [{ type: "integer", multipleOf: 5, minimum: 7 }, 10],
  [{ type: "number", maximum: -5 }, -5],
  [{ type: "number", exclusiveMaximum: 0 }, -1],
  [{ maximum: 0 }, 0],
  [{ type: "boolean" }, true],
  [{ type: "null" }, null],
  [{ type: ["null", "integer"] }, 1],
  [{ type: "array" }, []],
  [{ type: "array", items: { type: "integer" }, minItems: 2 }, [1, 1]],
  [{ type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true }, [1, 2, 3]],
  [{ items: { type: "string", maxLength: 2 }, minItems: 2, uniqueItems: true }, ["sa", "1s"]],
  [{ items: { enum: ["a", "b"] }, minItems: 2, uniqueItems: true }, ["a", "b"]],
  [{ items: { type: "boolean" }, minItems: 2, uniqueItems: true }, [true, false]],
  [{ prefixItems: [{ type: "integer" }], items: { type: "boolean" }, minItems: 2 }, [1, true]],
  [{ properties: { a: {}, b: {} }, required: ["b", "c"] }, { b: "sample", c: "sample" }],
  [{ properties: { o: { properties: { n: { type: "integer" } }, required: ["n"] } } }, {}],
  [
    { properties: { o: { properties: { n: { default: 7 } }, required: ["n"] } }, required: ["o"] },
    { o: { n: 7 } },
  ],
  [{ $ref: "#/$defs/p", $defs: { p: { type: "integer" } } }, 1],
  [{ anyOf: [{ type: "null" }, { type: "integer", minimum: 3 }] }, 3],
  [{ oneOf: [{ type: "boolean" }, { type: "string" }] }, true],
  [
    { properties: { a: {}, b: {} }, required: ["a"], allOf: [{ required: ["b"] }] },
    { a: "sample", b: "sample" },
  ],
  [{ properties: { next: { $ref: "#" } }, required: ["next"] }, { next: null }],
];

for (const [schema, sample] of values) {
  Deno.test(`a sample of ${JSON.stringify(schema)}`, () => {
    assert.deepEqual(sampleValue(schema), sample);
  });
}

for (
  const pattern of [
    ...["^ORD-\\d{4}$", "^(?:\\+971|0)5\\d{8}$", "^[A-Z0-9]{8}$", "^\\d{4}-\\d{2}-\\d{2}$", "^$"],
    ...["^[^@\\s]+@[a-z]+\\.com$", "(?i)^x-\\d+$", "^(?P<year>\\d{4})$", "[0-9]", "^\\d{12,}$"],
  ]
) {
  Deno.test(`a sample of a string that matches ${pattern}`, () => {
    const schema = { type: "string", pattern, minLength: pattern === "^$" ? 0 : 1, maxLength: 40 };
    const sample = sampleValue(schema);
    assert.equal(compileSchema(schema)(sample), undefined, String(sample));
    assert.equal(sampleValue(schema), sample, "the same each time");
    const list = { items: schema, minItems: 2, uniqueItems: pattern !== "^$" };
    assert.equal(compileSchema(list)(sampleValue(list)), undefined);
  });
}

Deno.test("a part that a rule asks for is in what the schema names or its pattern allows", () => {
  const of = (query: JsonObject, want: string) =>
    sampleArguments({ properties: { query: { type: "string", ...query } } }, { query: want }).query;
  const pattern = "^ORD-\\d{4}$";
  assert.equal(of({ examples: ["Maki rolls", "Spicy rolls"] }, "~spicy"), "Spicy rolls");
  assert.equal(of({ enum: ["ASC", "DESC"] }, "~desc"), "DESC");
  assert.equal(of({ examples: ["x"] }, "~spicy"), "spicy");
  assert.match(String(of({ pattern }, "~-7")), /^ORD-7\d{3}$/);
  assert.match(String(of({ pattern }, "~ord")), /^ORD-\d{4}$/);
  assert.equal(of({ pattern }, "~sushi"), "sushi", "no string can hold it");
});

Deno.test("a whole sample has the optional properties, and an item in every array", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      name: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      children: { type: "array", items: { $ref: "#" } },
      parent: { $ref: "#" },
    },
    required: ["name"],
  };
  const sample = sampleValue(schema, { optional: true });
  assert.deepEqual(sample, { name: "sample", tags: ["sample"], children: [] });
  assert.equal(compileSchema(schema)(sample), undefined);
});

const input: JsonObject = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 3 },
    limit: { type: "integer" },
    radius: { type: "number" },
    open: { type: "boolean" },
    sort: { enum: ["ASC", "DESC"] },
    id: { type: ["string", "integer"] },
    at: {
      type: "object",
      properties: { latitude: { type: "number" }, label: { type: "string" } },
      required: ["latitude"],
    },
    items: {
      type: "array",
      minItems: 2,
      items: { type: "object", properties: { qty: { type: "integer" } }, required: ["qty"] },
    },
  },
  required: ["query"],
};

const matches: [match: JsonObject, args: JsonObject][] = [
  [{}, { query: "sample" }],
  [{ query: "sushi" }, { query: "sushi" }],
  [{ query: "=~*" }, { query: "~*" }],
  [{ query: "~s" }, { query: "ssa" }],
  [{ query: "*" }, { query: "sample" }],
  [{ limit: "*" }, { query: "sample", limit: 1 }],
  [{ limit: "5" }, { query: "sample", limit: 5 }],
  [{ limit: "=5" }, { query: "sample", limit: 5 }],
  [{ limit: "5.5" }, { query: "sample", limit: "5.5" }],
  [{ limit: 7 }, { query: "sample", limit: 7 }],
  [{ limit: null }, { query: "sample", limit: null }],
  [{ radius: "~2.5" }, { query: "sample", radius: 2.5 }],
  [{ radius: "~2." }, { query: "sample", radius: 2.1 }],
  [{ radius: "~25.0" }, { query: "sample", radius: 25.01 }],
  [{ open: "TRUE" }, { query: "sample", open: true }],
  [{ open: false }, { query: "sample", open: false }],
  [{ sort: "~des" }, { query: "sample", sort: "DESC" }],
  [{ sort: "asc" }, { query: "sample", sort: "ASC" }],
  [{ sort: "other" }, { query: "sample", sort: "other" }],
  [{ id: "5" }, { query: "sample", id: "5" }],
  [{ at: {} }, { query: "sample", at: { latitude: 1 } }],
  [{ at: { label: "~home" } }, { query: "sample", at: { latitude: 1, label: "home" } }],
  [{ items: [] }, { query: "sample", items: [{ qty: 1 }, { qty: 1 }] }],
  [{ items: [{ qty: "3" }] }, { query: "sample", items: [{ qty: 3 }, { qty: 1 }] }],
  [{ unknown: { a: ["~b"] } }, { query: "sample", unknown: { a: ["b"] } }],
];

for (const [match, args] of matches) {
  Deno.test(`arguments for ${JSON.stringify(match)}`, () => {
    assert.deepEqual(sampleArguments(input, match), args);
  });
}

Deno.test("arguments for a property called __proto__", () => {
  const args = sampleArguments({}, JSON.parse('{"__proto__":"a"}'));
  assert.equal(JSON.stringify(args), '{"__proto__":"a"}');
});
