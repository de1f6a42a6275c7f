/** Which schemas apply to which items and properties. */

import type { JsonObject, JsonValue } from "../json.ts";
import { compilePattern } from "./_pattern.ts";
import { listOf, mapOf } from "./_read.ts";

/** The schemas for an array's first items, one each, and the one for the rest. */
export interface ItemSchemas {
  readonly tuple: readonly JsonValue[];
  readonly rest: JsonValue | undefined;
}

/**
 * Reads the schemas for an array's items. What `prefixItems` and `items` are, a list in `items`
 * and `additionalItems` were in draft-07.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { itemSchemas } from "./_children.ts";
 *
 * const { tuple, rest } = itemSchemas({ prefixItems: [{ type: "string" }], items: {} });
 * assert(tuple.length === 1 && rest !== undefined);
 * ```
 *
 * @param schema A schema of a document.
 * @returns Its schemas for items.
 */
export function itemSchemas({ prefixItems, items, additionalItems }: JsonObject): ItemSchemas {
  return Array.isArray(items)
    ? { tuple: items, rest: additionalItems }
    : { tuple: listOf(prefixItems), rest: items };
}

/**
 * Finds the schemas that `patternProperties` has for a property.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { patternSchemas } from "./_children.ts";
 *
 * assert(patternSchemas({ patternProperties: { "^a": {}, "^b": {} } }, "ab").length === 1);
 * ```
 *
 * @param schema A schema of a document.
 * @param name The property.
 * @returns The schemas whose pattern matches the name.
 */
export function patternSchemas(schema: JsonObject, name: string): JsonValue[] {
  return patternsOf(schema)
    .filter(([pattern]) => pattern.test(name))
    .map(([, inner]) => inner);
}

const compiledPatterns = new WeakMap<JsonObject, [RegExp, JsonValue][]>();

function patternsOf(schema: JsonObject): readonly [RegExp, JsonValue][] {
  const known = compiledPatterns.get(schema);
  if (known !== undefined) return known;
  const patterns = Object.entries(mapOf(schema.patternProperties))
    .map(([pattern, inner]): [RegExp, JsonValue] => [compilePattern(pattern), inner]);
  compiledPatterns.set(schema, patterns);
  return patterns;
}

/**
 * Tells whether a property is additional: named neither by `properties` nor by a pattern.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isAdditional } from "./_children.ts";
 *
 * assert(isAdditional({ properties: { a: {} } }, "b"));
 * ```
 *
 * @param schema A schema of a document.
 * @param name The property.
 * @returns Whether `additionalProperties` is about it.
 */
export function isAdditional(schema: JsonObject, name: string): boolean {
  return !Object.hasOwn(mapOf(schema.properties), name) &&
    patternSchemas(schema, name).length === 0;
}
