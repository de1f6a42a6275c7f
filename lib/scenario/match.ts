import { isJsonObject, type JsonValue } from "../json.ts";

/**
 * Tells whether the arguments of a call satisfy a selection rule (the table of docs/SPEC.md, section 4).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { matches } from "./match.ts";
 *
 * assert(matches({ query: "~sushi" }, { query: "Best SUSHI near me", limit: 5 }));
 * assert(!matches({ query: null }, {}));
 * ```
 */
export function matches(want: JsonValue, got: JsonValue): boolean {
  return compileRule(want)(got, foldingOnce());
}

/** A selection rule, ready to be tried on the arguments of many calls. */
export type Rule = (got: JsonValue, fold: Fold) => boolean;

/** Gives a value as the text that text rules look at: its JSON unless it is text, in lower case. */
export type Fold = (value: JsonValue) => string;

/**
 * Folds each value once, however many rules look at it: an argument may be megabytes long, and a
 * file may have hundreds of rules.
 */
export function foldingOnce(): Fold {
  const known = new Map<JsonValue, string>();
  return (value) => {
    let folded = known.get(value);
    if (folded === undefined) {
      folded = (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
      known.set(value, folded);
    }
    return folded;
  };
}

/**
 * Prepares a selection rule, which must not be changed afterwards: a file may have hundreds, and a
 * call may have to try them all.
 */
export function compileRule(want: JsonValue): Rule {
  if (typeof want === "string") return textRule(want);
  if (Array.isArray(want)) {
    const rules = want.map(compileRule);
    return (got, fold) =>
      Array.isArray(got) && rules.every((rule) => got.some((candidate) => rule(candidate, fold)));
  }
  if (isJsonObject(want)) {
    const rules = Object.entries(want).map(([key, value]) => ({ key, rule: compileRule(value) }));
    return (got, fold) =>
      isJsonObject(got) &&
      rules.every(({ key, rule }) => Object.hasOwn(got, key) && rule(got[key]!, fold));
  }
  return (got) => want === got;
}

function textRule(want: string): Rule {
  if (want === "*") return (got) => got !== null;
  if (want.startsWith("~")) {
    const part = want.slice(1).toLowerCase();
    return (got, fold) => got !== null && fold(got).includes(part);
  }
  const text = (want.startsWith("=") ? want.slice(1) : want).toLowerCase();
  return (got, fold) => got !== null && fold(got) === text;
}
