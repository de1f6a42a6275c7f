import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** A word to fill strings with; repeated or cut to the length a schema wants. */
const WORD = "sample";

/**
 * Builds the call that stands for a scenario: a sample value for every required argument, overlaid
 * with the scenario's match rule. See docs/FORMAT.md, "Keeping scenarios honest".
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sampleArguments } from "./sample.ts";
 *
 * const schema = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
 * assert.deepEqual(sampleArguments(schema, { query: "~sushi" }), { query: "sushi" });
 * ```
 *
 * @param inputSchema The tool's `inputSchema`.
 * @param match The scenario's rule, if it has one.
 * @returns The arguments.
 */
export function sampleArguments(inputSchema: JsonObject, match?: JsonObject): JsonObject {
  const sample = sampleObject(inputSchema, requiredOf(inputSchema));
  return match === undefined ? sample : overlayObject(inputSchema, sample, match);
}

/**
 * Builds a value that a schema describes, every property included, whether required or not.
 *
 * @param schema The schema.
 * @returns The value.
 */
export function sampleValue(schema: JsonObject): JsonValue {
  return sample(schema, Object.keys(propertiesOf(schema)), (inner) => sampleValue(inner));
}

function sampleRequired(schema: JsonObject): JsonValue {
  return sample(schema, requiredOf(schema), sampleRequired);
}

/** A value for a schema; `keys` are the properties an object gets, `inner` makes their values. */
function sample(
  schema: JsonObject,
  keys: readonly string[],
  inner: (schema: JsonObject) => JsonValue,
): JsonValue {
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0]!;
  if (schema.const !== undefined) return schema.const;
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(schema, keys, inner);
    case "array":
      return sampleArray(schema, inner);
    case "string":
      return sampleString(schema);
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return sampleString(schema);
  }
}

function sampleObject(
  schema: JsonObject,
  keys: readonly string[],
  inner: (schema: JsonObject) => JsonValue = sampleRequired,
): JsonObject {
  const properties = propertiesOf(schema);
  return Object.fromEntries(keys.map((key) => [key, inner(schemaOf(properties, key))]));
}

function sampleArray(schema: JsonObject, inner: (schema: JsonObject) => JsonValue): JsonValue[] {
  const count = Math.max(numberOf(schema.minItems) ?? 0, 0);
  const items = isJsonObject(schema.items) ? schema.items : {};
  return Array.from({ length: count }, (_, index) => {
    const element = inner(items);
    return schema.uniqueItems === true && index > 0 ? distinct(element, index) : element;
  });
}

function distinct(element: JsonValue, index: number): JsonValue {
  if (typeof element === "number") return element + index;
  if (typeof element === "string") return `${element}${index}`;
  return element;
}

function sampleString(schema: JsonObject): string {
  const least = numberOf(schema.minLength) ?? 0;
  const most = numberOf(schema.maxLength) ?? Math.max(least, WORD.length);
  return WORD.repeat(Math.ceil(Math.max(least, 1) / WORD.length)).slice(0, Math.max(least, most));
}

function sampleNumber(schema: JsonObject): number {
  const above = numberOf(schema.exclusiveMinimum);
  const least = numberOf(schema.minimum) ?? (above === undefined ? undefined : above + 1);
  const step = numberOf(schema.multipleOf);
  if (step === undefined) return least ?? 1;
  return Math.ceil((least ?? step) / step) * step;
}

/** Lays a rule over a sample: what the rule wants stands, and the rest stays as it is. */
function overlay(schema: JsonObject, base: JsonValue, want: JsonValue): JsonValue {
  if (typeof want === "string") return overlayText(schema, base, want);
  if (Array.isArray(want)) {
    const items = isJsonObject(schema.items) ? schema.items : {};
    const wanted = want.map((element) => overlay(items, sampleRequired(items), element));
    return wanted.length > 0 ? wanted : base;
  }
  if (isJsonObject(want)) return overlayObject(schema, isJsonObject(base) ? base : {}, want);
  return want;
}

function overlayObject(schema: JsonObject, base: JsonObject, want: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const wanted = Object.entries(want).map(([key, value]) => {
    const inner = schemaOf(properties, key);
    const before = Object.hasOwn(base, key) ? base[key]! : sampleRequired(inner);
    return [key, overlay(inner, before, value)];
  });
  return { ...base, ...Object.fromEntries(wanted) };
}

function overlayText(schema: JsonObject, base: JsonValue, want: string): JsonValue {
  if (want === "*") return base;
  const text = /^[~=]/.test(want) ? want.slice(1) : want;
  // A rule's text also matches a number or a boolean that is written like it.
  const type = typeOf(schema);
  const isNumber = (type === "integer" || type === "number") && text.trim() !== "";
  if (isNumber && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

function schemaOf(properties: JsonObject, key: string): JsonObject {
  const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isJsonObject(schema) ? schema : {};
}

function requiredOf(schema: JsonObject): string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required.filter((key) => typeof key === "string");
}

/** The type a schema wants; the first of several, the likely one where it does not say. */
function typeOf(schema: JsonObject): JsonValue | undefined {
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== "null") ?? "null";
  if (schema.type !== undefined) return schema.type;
  return isJsonObject(schema.properties)
    ? "object"
    : schema.items !== undefined
    ? "array"
    : undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
