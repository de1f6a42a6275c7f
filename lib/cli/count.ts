/**
 * Counts things in words: `1 tool`, `3 tools`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { count } from "./count.ts";
 *
 * assert(count(1, "tool") === "1 tool" && count(0, "tool") === "0 tools");
 * ```
 *
 * @param number How many.
 * @param noun What, for one of it.
 * @returns The number and the noun.
 */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
