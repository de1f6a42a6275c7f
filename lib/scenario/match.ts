import { isJsonObject, type JsonValue } from "../json.ts";

/**
 * Tells whether the arguments of a call satisfy a selection rule (the table of BUILD.md §3).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { matches } from "./match.ts";
 *
 * assert(matches({ query: "~sushi" }, { query: "Best SUSHI near me", limit: 5 }));
 * assert(!matches({ query: null }, {}));
 * ```
 *
 * @param want The rule, or a part of it.
 * @param got The arguments, or the part of them at the same place.
 * @returns Whether `got` matches.
 */
export function matches(want: JsonValue, got: JsonValue): boolean {
  if (typeof want === "string") return matchesText(want, got);
  if (Array.isArray(want)) {
    return Array.isArray(got) &&
      want.every((element) => got.some((candidate) => matches(element, candidate)));
  }
  if (isJsonObject(want)) {
    return isJsonObject(got) &&
      Object.entries(want).every(([key, value]) =>
        Object.hasOwn(got, key) && matches(value, got[key]!)
      );
  }
  return want === got;
}

function matchesText(want: string, got: JsonValue): boolean {
  if (got === null) return false;
  if (want === "*") return true;
  const text = textOf(got).toLowerCase();
  if (want.startsWith("~")) return text.includes(want.slice(1).toLowerCase());
  return text === (want.startsWith("=") ? want.slice(1) : want).toLowerCase();
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
