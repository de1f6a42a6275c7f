/** Readers of JSON values of which nothing is known yet. */

import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/**
 * Reads a value as an array.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listOf } from "./_read.ts";
 *
 * assert(listOf([1]).length === 1 && listOf("a").length === 0);
 * ```
 *
 * @param value The value.
 * @returns The value if it is an array, else an empty one.
 */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Reads a value as an object.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mapOf } from "./_read.ts";
 *
 * assert("a" in mapOf({ a: 1 }) && Object.keys(mapOf([1])).length === 0);
 * ```
 *
 * @param value The value.
 * @returns The value if it is an object, else an empty one.
 */
export function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
