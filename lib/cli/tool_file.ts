import type { Fixture, ToolDefinition } from "../fixture/fixture.ts";
import { SCAFFOLD } from "../check/check_scaffold.ts";
import type { JsonValue } from "../json.ts";
import { definitionText } from "../produce/definition_text.ts";
import type { Rename } from "../produce/renames.ts";

const FENCE = "```";

/**
 * Puts another definition into the text of a tool file. Equal parts of it keep their text. Only the
 * lines of the `json tool` block change; line ends, prose and scenarios stay as they are.
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

/** Writes the file of a new tool, with one scenario that answers every call. */
export function newToolFile(definition: ToolDefinition, domain: string, answer: JsonValue): string {
  const { name, title } = definition;
  const heading = typeof title === "string" ? title.replaceAll(/\s+/g, " ").trim() : "";
  return [
    "---",
    `tool: ${name}`,
    `domain: ${domain}`,
    "---",
    "",
    `# ${heading || name}`,
    "",
    "## Definition",
    "",
    `${FENCE}json tool`,
    ...prettyLines(definition),
    FENCE,
    "",
    "## Scenario: default",
    "",
    `${SCAFFOLD} this is only a sample, made up from the output schema.`,
    "",
    `${FENCE}json response`,
    ...prettyLines(answer).map(withoutPlaceholders),
    FENCE,
    "",
  ].join("\n");
}

function prettyLines(value: JsonValue): string[] {
  return JSON.stringify(value, null, 2).split("\n");
}

/** Two braces in a row can only stand in a string here, where an escape keeps them literal. */
function withoutPlaceholders(line: string): string {
  return line.replaceAll(/\{(?=\{)/g, "\\u007b");
}
