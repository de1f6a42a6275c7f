import { goQuote } from "./format.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** A Go type that JSON is read into. `any` takes any JSON and reads it, `raw` keeps it as it came. */
export type GoType =
  | ReadType
  | { readonly kind: "any"; readonly name: string }
  | { readonly kind: "raw"; readonly name: string };

/** A Go type of which not every JSON is. */
type ReadType =
  & { readonly name: string }
  & (
    | { readonly kind: "scalar"; readonly takes: (value: JsonValue) => boolean }
    | { readonly kind: "slice" | "map"; readonly element: GoType }
    | { readonly kind: "struct"; readonly members: Readonly<Record<string, GoType>> }
  );

/** How many bytes of what does not fit the decoder quotes. */
const QUOTED = 32;

export const STRING = scalar("string", (value) => typeof value === "string");
export const BOOL = scalar("bool", (value) => typeof value === "boolean");
export const INT64 = scalar("int64", Number.isInteger);
export const ANY: GoType = { kind: "any", name: "interface {}" };
export const RAW_MESSAGE: GoType = { kind: "raw", name: "json.RawMessage" };

const FLOAT64 = scalar("float64", Number.isFinite);
const NUMBERS: readonly GoType[] = [INT64, FLOAT64];
const ANY_SCALAR = scalar(ANY.name, () => true);
const ANY_SLICE = slice(ANY);
const ANY_MAP = map(ANY);

function scalar(name: string, takes: (value: JsonValue) => boolean): ReadType {
  return { kind: "scalar", name, takes };
}

/** `[]element`. */
export function slice(element: GoType): ReadType {
  return { kind: "slice", name: `[]${element.name}`, element };
}

/** `map[string]element`. */
export function map(element: GoType): ReadType {
  return { kind: "map", name: `map[string]${element.name}`, element };
}

/** A struct, by its name with its package and its fields' JSON names. */
export function struct(name: string, members: Readonly<Record<string, GoType>>): GoType {
  return { kind: "struct", name, members };
}

/**
 * Reads JSON into a Go type as the decoder of the Go SDK does. `null` fits every type, members that
 * a struct has not are passed over, and the first that does not fit is told.
 *
 * Source: https://pkg.go.dev/github.com/segmentio/encoding/json (`UnmarshalTypeError`).
 *
 * @returns What the decoder says, or `undefined` when the value fits.
 */
export function unmarshalError(value: JsonValue, type: GoType): string | undefined {
  const misfit = findMisfit(value, type);
  if (misfit === undefined) return undefined;
  const { owners, path, value: unfit, wanted } = misfit;
  const place = path.length === 0 ? "value" : `struct field ${owners}.${path.join(".")}`;
  // Of a number that is too large or no integer, no more than its digits is quoted.
  const isNumber = typeof unfit === "number" && NUMBERS.includes(wanted);
  const quoted = isNumber ? goQuote(digitsOf(unfit)) : quotedBeginning(textFrom(value, path));
  return `cannot unmarshal ${quoted} into Go ${place} of type ${wanted.name}`;
}

/** A value that does not fit. */
interface Misfit {
  /** The names of the types around it, one after the other. */
  readonly owners: string;
  /** Where it is. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** The type it does not fit. */
  readonly wanted: GoType;
}

/** What Go's decoder makes of arguments: an object, or what it says. */
export type Unmarshalled = { readonly object: JsonObject } | { readonly error: string };

/**
 * Reads JSON into Go's `map[string]any`: it must be an object (`null` is an empty one), half a
 * surrogate pair becomes U+FFFD, and a number must fit into a float64.
 */
export function unmarshalObject(value: JsonValue): Unmarshalled {
  const error = unmarshalError(value, ANY_MAP);
  if (error !== undefined) return { error };
  const object = (value ?? {}) as JsonObject;
  return { object: isWellFormed(object) ? object : wellFormed(object) as JsonObject };
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}

function findMisfit(value: JsonValue, type: GoType): Misfit | undefined {
  if (value === null || type.kind === "raw") return undefined;
  const actual = type.kind === "any" ? typeOfAny(value) : type;
  if (!fits(value, actual)) return { owners: "", path: [], value, wanted: actual };
  if (typeof value !== "object") return undefined;
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const itemType = memberType(actual, key);
    const misfit = itemType && findMisfit(item, itemType);
    if (misfit === undefined) continue;
    return { ...misfit, owners: actual.name + misfit.owners, path: [key, ...misfit.path] };
  }
  return undefined;
}

/** What `interface {}` becomes for a value. */
function typeOfAny(value: Exclude<JsonValue, null>): ReadType {
  if (Array.isArray(value)) return ANY_SLICE;
  if (typeof value === "object") return ANY_MAP;
  return typeof value === "number" ? FLOAT64 : ANY_SCALAR;
}

/** The JSON of a value from a part of it on: what the decoder has yet to read there. */
function textFrom(value: JsonValue, [key, ...path]: readonly string[]): string {
  if (key === undefined) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const entries = Object.entries(value as JsonObject);
  const at = entries.findIndex(([name]) => name === key);
  const after = entries.slice(at + 1).map(([name, item]) =>
    (isArray ? "" : `${JSON.stringify(name)}:`) + JSON.stringify(item)
  );
  return [textFrom(entries[at]![1], path), ...after].join(",") + (isArray ? "]" : "}");
}

/** Text as the decoder quotes it: no more than its first bytes, whole characters or not. */
function quotedBeginning(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length < QUOTED) return goQuote(text);
  let end = QUOTED;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  const whole = goQuote(new TextDecoder().decode(bytes.subarray(0, end))).slice(0, -1);
  const broken = [...bytes.subarray(end, QUOTED)].map((byte) => `\\x${byte.toString(16)}`);
  return `${whole}${broken.join("")}..."`;
}

/** The digits of a number; those of one that is too large are lost, and these are as good as any. */
function digitsOf(number: number): string {
  return Number.isFinite(number) ? String(number) : number > 0 ? "1e999" : "-1e999";
}

function fits(value: JsonValue, type: ReadType): boolean {
  switch (type.kind) {
    case "scalar":
      return type.takes(value);
    case "slice":
      return Array.isArray(value);
    case "map":
    case "struct":
      return isJsonObject(value);
  }
}

function memberType(type: ReadType, key: string): GoType | undefined {
  if (type.kind === "slice" || type.kind === "map") return type.element;
  return type.kind === "struct" && Object.hasOwn(type.members, key) ? type.members[key] : undefined;
}
