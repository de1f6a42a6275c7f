import { type JsonObject, jsonTypeOf, type JsonValue } from "../json.ts";
import {
  goFixed,
  goFraction,
  goInstance,
  goQuote,
  goQuoteList,
  goStringVerb,
  goValue,
} from "../go/format.ts";
import { firstRepeat } from "./canonical.ts";
import { listOf, nameOf } from "./document.ts";

/** Says how a value fails a keyword. */
type Wording = (schema: JsonObject, value: JsonValue) => string;

/**
 * The Go validator's words for every keyword that looks at one value and applies no further
 * schema, for a value that fails it. Recorded texts: `tests/schema/wordings.json`.
 *
 * @see https://pkg.go.dev/github.com/google/jsonschema-go/jsonschema
 */
export const WORDING: Readonly<Record<string, Wording>> = {
  type: (schema, value) =>
    `type: ${goInstance(value)} has type "${jsonTypeOf(value)}", ${wanted(schema)}`,
  enum: (schema, value) =>
    `enum: ${goInstance(value)} does not equal any of: ${goValue(schema.enum ?? null)}`,
  const: (schema, value) =>
    `const: ${goInstance(value)} does not equal ${goValue(schema.const ?? null)}`,

  multipleOf: compared("multipleOf", "is not a multiple of"),
  minimum: compared("minimum", "is less than"),
  maximum: compared("maximum", "is greater than"),
  exclusiveMinimum: compared("exclusiveMinimum", "is less than or equal to"),
  exclusiveMaximum: compared("exclusiveMaximum", "is greater than or equal to"),

  minLength: measured("minLength", "fewer than"),
  maxLength: measured("maxLength", "more than"),
  pattern: (schema, value) =>
    `pattern: ${goQuote(String(value))} does not match regular expression ` +
    goQuote(String(schema.pattern)),

  // With other bounds Go says how many items match, which ajv does not tell.
  contains: ({ contains, minContains = 1, maxContains }, value) =>
    minContains === 1 && maxContains === Number.MAX_SAFE_INTEGER
      ? `contains: ${goStringVerb(listOf(value))} does not have an item matching ${
        nameOf(contains)
      }`
      : "contains: too few or too many items match",
  minItems: (schema, value) =>
    `minItems: array length ${sizeOf(value)} is less than ${schema.minItems}`,
  maxItems: (schema, value) =>
    `maxItems: array length ${sizeOf(value)} is greater than ${schema.maxItems}`,
  uniqueItems: (_schema, value) => {
    const [later, first] = firstRepeat(listOf(value)) ?? [];
    return `uniqueItems: array items ${later} and ${first} are equal`;
  },

  minProperties: (schema, value) =>
    `minProperties: object has ${sizeOf(value)} properties, less than ${schema.minProperties}`,
  maxProperties: (schema, value) =>
    `maxProperties: object has ${sizeOf(value)} properties, greater than ${schema.maxProperties}`,
  required: (schema, value) =>
    `required: missing properties: ${goQuoteList(missing(schema.required, value))}`,
  dependentRequired: (schema, value) => dependent(schema.dependentRequired, value),
};

function wanted({ type }: JsonObject): string {
  return Array.isArray(type)
    ? `want one of ${goQuote(type.join(", "))}`
    : `want ${goQuote(String(type))}`;
}

function compared(keyword: string, relation: string): Wording {
  return (schema, value) =>
    `${keyword}: ${goFraction(Number(value))} ${relation} ${goFixed(Number(schema[keyword]))}`;
}

function measured(keyword: string, relation: string): Wording {
  return (schema, value) =>
    `${keyword}: ${goQuote(String(value))} contains ${[...String(value)].length} ` +
    `Unicode code points, ${relation} ${schema[keyword]}`;
}

/** The number of an array's items or of an object's properties. */
function sizeOf(value: JsonValue): number {
  return Object.keys(value ?? {}).length;
}

function missing(names: JsonValue | undefined, value: JsonValue): string[] {
  const properties = value ?? {};
  return (names as string[]).filter((name) => !Object.hasOwn(properties as JsonObject, name));
}

/** Go names only the first property whose companions are missing. */
function dependent(dependencies: JsonValue | undefined, value: JsonValue): string {
  for (const [name, names] of Object.entries(dependencies as JsonObject)) {
    if (!Object.hasOwn(value as JsonObject, name)) continue;
    const absent = missing(names, value);
    if (absent.length === 0) continue;
    return `dependentRequired[${goQuote(name)}]: missing properties ${goQuoteList(absent)}`;
  }
  return "dependentRequired: missing properties";
}
