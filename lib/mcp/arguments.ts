import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { ANY, map, typeFault } from "../go/type.ts";

/** The arguments of a call, or what Go's decoder says of them. */
export type ReadArguments = { readonly args: JsonObject } | { readonly fault: string };

/** What the Go SDK reads arguments into. */
const ARGUMENTS = map(ANY);

/**
 * Reads the arguments of a call as the Go SDK does: they must be an object, half a surrogate pair
 * becomes U+FFFD, and a number must fit into a float64.
 *
 * Source: go-sdk, `unmarshalSchema` (mcp/tool.go), and https://pkg.go.dev/encoding/json.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readArguments } from "./arguments.ts";
 *
 * assert.deepEqual(readArguments({ a: "\ud800" }), { args: { a: "\ufffd" } });
 * assert("fault" in readArguments([]));
 * ```
 *
 * @param given The `arguments` of the call, in any shape a client may send.
 * @returns The arguments, or the fault.
 */
export function readArguments(given: JsonValue): ReadArguments {
  const fault = typeFault(given, ARGUMENTS);
  if (fault !== undefined) return { fault: `unmarshaling arguments: json: ${fault}` };
  const args = (given ?? {}) as JsonObject;
  return { args: isWellFormed(args) ? args : wellFormed(args) as JsonObject };
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
