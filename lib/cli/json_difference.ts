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

/** Tells whether two values are the same JSON; the order of keys says nothing. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  return canonical(a) === canonical(b);
}

/**
 * Finds where two JSON values differ, as deep down as possible. Lists of plain values (`required`,
 * `enum`) are compared as a whole.
 */
export function differences(before: JsonValue, after: JsonValue): Difference[] {
  return between(before, after, "");
}

/** Words a difference as one line: `+ path: value`, `- path: value` or `~ path: before → after`. */
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
