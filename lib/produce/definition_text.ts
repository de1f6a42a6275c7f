import { getNodeValue, type Node, parseTree } from "jsonc-parser";
import { isJsonObject, type JsonValue } from "../json.ts";
import { canonical } from "../schema/_canonical.ts";
import type { Rename } from "./renames.ts";

/** New parts of a definition that is written compactly stay on one line up to this width. */
const WIDTH = 150;

/**
 * Writes a definition in the manner of the one before: what is equal keeps its text, byte for byte,
 * also under a new name, and what is new is written like what is there.
 *
 * @param before The old definition's text.
 * @param after The new definition.
 * @param renames What has another name in it.
 * @returns The new text.
 */
export function definitionText(
  before: string,
  after: JsonValue,
  renames: readonly Rename[] = [],
): string {
  const root = parseTree(before);
  const text = before.trim();
  if (root === undefined || !text.includes("\n")) return JSON.stringify(after, null, 2);
  const isCompact = /[{[] *"[^\n]*[}\]],?$/m.test(text);
  const space = /\{ "/.test(text) ? " " : "";
  const oldNames = new Map(renames.map(({ from, to }) => [to, from]));

  const write = (value: JsonValue, old: Node | undefined, indent: number): string => {
    const oldText = old && before.slice(old.offset, old.offset + old.length);
    if (old !== undefined && canonical(getNodeValue(old)) === canonical(value)) return oldText!;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const wasFlat = oldText === undefined ? isCompact && !isNested(value) : !oldText.includes("\n");
    const flat = inlineJson(value, space);
    if (flat.length === 2 || (isCompact && wasFlat && flat.length + indent <= WIDTH)) return flat;
    const isList = Array.isArray(value);
    const known = new Map(
      old?.type === "object"
        ? old.children!.map(({ children }) => [String(children![0]!.value), children![1]!])
        : [],
    );
    const margin = " ".repeat(indent);
    const lines = Object.entries(value).map(([key, member], index) => {
      const node = isList
        ? old?.type === "array" ? old.children?.[index] : undefined
        : known.get(key) ?? known.get(oldNames.get(key) ?? "");
      const name = isList ? "" : `${JSON.stringify(key)}: `;
      return `${margin}  ${name}${write(member, node, indent + 2)}`;
    });
    const [open, close] = isList ? "[]" : "{}";
    return `${open}\n${lines.join(",\n")}\n${margin}${close}`;
  };
  return write(after, root, 0);
}

function isNested(value: JsonValue[] | { [key: string]: JsonValue }): boolean {
  return Object.values(value).some(isJsonObject);
}

/** A value on one line, with a space inside of braces or none. */
function inlineJson(value: JsonValue, space: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => inlineJson(item, space)).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) =>
    `${JSON.stringify(key)}: ${inlineJson(one, space)}`
  );
  return members.length === 0 ? "{}" : `{${space}${members.join(", ")}${space}}`;
}
