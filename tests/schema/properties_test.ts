/** What holds for every schema and value. */

import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { canonical } from "../../lib/schema/canonical.ts";
import { compileSchema } from "../../lib/schema/compile.ts";
import { applyDefaults } from "../../lib/schema/defaults.ts";
import { sampleArguments } from "../../lib/schema/sample.ts";
import { matches } from "../../lib/scenario/match.ts";

const RUNS = { numRuns: 1000 };

const name = fc.constantFrom("a", "b", "c", "x/y");
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
const size = fc.nat(3);

/** Schemas of the keywords on which Go and a plain ajv agree, nested `depth` levels deep. */
function schemaOf(depth: number): fc.Arbitrary<JsonObject> {
  const inner = depth === 0 ? fc.constant({}) : schemaOf(depth - 1);
  const schemas = fc.array(inner, { minLength: 1, maxLength: 2 });
  const named = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true });
  const names = fc.uniqueArray(name, { maxLength: 2 });
  const keywords = {
    type: fc.constantFrom("string", "integer", "number", "boolean", "array", "object", "null"),
    enum: fc.array(fc.constantFrom(1, "a", null, true), { minLength: 1 }),
    const: fc.constantFrom(1, "a", null, true),
    minimum: fc.integer({ min: -3, max: 3 }),
    exclusiveMaximum: fc.integer({ min: -3, max: 3 }),
    minLength: size,
    maxLength: size,
    pattern: fc.constantFrom("^a", "b$", "^$"),
    minItems: size,
    maxItems: size,
    items: inner,
    prefixItems: schemas,
    minProperties: size,
    maxProperties: size,
    required: names,
    dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }),
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom("^a", "y$"), inner, { noNullPrototype: true }),
    additionalProperties: fc.boolean(),
    propertyNames: inner,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
    dependentSchemas: named,
    unevaluatedProperties: inner,
    default: json,
  };
  const entries = Object.entries<fc.Arbitrary<JsonValue>>(keywords)
    .map(([keyword, value]) => fc.tuple(fc.constant(keyword), value));
  return fc.array(fc.oneof(...entries), { maxLength: 3 }).map(Object.fromEntries<JsonValue>);
}

const schema = schemaOf(2);

const args = fc.dictionary(name, json, { maxKeys: 4, noNullPrototype: true });

function orUndefined<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

Deno.test("property: what is valid is what ajv finds valid, and what is not is explained", () => {
  fc.assert(
    fc.property(schema, json, (schema, value) => {
      const ajv = new Ajv2020({
        strict: false,
        allErrors: true,
        meta: false,
        validateSchema: false,
      });
      // ajv makes code of some schemas that cannot run, such as of `anyOf` beside `not` in an `if`.
      const valid = orUndefined(() => ajv.validate(schema, value));
      fc.pre(valid !== undefined);
      const text = compileSchema(schema)(value);
      assert.equal(text === undefined, valid);
      if (text === undefined) return;
      assert.match(text, /^validating root: /);
      assert.doesNotMatch(text, /: must (NOT|be|have|match|pass)/, "not in ajv's words");
    }),
    RUNS,
  );
});

Deno.test("property: defaults leave schema and arguments as they are", () => {
  fc.assert(
    fc.property(schema, args, (schema, args) => {
      const before = [canonical(schema), canonical(args)];
      applyDefaults(schema, args);
      assert.deepEqual([canonical(schema), canonical(args)], before);
    }),
    RUNS,
  );
});

Deno.test("property: defaults only add", () => {
  fc.assert(
    fc.property(schema, args, (schema, args) => assertKeeps(applyDefaults(schema, args), args)),
    RUNS,
  );
});

function assertKeeps(filled: JsonValue | undefined, given: JsonValue): void {
  if (!isJsonObject(given) || !isJsonObject(filled)) return assert.deepEqual(filled, given);
  for (const [key, value] of Object.entries(given)) assertKeeps(filled[key], value);
}

Deno.test("property: defaults applied twice are the same as once", () => {
  fc.assert(
    fc.property(schema, args, (schema, args) => {
      const once = applyDefaults(schema, args);
      assert.deepEqual(applyDefaults(schema, once), once);
    }),
    RUNS,
  );
});

Deno.test("property: sample arguments match the block they were made for", () => {
  const text = fc.constantFrom("*", "~ab", "=ab", "ab");
  const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
  const { want } = fc.letrec<{ want: JsonValue }>((tie) => ({
    want: fc.oneof(
      { maxDepth: 2 },
      scalar,
      fc.array(tie("want"), { maxLength: 2 }),
      fc.dictionary(name, tie("want"), { maxKeys: 2, noNullPrototype: true }),
    ),
  }));
  const match = fc.dictionary(name, want, { maxKeys: 3, noNullPrototype: true });
  fc.assert(
    fc.property(match, (match) => {
      const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
      const args = sampleArguments(schema, match);
      assert(matches(match, args), JSON.stringify(args));
      assert(Object.hasOwn(args, "a"));
    }),
    RUNS,
  );
});
