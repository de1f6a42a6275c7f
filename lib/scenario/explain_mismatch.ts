import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { matches } from "./match.ts";

/** A part of a rule that arguments do not satisfy. */
export interface Mismatch {
  /** Where: keys between dots, `[]` for what a list should hold; "" for the whole. */
  readonly path: string;
  /** What the rule asks for there. */
  readonly want: JsonValue;
  /** What is there; absent where nothing is. */
  readonly got?: JsonValue;
}

/**
 * Says why the arguments of a call do not satisfy a selection rule.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mismatches } from "./explain_mismatch.ts";
 *
 * assert.deepEqual(mismatches({ query: "~sushi", at: { lat: 25 } }, { query: "ramen", at: {} }), [
 *   { path: "query", want: "~sushi", got: "ramen" },
 *   { path: "at.lat", want: 25 },
 * ]);
 * ```
 *
 * @returns Every part that does not fit; none when {@linkcode matches} says that they do.
 */
export function mismatches(rule: JsonObject, args: JsonValue): Mismatch[] {
  return between(rule, args, "");
}

function between(want: JsonValue, got: JsonValue | undefined, path: string): Mismatch[] {
  if (got !== undefined && matches(want, got)) return [];
  if (isJsonObject(want) && isJsonObject(got)) {
    return Object.entries(want).flatMap(([key, inner]) =>
      between(
        inner,
        Object.hasOwn(got, key) ? got[key] : undefined,
        path === "" ? key : `${path}.${key}`,
      )
    );
  }
  if (Array.isArray(want) && Array.isArray(got)) {
    return want.filter((inner) => !got.some((candidate) => matches(inner, candidate)))
      .map((inner) => ({ path: `${path}[]`, want: inner, got }));
  }
  return [{ path, want, ...(got !== undefined && { got }) }];
}
