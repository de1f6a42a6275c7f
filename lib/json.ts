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

/**
 * Reads a key of a JSON object, and only if it is the object's own: an argument named
 * `constructor` or `__proto__` is data here like any other.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { own } from "./json.ts";
 *
 * assert(own({ a: 1 }, "a") === 1 && own({}, "constructor") === undefined);
 * ```
 *
 * @param object The object to read.
 * @param key The key to look up.
 * @returns The value, or `undefined` when the object has no such key of its own.
 */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Writes a key as one segment of a JSON Pointer (RFC 6901).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { pointerSegment } from "./json.ts";
 *
 * assert(pointerSegment("a/b~c") === "a~1b~0c");
 * ```
 *
 * @param key The key.
 * @returns The segment, without a slash before it.
 */
export function pointerSegment(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
