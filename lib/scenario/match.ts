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
  return compileRule(want)(got);
}

/** A selection rule, ready to be tried on the arguments of many calls. */
export type Rule = (got: JsonValue) => boolean;

/**
 * Prepares a selection rule: a file may have hundreds, and a call may have to try them all.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compileRule } from "./match.ts";
 *
 * const rule = compileRule({ query: "~sushi" });
 * assert(rule({ query: "SUSHI" }) && !rule({}));
 * ```
 *
 * @param want The rule, or a part of it; it must not be changed afterwards.
 * @returns Tells whether arguments match it.
 */
export function compileRule(want: JsonValue): Rule {
  if (typeof want === "string") return textRule(want);
  if (Array.isArray(want)) {
    const rules = want.map(compileRule);
    return (got) =>
      Array.isArray(got) && rules.every((rule) => got.some((candidate) => rule(candidate)));
  }
  if (isJsonObject(want)) {
    const rules = Object.entries(want).map(([key, value]) => ({ key, rule: compileRule(value) }));
    return (got) =>
      isJsonObject(got) &&
      rules.every(({ key, rule }) => Object.hasOwn(got, key) && rule(got[key]!));
  }
  return (got) => want === got;
}

function textRule(want: string): Rule {
  if (want === "*") return (got) => got !== null;
  if (want.startsWith("~")) {
    const part = want.slice(1).toLowerCase();
    return (got) => got !== null && lowerCaseOf(got).includes(part);
  }
  const text = (want.startsWith("=") ? want.slice(1) : want).toLowerCase();
  return (got) => got !== null && lowerCaseOf(got) === text;
}

function lowerCaseOf(value: JsonValue): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
}
