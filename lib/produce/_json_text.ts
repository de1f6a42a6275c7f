import type { JsonValue } from "../json.ts";

/** Writes a value that holds no others; `path` leads to it. */
type Leaf = (value: JsonValue, path: readonly string[]) => string;

/** Writes JSON on one line, with a space inside of braces or none. */
export function inlineJson(
  value: JsonValue,
  leaf: Leaf,
  space = " ",
  path: readonly string[] = [],
): string {
  if (typeof value !== "object" || value === null) return leaf(value, path);
  const members = membersOf(value, (one, key) => inlineJson(one, leaf, space, [...path, key]));
  if (Array.isArray(value)) return `[${members.join(", ")}]`;
  return members.length === 0 ? "{}" : `{${space}${members.join(", ")}${space}}`;
}

/** Writes an object or a list with a member a line. */
export function blockJson(
  value: JsonValue[] | { [key: string]: JsonValue },
  indent: number,
  write: (member: JsonValue, key: string) => string,
): string {
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const margin = " ".repeat(indent);
  const lines = membersOf(value, write).map((member) => `${margin}  ${member}`);
  return `${open}\n${lines.join(",\n")}\n${margin}${close}`;
}

/** JSON in a template: of two braces in a row, which would open a placeholder, one is escaped. */
export function literal(json: string): string {
  return json.replaceAll(/\{(?=\{)/g, "\\u007b");
}

function membersOf(
  value: JsonValue[] | { [key: string]: JsonValue },
  write: (member: JsonValue, key: string) => string,
): string[] {
  return Object.entries(value).map(([key, member]) =>
    (Array.isArray(value) ? "" : `${literal(JSON.stringify(key))}: `) + write(member, key)
  );
}
