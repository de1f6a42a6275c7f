import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";

/**
 * Fills in the `default`s of a schema as the Go validator does before it validates:
 *
 * - only properties that are missing get one; `null` is a value;
 * - required properties are passed over, with everything below them;
 * - a missing object is created when anything below it has a default;
 * - arrays, references and combinations (`allOf`, …) are not looked into.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { applyDefaults } from "./defaults.ts";
 *
 * const schema = { properties: { limit: { default: 10 }, unit: { default: "km" } } };
 * const args = applyDefaults(schema, { unit: null });
 * assert(JSON.stringify(args) === '{"unit":null,"limit":10}');
 * ```
 *
 * @returns A copy with the defaults; `args` itself when the schema has none to give.
 * @see docs/SPEC.md, section 3.5
 */
export function applyDefaults(schema: JsonObject, args: JsonObject): JsonObject {
  const due = dueProperties(schema);
  if (due.length === 0) return args;
  const filled = due.map(([name, property]) => [name, filledIn(property, own(args, name))]);
  // Entries, not assignments: a property may be called `__proto__`.
  return Object.fromEntries([...Object.entries(args), ...filled]);
}

function filledIn(schema: JsonObject, value: JsonValue | undefined): JsonValue {
  const start = value === undefined ? defaultOf(schema) : value;
  return isJsonObject(start) ? applyDefaults(schema, start) : start;
}

function defaultOf(schema: JsonObject): JsonValue {
  const value = own(schema, "default");
  return value === undefined ? {} : structuredClone(value);
}

type Properties = readonly (readonly [name: string, schema: JsonObject])[];

const knownDue = new WeakMap<JsonObject, Properties>();

/** The optional properties with defaults: worked out once for a schema, used at every call. */
function dueProperties(schema: JsonObject): Properties {
  const known = knownDue.get(schema);
  if (known !== undefined) return known;
  const required = own(schema, "required");
  const names = new Set(Array.isArray(required) ? required : []);
  const found = propertiesOf(schema)
    .filter(([name, property]) => !names.has(name) && hasDefaults(property));
  knownDue.set(schema, found);
  return found;
}

function propertiesOf(schema: JsonObject): Properties {
  const properties = own(schema, "properties");
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1])
  );
}

/** Whether a schema or any property below it has a default, required or not: Go creates a
 * missing object even if it then passes over the default that made it do so. */
function hasDefaults(schema: JsonObject): boolean {
  return Object.hasOwn(schema, "default") ||
    propertiesOf(schema).some(([, property]) => hasDefaults(property));
}
