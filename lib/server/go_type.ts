import { goQuote } from "../go_format.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** A Go type that JSON is read into. */
export type GoType =
  & { readonly name: string }
  & (
    | { readonly kind: "scalar"; readonly takes: (value: JsonValue) => boolean }
    | { readonly kind: "any" }
    | { readonly kind: "slice" | "map"; readonly element: GoType }
    | { readonly kind: "struct"; readonly members: Readonly<Record<string, GoType>> }
  );

/** How much of what does not fit the decoder quotes. */
const QUOTED = 32;

export const STRING = scalar("string", (value) => typeof value === "string");
export const BOOL = scalar("bool", (value) => typeof value === "boolean");
export const INT64 = scalar("int64", (value) => typeof value === "number");
export const ANY: GoType = { kind: "any", name: "interface {}" };
export const RAW_MESSAGE: GoType = { kind: "any", name: "json.RawMessage" };

function scalar(name: string, takes: (value: JsonValue) => boolean): GoType {
  return { kind: "scalar", name, takes };
}

/** `[]element`. */
export function slice(element: GoType): GoType {
  return { kind: "slice", name: `[]${element.name}`, element };
}

/** `map[string]element`. */
export function map(element: GoType): GoType {
  return { kind: "map", name: `map[string]${element.name}`, element };
}

/**
 * A struct.
 *
 * @param name Its name, with its package.
 * @param members Its fields by their JSON names.
 */
export function struct(name: string, members: Readonly<Record<string, GoType>>): GoType {
  return { kind: "struct", name, members };
}

/**
 * Reads JSON into a Go type as the decoder of the Go SDK does. `null` fits every type, members that
 * a struct has not are passed over, and the first that does not fit is told.
 *
 * Source: https://pkg.go.dev/github.com/segmentio/encoding/json (`UnmarshalTypeError`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { slice, STRING, struct, typeFault } from "./go_type.ts";
 *
 * const icon = struct("mcp.Icon", { sizes: slice(STRING) });
 * assert.equal(typeFault({ sizes: ["48x48"] }, icon), undefined);
 * assert.equal(
 *   typeFault({ sizes: [48] }, icon),
 *   'cannot unmarshal "48]}" into Go struct field mcp.Icon[]string.sizes.0 of type string',
 * );
 * ```
 *
 * @param value The JSON.
 * @param type The type.
 * @returns What the decoder says, or `undefined` when the value fits.
 */
export function typeFault(value: JsonValue, type: GoType): string | undefined {
  const fault = findFault(value, type);
  if (fault === undefined) return undefined;
  const { owners, path, wanted } = fault;
  const place = path.length === 0 ? "value" : `struct field ${owners}.${path.join(".")}`;
  const quoted = goQuote(shortened(textFrom(value, path)));
  return `cannot unmarshal ${quoted} into Go ${place} of type ${wanted.name}`;
}

/** A value that does not fit. */
interface Fault {
  /** The names of the types around it, one after the other. */
  readonly owners: string;
  /** Where it is. */
  readonly path: readonly string[];
  /** The type it does not fit. */
  readonly wanted: GoType;
}

function findFault(value: JsonValue, type: GoType): Fault | undefined {
  if (value === null || type.kind === "any") return undefined;
  if (!fits(value, type)) return { owners: "", path: [], wanted: type };
  if (type.kind === "scalar") return undefined;
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const itemType = memberType(type, key);
    const fault = itemType && findFault(item, itemType);
    if (fault === undefined) continue;
    const { owners, path, wanted } = fault;
    return { owners: type.name + owners, path: [key, ...path], wanted };
  }
  return undefined;
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

/** Text as the decoder quotes it: no more than its beginning. */
function shortened(text: string): string {
  return text.length < QUOTED ? text : `${text.slice(0, QUOTED)}...`;
}

function fits(value: JsonValue, type: Exclude<GoType, { kind: "any" }>): boolean {
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

function memberType(
  type: Exclude<GoType, { kind: "any" | "scalar" }>,
  key: string,
): GoType | undefined {
  if (type.kind !== "struct") return type.element;
  return Object.hasOwn(type.members, key) ? type.members[key] : undefined;
}
