import type { FuncKeywordDefinition } from "ajv";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { canonical, firstRepeat } from "./_canonical.ts";
import type { SchemaDocument } from "./_document.ts";
import { type IsValid, unevaluatedKeys } from "./_unevaluated.ts";

/**
 * The keywords that ajv would judge otherwise than Go, in Go's reading.
 *
 * - `const`, `enum`, `uniqueItems`: ajv compares objects through their `valueOf` and `toString`,
 *   which hostile arguments can bring along, and searches for repeats pairwise, which takes
 *   minutes on a long array.
 * - `multipleOf`: ajv takes no large number for a multiple (`parseInt(1e21)` is 1).
 * - `not`, `if`: inside them ajv stops at the first error, and passes over the keywords
 *   that follow a `propertyNames` on an empty object or a tuple longer than the array.
 * - `unevaluatedItems`, `unevaluatedProperties`: see {@linkcode unevaluatedKeys}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readDocument } from "./_document.ts";
 * import { goKeywords } from "./_keywords.ts";
 *
 * const keywords = goKeywords(readDocument({}), () => true).map(({ keyword }) => keyword);
 * assert(keywords.includes("uniqueItems"));
 * ```
 *
 * @param document The document that the keywords will validate for.
 * @param isValid Validates under one schema of the document.
 * @returns The keywords' definitions for ajv.
 */
export function goKeywords(document: SchemaDocument, isValid: IsValid): FuncKeywordDefinition[] {
  const keywords: FuncKeywordDefinition[] = [
    { keyword: "const", compile: (wanted: JsonValue) => isOneOf([wanted]) },
    { keyword: "enum", schemaType: "array", compile: isOneOf },
    {
      keyword: "multipleOf",
      type: "number",
      schemaType: "number",
      validate: (factor: number, value: number) => Number.isInteger(value / factor),
    },
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      validate: (wanted: boolean, items: JsonValue[]) =>
        !wanted || firstRepeat(items) === undefined,
    },
    { keyword: "not", validate: (schema: JsonObject, value: JsonValue) => !isValid(schema, value) },
    { keyword: "if", compile: (_schema, parent) => passesBranch(parent, isValid) },
    { keyword: "unevaluatedItems", type: "array", compile: passesRest(document, isValid) },
    { keyword: "unevaluatedProperties", type: "object", compile: passesRest(document, isValid) },
  ];
  return keywords.map((definition) => ({ ...definition, errors: false }));
}

/** The keywords among {@linkcode goKeywords} whose schemas ajv does not come to see. */
export const APART = [
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

/**
 * Finds the schema that a value has to pass on account of `if`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { branchOf } from "./_keywords.ts";
 *
 * const branch = branchOf({ if: {}, then: { type: "string" } }, 5, () => true);
 * assert(branch?.type === "string");
 * ```
 *
 * @param schema The schema with the `if`.
 * @param value The value.
 * @param isValid Validates under one schema of the document.
 * @returns The schema's `then` or `else`, if it has the one that applies.
 */
export function branchOf(
  schema: JsonObject,
  value: JsonValue,
  isValid: IsValid,
): JsonObject | undefined {
  if (!isJsonObject(schema.if)) return undefined;
  const branch = isValid(schema.if, value) ? schema.then : schema.else;
  return isJsonObject(branch) ? branch : undefined;
}

type Check = (value: JsonValue) => boolean;

function isOneOf(wanted: readonly JsonValue[]): Check {
  const texts = new Set(wanted.map(canonical));
  return (value) => texts.has(canonical(value));
}

function passesBranch(parent: JsonObject, isValid: IsValid): Check {
  return (value) => {
    const branch = branchOf(parent, value, isValid);
    return branch === undefined || isValid(branch, value);
  };
}

function passesRest(
  document: SchemaDocument,
  isValid: IsValid,
): (schema: JsonObject, parent: JsonObject) => (value: JsonObject) => boolean {
  return (schema, parent) => (value) =>
    unevaluatedKeys(document, isValid, parent, value)
      .every((key) => isValid(schema, value[key] ?? null));
}
