import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { canonical } from "../schema/canonical.ts";
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
 *
 * @param path Where they are; a value that is not there is `undefined`.
 */
export function differences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = "",
): Difference[] {
  if (before === undefined) return after === undefined ? [] : [{ path, after }];
  if (after === undefined) return [{ path, before }];
  if (sameJson(before, after)) return [];
  if (!haveMembers(before, after)) return [{ path, before, after }];
  const [old, now] = [before, after].map((value) => new Map(Object.entries(value!)));
  return [...new Set([...old!.keys(), ...now!.keys()])].flatMap((key) =>
    differences(old!.get(key), now!.get(key), path === "" ? key : `${path}.${key}`)
  );
}

/** Whether two values are compared member by member. */
function haveMembers(before: JsonValue, after: JsonValue): before is JsonObject | JsonValue[] {
  if (isJsonObject(before)) return isJsonObject(after);
  return Array.isArray(before) && Array.isArray(after) &&
    [...before, ...after].every((item) => typeof item === "object" && item !== null);
}

/** Words a difference as one line: `+ path: value`, `- path: value` or `~ path: before → after`. */
export function differenceText({ path, before, after }: Difference): string {
  if (before === undefined) return `+ ${plain(path)}: ${shorten(after!)}`;
  if (after === undefined) return `- ${plain(path)}: ${shorten(before)}`;
  return `~ ${plain(path)}: ${shorten(before)} → ${shorten(after)}`;
}

function shorten(value: JsonValue): string {
  const text = plain(JSON.stringify(value));
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
