import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { isAdditional, itemSchemas } from "./_children.ts";
import { isOnlyReference, type SchemaDocument } from "./_document.ts";
import { listOf, mapOf } from "./_read.ts";

/** Tells whether a value is valid under a schema of the document. */
export type IsValid = (schema: JsonObject, value: JsonValue) => boolean;

/**
 * Finds the items or properties that are left to a schema's `unevaluatedItems` or
 * `unevaluatedProperties`: those that no other keyword of the schema, and no schema that it
 * applies to the same value with success, has looked at.
 *
 * ajv keeps count of them in generated code, which fails in several combinations with `anyOf`
 * and `patternProperties`, so they are found here.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readDocument } from "./_document.ts";
 * import { unevaluatedKeys } from "./_unevaluated.ts";
 *
 * const document = readDocument({ allOf: [{ properties: { a: {} } }] });
 * const keys = unevaluatedKeys(document, () => true, document.root, { a: 1, b: 2 });
 * assert(keys.join() === "b");
 * ```
 *
 * @param document The document.
 * @param isValid Validates under one schema of the document.
 * @param schema The schema with the keyword, one of the document's own objects.
 * @param value The array or object.
 * @returns The keys, or the indices, of what is left.
 * @throws {RangeError} When references go round in a circle.
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-11
 */
export function unevaluatedKeys(
  document: SchemaDocument,
  isValid: IsValid,
  schema: JsonObject,
  value: JsonValue,
): string[] {
  const evaluated = evaluatedKeys({ document, isValid, value }, schema);
  return Object.keys(value ?? {}).filter((key) => !evaluated.has(key));
}

interface Evaluation {
  readonly document: SchemaDocument;
  readonly isValid: IsValid;
  readonly value: JsonValue;
}

function evaluatedKeys(evaluation: Evaluation, schema: JsonObject): Set<string> {
  const keys = new Set(childKeys(evaluation, schema));
  for (const inner of schemasInPlace(evaluation, schema)) {
    const all = isJsonObject(evaluation.value) ? "unevaluatedProperties" : "unevaluatedItems";
    const found = all in inner
      ? Object.keys(evaluation.value ?? {})
      : evaluatedKeys(evaluation, inner);
    for (const key of found) keys.add(key);
  }
  return keys;
}

/** What the schema's own keywords for items and properties look at. */
function childKeys(evaluation: Evaluation, schema: JsonObject): string[] {
  const { value } = evaluation;
  if (isOnlyReference(schema, evaluation.document.draft)) return [];
  if (Array.isArray(value)) {
    const { tuple, rest } = itemSchemas(schema);
    const { contains } = schema;
    return Object.keys(value).filter((_, index) =>
      rest !== undefined || index < tuple.length ||
      (isJsonObject(contains) && evaluation.isValid(contains, value[index] ?? null))
    );
  }
  return Object.keys(mapOf(value)).filter((name) =>
    schema.additionalProperties !== undefined || !isAdditional(schema, name)
  );
}

/** The schemas that the schema applies to the same value, and that the value passes. */
function schemasInPlace(evaluation: Evaluation, schema: JsonObject): JsonObject[] {
  const { document, value } = evaluation;
  const { allOf, anyOf, oneOf, dependentSchemas, dependencies } = schema;
  const passes = (inner: JsonValue | undefined): inner is JsonObject =>
    isJsonObject(inner) && evaluation.isValid(inner, value);
  const dependents = Object.entries(mapOf(dependentSchemas ?? dependencies))
    .filter(([name]) => Object.hasOwn(mapOf(value), name))
    .map(([, dependent]) => dependent);
  const candidates = [
    document.references.get(schema),
    document.dynamicTarget(schema, [document.root]),
    ...[allOf, anyOf, oneOf].flatMap(listOf),
    schema.if,
    passes(schema.if) ? schema.then : schema.else,
    ...dependents,
  ];
  return candidates.filter(passes);
}
