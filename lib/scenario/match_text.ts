import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { plain } from "../plain.ts";

/**
 * Says a match rule on one line: `restaurant_id = 30104, query ~ sushi, pickup.latitude = 25.1`.
 * `=` is "equals", `~` "contains", `= *` "is there".
 */
export function matchText(match: JsonObject): string {
  const leaves = leavesOf(match, "");
  return leaves.length === 0 ? "any arguments" : leaves.join(", ");
}

function leavesOf(want: JsonValue, path: string): string[] {
  if (isJsonObject(want)) {
    const entries = Object.entries(want);
    if (entries.length === 0) return path === "" ? [] : [`${path} is an object`];
    return entries.flatMap(([key, value]) =>
      leavesOf(value, path === "" ? plain(key) : `${path}.${plain(key)}`)
    );
  }
  if (Array.isArray(want)) {
    if (want.length === 0) return [`${path} is a list`];
    return want.flatMap((element) => leavesOf(element, `${path}[]`));
  }
  return [`${path} ${condition(want)}`];
}

function condition(want: JsonValue): string {
  if (typeof want !== "string") return `= ${JSON.stringify(want)}`;
  if (want.startsWith("~")) return `~ ${quoted(want.slice(1))}`;
  if (want === "*") return "= *";
  return `= ${want.startsWith("=") ? JSON.stringify(want.slice(1)) : quoted(want)}`;
}

/** Bare where that is clear, else as JSON has it. */
function quoted(text: string): string {
  return /^[^\s,"*~=]+$/u.test(text) ? plain(text) : JSON.stringify(text);
}
