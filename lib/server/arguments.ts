import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { ANY, map, typeFault } from "./go_type.ts";

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
  const odd = oddIn(args, []);
  if (odd === undefined) return { args };
  const { value, path } = odd;
  if (typeof value !== "number") return { args: wellFormed(args) as JsonObject };
  // Its digits are lost by now; these are as good as any.
  const digits = value > 0 ? "1e999" : "-1e999";
  const place = `Go struct field ${ARGUMENTS.name}.${path.join(".")} of type float64`;
  return { fault: `unmarshaling arguments: json: cannot unmarshal "${digits}" into ${place}` };
}

/** The worst of the values that Go reads in another way: a number out of range, else a text. */
function oddIn(
  value: JsonValue,
  path: readonly string[],
): { value: JsonValue; path: readonly string[] } | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { value, path };
  if (typeof value === "string") return value.isWellFormed() ? undefined : { value, path };
  if (typeof value !== "object" || value === null) return undefined;
  let text;
  for (const [key, item] of Object.entries(value)) {
    const odd = oddIn(item, [...path, key]);
    if (typeof odd?.value === "number") return odd;
    text ??= odd ?? (key.isWellFormed() ? undefined : { value: key, path });
  }
  return text;
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}
