import { isJsonObject, type JsonObject } from "../json.ts";

/** Which scenario each tool is forced into: tool name → scenario name. */
export type Overrides = ReadonlyMap<string, string>;

/**
 * Reads the overrides a server obeys. Whatever cannot be used means "no override": a text that is
 * no JSON object, a value that is no string. A developer's slip must never break a call.
 *
 * Source: BUILD.md §6; DECISIONS.md, row 20.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readOverrides } from "./overrides.ts";
 *
 * assert(readOverrides('{"ride_book": "no-captains"}').get("ride_book") === "no-captains");
 * assert(readOverrides("{oops").size === 0);
 * ```
 *
 * @param text The file's text.
 * @returns The overrides.
 */
export function readOverrides(text: string): Overrides {
  const entries = Object.entries(parseOverridesObject(text) ?? {});
  return new Map(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/**
 * Parses an overrides file for editing, where every entry is kept as it is.
 *
 * @param text The file's text.
 * @returns The object it holds, or `undefined` when it holds anything else.
 */
export function parseOverridesObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
