/** Any value that JSON can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. Keys are own properties; nothing is ever looked up on the prototype. */
export type JsonObject = { [key: string]: JsonValue };

/** Parses JSON; `undefined` where the text is none. */
export function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells whether a value is a JSON object, neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads a key of a JSON object, and only if it is the object's own: an argument named
 * `constructor` or `__proto__` is data here like any other.
 */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The value at a path of keys, if there is one. */
export function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, key) => isJsonObject(inner) ? own(inner, key) : undefined,
    value,
  );
}

/** The JSON Schema type of a value; a whole number is an `integer`. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Writes a key as one segment of a JSON Pointer (RFC 6901), without a slash before it. */
export function pointerSegment(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
