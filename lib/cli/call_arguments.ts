import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../json.ts";
import { parseJson } from "../json_error.ts";
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
    throw new CliError(
      "JSON must stand alone: one text with all arguments, in quotes, and no other word beside it.",
      EXIT.usage,
    );
  }
  const args: JsonObject = {};
  for (const word of words) assign(args, word, schema);
  return args;
}

/** A lone word that starts like JSON is meant as JSON, even where it is not quite. */
function isWholeJson(word: string): boolean {
  if (/^\s*[[{"]/.test(word)) return true;
  if (word.includes("=")) return false;
  try {
    JSON.parse(word);
    return true;
  } catch {
    return false;
  }
}

function assign(args: JsonObject, word: string, schema: JsonObject): void {
  const equals = word.indexOf("=");
  if (equals < 1) {
    throw new CliError(
      `\`${word}\` is neither key=value nor JSON.\n` +
        `Write pairs like limit=5, one JSON object, or - to read it from standard input.`,
      EXIT.usage,
    );
  }
  const key = word.slice(0, equals);
  const path = hasProperty(schema, key) ? [key] : key.split(".");
  if (path.includes("")) {
    throw new CliError(`\`${key}\` has an empty part between its dots.`, EXIT.usage);
  }
  let container: JsonObject | JsonValue[] = args;
  let here: JsonValue | undefined = schema;
  for (const [index, part] of path.entries()) {
    const name = nameIn(container, part, key);
    here = below(here, part);
    if (index === path.length - 1) {
      if (read(container, name) !== undefined) {
        throw new CliError(`\`${key}\` is given twice.`, EXIT.usage);
      }
      write(container, name, readValue(word.slice(equals + 1), here));
      return;
    }
    const next: JsonValue = read(container, name) ?? (isArraySchema(here) ? [] : {});
    if (typeof next !== "object" || next === null) {
      const taken = path.slice(0, index + 1).join(".");
      throw new CliError(`\`${key}\`: \`${taken}\` has a value already.`, EXIT.usage);
    }
    write(container, name, next);
    container = next as JsonObject | JsonValue[];
  }
}

/** The key or index in a container that a part of a key names; arrays are filled in order. */
function nameIn(container: JsonObject | JsonValue[], part: string, key: string): string | number {
  if (!Array.isArray(container)) return part;
  const index = /^(?:0|[1-9]\d{0,8})$/.test(part) ? Number(part) : Infinity;
  if (index <= container.length) return index;
  throw new CliError(
    `\`${key}\`: \`${part}\` should be ${container.length}, the next index of the list.`,
    EXIT.usage,
  );
}

function read(container: JsonObject | JsonValue[], name: string | number): JsonValue | undefined {
  return Object.hasOwn(container, name) ? (container as JsonObject)[name] : undefined;
}

/** Defines rather than assigns: a key may be `__proto__`. */
function write(container: JsonObject | JsonValue[], name: string | number, value: JsonValue): void {
  Object.defineProperty(container, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function readValue(text: string, schema: JsonValue | undefined): JsonValue {
  const types = typesOf(schema);
  if (types.length === 1 && types[0] === "string") return text;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  // Of a property that may be a string or something else, a number is only read if it may be one.
  return types.length === 0 || types.includes(jsonTypeOf(value)) ||
      (types.includes("number") && jsonTypeOf(value) === "integer") || !types.includes("string")
    ? value
    : text;
}

function below(schema: JsonValue | undefined, part: string): JsonValue | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { properties, items } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, part)) return properties[part];
  return isArraySchema(schema) ? items : undefined;
}

function hasProperty({ properties }: JsonObject, key: string): boolean {
  return isJsonObject(properties) && Object.hasOwn(properties, key);
}

function isArraySchema(schema: JsonValue | undefined): boolean {
  return typesOf(schema).includes("array");
}

function typesOf(schema: JsonValue | undefined): JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { type, enum: values } = schema;
  if (type === undefined && Array.isArray(values)) return [...new Set(values.map(jsonTypeOf))];
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}
