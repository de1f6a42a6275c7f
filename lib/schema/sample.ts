import randexp from "randexp";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { matches } from "../scenario/match.ts";
import { compilePattern } from "./_pattern.ts";
import { listOf, mapOf, patternSchemas, readDocument, type SchemaDocument } from "./document.ts";

// Its types are those of a module with a default export, but it exports the class itself.
const RandExp = randexp as unknown as typeof randexp.default;

/** How much of a schema a sample shows. */
export interface SampleOptions {
  /** Fill in optional properties too, and give every array an item. */
  readonly optional?: boolean;
}

/**
 * Makes up a value for a schema: its `default` if there is one, else the first of its `enum`,
 * else its `const`, else the first of its `examples` that fits, else something plain of its type,
 * in bounds, with a string for its `pattern`. Of an object it fills in what is required. Of
 * alternatives (`anyOf`, `oneOf`) it takes the first; it does not try to satisfy `not`, `if` and
 * dependencies between properties. The same schema always gives the same value.
 *
 * @throws {Error} When the schema cannot be read: see `schemaProblem`.
 */
export function sampleValue(schema: JsonObject, options: SampleOptions = {}): JsonValue {
  const document = readDocument(schema);
  const optional = options.optional ?? false;
  return sampled({ document, optional, variant: 0, within: [] }, document.root);
}

/**
 * Makes up arguments that a scenario answers: all that the schema requires, overlaid with what
 * the scenario's `match` block wants.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sampleArguments } from "./sample.ts";
 *
 * const schema = {
 *   type: "object",
 *   properties: { query: { type: "string" }, limit: { type: "integer" } },
 *   required: ["query"],
 * };
 * const args = sampleArguments(schema, { query: "~sushi", limit: "5" });
 * assert(JSON.stringify(args) === '{"query":"sushi","limit":5}');
 * ```
 *
 * @param variant Arguments of unequal variants are unequal, as far as schema and rule let them.
 * @throws {Error} When the schema cannot be read: see `schemaProblem`.
 * @see docs/SPEC.md, section 4
 */
export function sampleArguments(
  inputSchema: JsonObject,
  match: JsonObject = {},
  variant = 0,
): JsonObject {
  const document = readDocument(inputSchema);
  const sampling: Sampling = { document, optional: false, variant, within: [] };
  return mapOf(overlaid(sampling, document.root, match));
}

interface Sampling {
  readonly document: SchemaDocument;
  readonly optional: boolean;
  /** Samples of unequal variants are unequal, as far as the schema lets them. */
  readonly variant: number;
  /** The schemas whose samples this one is part of. */
  readonly within: readonly JsonObject[];
}

function sampled(sampling: Sampling, schema: JsonObject): JsonValue {
  // A schema inside itself would never end. If it has a value, another alternative gives it.
  if (isWithin(sampling, schema)) return null;
  const whole = merged(sampling.document, schema);
  const within = [...sampling.within, targetOf(sampling.document, schema)];
  return chosen(sampling, whole) ?? madeUp({ ...sampling, within }, whole);
}

/** What the schema itself names as a value. A `null` says little, so it is the last resort. */
function chosen({ variant }: Sampling, schema: JsonObject): JsonValue | undefined {
  const { default: preset = null, const: fixed } = schema;
  if (preset !== null && variant === 0) return preset;
  const choices = listOf(schema.enum).filter((value) => value !== null);
  return choices[variant % choices.length] ?? fixed ?? examplesOf(schema)[variant];
}

/** The examples that the schema itself allows; `null` says little. */
function examplesOf(schema: JsonObject): readonly JsonValue[] {
  return listOf(schema.examples).filter((value) => value !== null && fits(schema, value));
}

function fits(schema: JsonObject, value: JsonValue): boolean {
  const type = Array.isArray(value) ? "array" : typeof value;
  const isTyped = schema.type === undefined ||
    [schema.type].flat().some((name) =>
      name === type || (name === "integer" && Number.isInteger(value))
    );
  if (typeof value === "string") return isTyped && fitsText(schema, value);
  return isTyped && (typeof value !== "number" || isInBounds(schema, value));
}

function madeUp(sampling: Sampling, schema: JsonObject): JsonValue {
  switch (typeOf(schema)) {
    case "object":
      return plainObject(sampling, schema);
    case "array":
      return plainArray(sampling, schema);
    case "integer":
    case "number":
      return plainNumber(sampling, schema);
    case "boolean":
      return sampling.variant % 2 === 0;
    case "null":
      return null;
    default:
      return plainString(sampling, schema);
  }
}

/** The schema's type, or the one that its keywords speak of. */
function typeOf(schema: JsonObject): JsonValue | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((name) => name !== "null") ?? "null";
  if (type !== undefined) return type;
  if (schema.const === null || listOf(schema.enum).includes(null)) return "null";
  if ("properties" in schema || "required" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema || "minItems" in schema) return "array";
  return ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
      .some((keyword) => keyword in schema)
    ? "number"
    : "string";
}

function plainObject(sampling: Sampling, schema: JsonObject): JsonObject {
  const required = new Set(listOf(schema.required));
  const names = Object.keys(mapOf(schema.properties)).filter((name) =>
    required.has(name) || (sampling.optional && !isWithin(sampling, propertySchema(schema, name)))
  );
  const unnamed = [...required].filter((name) => !names.includes(String(name))).map(String);
  return Object.fromEntries(
    [...names, ...unnamed].map((name) => [name, sampled(sampling, propertySchema(schema, name))]),
  );
}

function plainArray(sampling: Sampling, schema: JsonObject): JsonValue[] {
  const isOpen = sampling.optional && !isWithin(sampling, itemSchema(schema, 0));
  const length = Math.max(Number(schema.minItems ?? 0), isOpen ? 1 : 0);
  return Array.from({ length }, (_, index) => {
    const variant = schema.uniqueItems === true ? index : sampling.variant;
    return sampled({ ...sampling, variant }, itemSchema(schema, index));
  });
}

/** Takes the first of a few likely numbers that is in bounds. */
function plainNumber({ variant }: Sampling, schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const low = Number(minimum ?? exclusiveMinimum ?? -Infinity);
  const high = Number(maximum ?? exclusiveMaximum ?? Infinity);
  const step = Number(multipleOf ?? 1);
  const candidates = [
    Number(minimum ?? NaN),
    Number(exclusiveMinimum ?? NaN) + 1,
    Number(multipleOf ?? NaN),
    1,
    (Math.floor(low / step) + 1) * step,
    0,
    Number(maximum ?? NaN),
    Number(exclusiveMaximum ?? NaN) - 1,
    (Math.ceil(high / step) - 1) * step,
    (low + high) / 2,
  ].filter(Number.isFinite);
  return (candidates.find((value) => isInBounds(schema, value)) ?? candidates[0] ?? 1) +
    variant * step;
}

function isInBounds(schema: JsonObject, value: number): boolean {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  return value >= Number(minimum ?? -Infinity) && value <= Number(maximum ?? Infinity) &&
    value > Number(exclusiveMinimum ?? -Infinity) && value < Number(exclusiveMaximum ?? Infinity) &&
    Number.isInteger(typeOf(schema) === "integer" ? value : 0) &&
    (multipleOf === undefined || Number.isInteger(value / Number(multipleOf)));
}

function plainString({ variant }: Sampling, schema: JsonObject): string {
  const word = fitted(variant === 0 ? "sample" : `${variant}sample`, schema);
  return fitsText(schema, word) ? word : generated(schema, variant) ?? word;
}

function fitsText(schema: JsonObject, text: string): boolean {
  const { pattern, minLength, maxLength } = schema;
  const { length } = [...text];
  return length >= Number(minLength ?? 0) && length <= Number(maxLength ?? Infinity) &&
    (typeof pattern !== "string" || compilePattern(pattern).test(text));
}

/** How many strings are generated for a pattern before it is given up. */
const ATTEMPTS = 500;

/** The first string of a pattern that the schema allows and that holds a text. */
function generated(schema: JsonObject, seed: number, part = ""): string | undefined {
  if (typeof schema.pattern !== "string") return undefined;
  try {
    const generator = new RandExp(compilePattern(schema.pattern));
    generator.max = Math.max(8, Number(schema.minLength ?? 0));
    let state = seed + 1;
    // The generator of Park and Miller: the same strings at every run.
    generator.randInt = (from, to) => from + (state = state * 48271 % 2147483647) % (to - from + 1);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const text = generator.gen();
      if (matches(`~${part}`, text) && fitsText(schema, text)) return text;
    }
  } catch {
    // A pattern that the generator cannot read: the caller has something plain instead.
  }
  return undefined;
}

/** Pads a text with letters, or cuts it, to the length that the schema allows. */
function fitted(text: string, { minLength, maxLength }: JsonObject): string {
  const padded = text.padEnd(Number(minLength ?? 0), "sample");
  return [...padded].slice(0, Number(maxLength ?? Infinity)).join("");
}

// What a match block wants

function overlaid(sampling: Sampling, schema: JsonObject, want: JsonValue): JsonValue {
  if (want === "*") return sampled(sampling, schema);
  const whole = merged(sampling.document, schema);
  if (typeof want === "string") return textFor(whole, want);
  if (Array.isArray(want)) {
    const wanted = want.map((item, index) => overlaid(sampling, itemSchema(whole, index), item));
    return [...wanted, ...listOf(sampled(sampling, schema)).slice(wanted.length)];
  }
  if (!isJsonObject(want)) return want;
  const wanted = Object.entries(want).map(([name, item]) => [
    name,
    overlaid(sampling, propertySchema(whole, name), item),
  ]);
  // Entries, not a spread: a property may be called `__proto__`.
  return Object.fromEntries([...Object.entries(mapOf(sampled(sampling, schema))), ...wanted]);
}

/**
 * A value that matches a text of a rule: one that the schema names, if there is such a one, else the
 * text as it stands there, unless the schema wants a number, a boolean or a pattern.
 */
function textFor(schema: JsonObject, want: string): JsonValue {
  const isPart = want.startsWith("~");
  const text = isPart || want.startsWith("=") ? want.slice(1) : want;
  const choice = [...listOf(schema.enum), ...examplesOf(schema)]
    .find((value) => matches(want, value));
  if (choice !== undefined) return choice;
  // Of a number, a part such as `25.` or `25.0` shows only when more digits follow.
  const texts = isPart && text.includes(".") ? [text, `${text}1`] : [text];
  const values = texts.map((digits) => parsed(digits, typeOf(schema)));
  const value = values.find((value) => value !== undefined && matches(want, value)) ?? values[0];
  if (value !== undefined || !isPart) return value ?? text;
  const word = fitted(text, { minLength: schema.minLength ?? 0 });
  return fitsText(schema, word) ? word : generated(schema, 0, text) ?? word;
}

function parsed(text: string, type: JsonValue | undefined): JsonValue | undefined {
  const lower = text.toLowerCase();
  if (type === "boolean" && (lower === "true" || lower === "false")) return lower === "true";
  if (type !== "integer" && type !== "number" || text.trim() === "") return undefined;
  const number = Number(text);
  const isFit = type === "integer" ? Number.isInteger(number) : Number.isFinite(number);
  return isFit ? number : undefined;
}

// Reading the schema

/**
 * Joins a schema with the ones it refers to or combines: all of `allOf`, and of alternatives the
 * first that is not `null`. Its own keywords win.
 */
function merged(
  document: SchemaDocument,
  schema: JsonObject,
  within: readonly JsonObject[] = [],
): JsonObject {
  const parts = [
    document.references.get(schema),
    ...listOf(schema.allOf),
    firstAlternative(schema.anyOf),
    firstAlternative(schema.oneOf),
  ].filter((part) => isJsonObject(part) && !within.includes(part) && part !== schema);
  return parts.reduce<JsonObject>(
    (whole, part) => joined(whole, merged(document, mapOf(part), [...within, schema])),
    schema,
  );
}

function joined(strong: JsonObject, weak: JsonObject): JsonObject {
  const properties = { ...mapOf(weak.properties), ...mapOf(strong.properties) };
  const required = [...new Set([...listOf(strong.required), ...listOf(weak.required)])];
  return {
    ...weak,
    ...strong,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function firstAlternative(schemas: JsonValue | undefined): JsonValue | undefined {
  const [first] = listOf(schemas);
  return listOf(schemas).find((schema) => mapOf(schema).type !== "null") ?? first;
}

function propertySchema(schema: JsonObject, name: string): JsonObject {
  const [pattern] = patternSchemas(schema, name);
  return mapOf(own(mapOf(schema.properties), name) ?? pattern ?? schema.additionalProperties);
}

function itemSchema(schema: JsonObject, index: number): JsonObject {
  return mapOf(listOf(schema.prefixItems)[index] ?? schema.items);
}

/** Whether a schema's sample would be part of itself. */
function isWithin({ document, within }: Sampling, schema: JsonObject): boolean {
  return within.includes(targetOf(document, schema));
}

function targetOf(document: SchemaDocument, schema: JsonObject): JsonObject {
  return document.references.get(schema) ?? schema;
}
