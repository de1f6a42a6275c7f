import { getNodeValue, type Node, parseTree } from "jsonc-parser";
import { SCAFFOLD } from "../check/check_scaffold.ts";
import type { Fixture, ToolDefinition } from "../fixture/fixture.ts";
import { isJsonObject, type JsonValue } from "../json.ts";
import { canonical } from "../schema/canonical.ts";
import { blockJson, inlineJson, literal } from "./_json_text.ts";
import type { Rename } from "./renames.ts";

const FENCE = "```";
/** New parts of a definition that is written compactly stay on one line up to this width. */
const WIDTH = 150;

/**
 * Puts another definition into the text of a tool file. Only the lines of the `json tool` block
 * change; line ends, prose and scenarios stay as they are.
 *
 * @param renames What has only another name in it.
 */
export function replaceDefinition(
  text: string,
  fixture: Fixture,
  definition: ToolDefinition,
  renames: readonly Rename[] = [],
): string {
  // Each piece is a line with its own end.
  const lines = text.split(/(?<=\n)/);
  const first = fixture.definitionLine;
  const end = /\r?\n$/.exec(lines[first - 1]!)?.[0] ?? "\n";
  const length = lines.slice(first).findIndex((line) => /^```[ \t]*\r?\n?$/.test(line));
  const before = lines.slice(first, first + length).join("").replaceAll("\r\n", "\n");
  const block = definitionText(before, definition, renames).split("\n").map((line) => line + end);
  return [...lines.slice(0, first), ...block, ...lines.slice(first + length)].join("");
}

/**
 * Writes a definition in the manner of the one before: what is equal keeps its text, byte for byte,
 * also under a new name, and what is new is written like what is there.
 */
function definitionText(
  before: string,
  after: ToolDefinition,
  renames: readonly Rename[],
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
    const flat = inlineJson(value, (leaf) => JSON.stringify(leaf), space);
    if (typeof value !== "object" || value === null || flat.length === 2) return flat;
    const wasFlat = oldText === undefined
      ? !Object.values(value).some(isJsonObject)
      : !oldText.includes("\n");
    if (isCompact && wasFlat && flat.length + indent <= WIDTH) return flat;
    const known = new Map<string, Node>(
      old?.children?.map((child, index) =>
        child.type === "property"
          ? [String(child.children![0]!.value), child.children![1]!]
          : [String(index), child]
      ),
    );
    return blockJson(
      value,
      indent,
      (member, key) =>
        write(member, known.get(key) ?? known.get(oldNames.get(key) ?? ""), indent + 2),
    );
  };
  return write(after, root, 0);
}

/** Writes the file of a new tool, with one scenario that answers every call. */
export function newToolFile(definition: ToolDefinition, domain: string, answer: JsonValue): string {
  const { name, title } = definition;
  const heading = typeof title === "string" ? title.replaceAll(/\s+/g, " ").trim() : "";
  return [
    ...["---", `tool: ${name}`, `domain: ${domain}`, "---", ""],
    ...[`# ${heading || name}`, ""],
    ...["## Definition", "", `${FENCE}json tool`, JSON.stringify(definition, null, 2), FENCE, ""],
    ...["## Scenario: default", ""],
    ...[`${SCAFFOLD} this is only a sample, made up from the output schema.`, ""],
    ...[`${FENCE}json response`, literal(JSON.stringify(answer, null, 2)), FENCE, ""],
  ].join("\n");
}
