import { isJsonObject, type JsonValue } from "../json.ts";
import { canonical } from "../schema/_canonical.ts";
import { plain } from "../plain.ts";

/** One place where two JSON values differ. A side without the place lacks the member. */
export interface Difference {
  /** Keys and indices on the way there, such as `inputSchema.properties.limit.maximum`. */
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Values are quoted up to this length. */
const LONGEST_VALUE = 72;

/**
 * Tells whether two values are the same JSON; the order of keys says nothing.
 *
 * @param a A value.
 * @param b Another.
 * @returns Whether they are equal.
 */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  return canonical(a) === canonical(b);
}

/**
 * Finds where two JSON values differ, as deep down as possible. Lists of plain values (`required`,
 * `enum`) are compared as a whole.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { differences } from "./json_difference.ts";
 *
 * const found = differences({ a: { b: 1 }, c: 2 }, { a: { b: 2 }, d: 3 });
 * assert.deepEqual(found.map(({ path }) => path), ["a.b", "c", "d"]);
 * ```
 *
 * @param before The old value.
 * @param after The new one.
 * @returns The differences; none when the values are equal.
 */
export function differences(before: JsonValue, after: JsonValue): Difference[] {
  return between(before, after, "");
}

/**
 * Words a difference as one line: `+ path: value`, `- path: value` or `~ path: before → after`.
 *
 * @param difference The difference.
 * @returns The line.
 */
export function differenceText({ path, before, after }: Difference): string {
  if (before === undefined) return `+ ${plain(path)}: ${shorten(after!)}`;
  if (after === undefined) return `- ${plain(path)}: ${shorten(before)}`;
  return `~ ${plain(path)}: ${shorten(before)} → ${shorten(after)}`;
}

function between(before: JsonValue, after: JsonValue, path: string): Difference[] {
  if (sameJson(before, after)) return [];
  const branches = branchesOf(before, after);
  if (branches === undefined) return [{ path, before, after }];
  return branches.flatMap(([key, old, now]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    if (old === undefined) return [{ path: inner, after: now! }];
    if (now === undefined) return [{ path: inner, before: old }];
    return between(old, now, inner);
  });
}

type Branch = readonly [key: string, before: JsonValue | undefined, after: JsonValue | undefined];

/** The members to compare, or `undefined` for two values that are compared as a whole. */
function branchesOf(before: JsonValue, after: JsonValue): Branch[] | undefined {
  const objects = isJsonObject(before) && isJsonObject(after);
  const lists = Array.isArray(before) && Array.isArray(after) &&
    [...before, ...after].every((item) => typeof item === "object" && item !== null);
  if (!objects && !lists) return undefined;
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].map((key) => [key, old.get(key), now.get(key)]);
}

function shorten(value: JsonValue): string {
  const text = plain(JSON.stringify(value));
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
