/** Any value that JSON can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. Keys are own properties; nothing is ever looked up on the prototype. */
export type JsonObject = { [key: string]: JsonValue };

/**
 * Tells whether a value is a JSON object, neither `null` nor an array.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isJsonObject } from "./json.ts";
 *
 * assert(isJsonObject({}) && !isJsonObject([]) && !isJsonObject(null));
 * ```
 *
 * @param value The value to look at.
 * @returns Whether `value` is a JSON object.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
