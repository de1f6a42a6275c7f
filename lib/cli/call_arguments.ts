import { type JsonObject, jsonTypeOf, type JsonValue, own, tryParse } from "../json.ts";
import { parseJson } from "../json_error.ts";
import { mapOf } from "../schema/document.ts";
import { CliError, EXIT } from "./io.ts";

/**
 * Reads the arguments of a call from the words of a command line: nothing, one JSON text, or
 * `key=value` pairs. A dotted key reaches into objects (`pickup.latitude=25.1`) and, where the
 * schema has an array, into that (`options.0.id=5`). A value is JSON where it is valid JSON, except
 * for properties that are strings.
 *
 * @returns The arguments; whatever JSON was given, also where it is no object.
 */
export function readArguments(words: readonly string[], schema: JsonObject): JsonValue {
  const [first, ...rest] = words;
  if (first === undefined) return {};
  if (rest.length === 0 && isWholeJson(first)) return parseJson(first, "the arguments");
  if (words.some((word) => /^\s*[[{]/.test(word))) {
    throw refusal(
      "JSON must stand alone: one text with all arguments, in quotes, and no other word beside it.",
    );
  }
  const args: JsonObject = {};
  for (const word of words) assign(args, word, schema);
  return args;
}

/** A lone word that starts like JSON is meant as JSON, even where it is not quite. */
function isWholeJson(word: string): boolean {
  return /^\s*[[{"]/.test(word) || (!word.includes("=") && tryParse(word) !== undefined);
}

function assign(args: JsonObject, word: string, schema: JsonObject): void {
  const equals = word.indexOf("=");
  if (equals < 1) {
    throw refusal(
      `\`${word}\` is neither key=value nor JSON.\n` +
        `Write pairs like limit=5, one JSON object, or - to read it from standard input.`,
    );
  }
  const key = word.slice(0, equals);
  const path = own(mapOf(schema.properties), key) === undefined ? key.split(".") : [key];
  if (path.includes("")) throw refusal(`\`${key}\` has an empty part between its dots.`);
  let container: JsonObject = args;
  let here: JsonValue | undefined = schema;
  for (const [index, part] of path.entries()) {
    // Lists are filled in order.
    if (
      Array.isArray(container) &&
      !(/^(?:0|[1-9]\d*)$/.test(part) && Number(part) <= container.length)
    ) {
      const next = `\`${part}\` should be ${container.length}, the next index of the list.`;
      throw refusal(`\`${key}\`: ${next}`);
    }
    here = below(here, part);
    const known = own(container, part);
    if (index === path.length - 1) {
      if (known !== undefined) throw refusal(`\`${key}\` is given twice.`);
      define(container, part, readValue(word.slice(equals + 1), here));
      return;
    }
    const next: JsonValue = known ?? (isArraySchema(here) ? [] : {});
    if (typeof next !== "object" || next === null) {
      const taken = path.slice(0, index + 1).join(".");
      throw refusal(`\`${key}\`: \`${taken}\` has a value already.`);
    }
    define(container, part, next);
    container = next as JsonObject;
  }
}

function refusal(message: string): CliError {
  return new CliError(message, EXIT.usage);
}

/** Defines rather than assigns: a key may be `__proto__`. */
function define(container: JsonObject, name: string, value: JsonValue): void {
  const attributes = { writable: true, enumerable: true, configurable: true };
  Object.defineProperty(container, name, { value, ...attributes });
}

function readValue(text: string, schema: JsonValue | undefined): JsonValue {
  const types = typesOf(schema);
  if (types.length === 1 && types[0] === "string") return text;
  const value = tryParse(text);
  if (value === undefined) return text;
  // Of a property that may be a string or something else, a number is only read if it may be one.
  return types.length === 0 || types.includes(jsonTypeOf(value)) ||
      (types.includes("number") && jsonTypeOf(value) === "integer") || !types.includes("string")
    ? value
    : text;
}

function below(schema: JsonValue | undefined, part: string): JsonValue | undefined {
  const { properties, items } = mapOf(schema);
  return own(mapOf(properties), part) ?? (isArraySchema(schema) ? items : undefined);
}

function isArraySchema(schema: JsonValue | undefined): boolean {
  return typesOf(schema).includes("array");
}

function typesOf(schema: JsonValue | undefined): JsonValue[] {
  const { type, enum: values } = mapOf(schema);
  if (type === undefined && Array.isArray(values)) return [...new Set(values.map(jsonTypeOf))];
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}
