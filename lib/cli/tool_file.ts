import type { Fixture, ToolDefinition } from "../fixture/fixture.ts";
import type { JsonValue } from "../json.ts";

const FENCE = "```";

/**
 * Puts another definition into the text of a tool file. Only the lines of the `json tool` block
 * change; line ends, prose and scenarios stay as they are, byte for byte.
 *
 * @param text The file's text.
 * @param fixture What was parsed from it.
 * @param definition The new definition.
 * @returns The new text.
 */
export function replaceDefinition(
  text: string,
  fixture: Fixture,
  definition: ToolDefinition,
): string {
  // Each piece is a line with its own end.
  const lines = text.split(/(?<=\n)/);
  const first = fixture.definitionLine;
  const end = /\r?\n$/.exec(lines[first - 1]!)?.[0] ?? "\n";
  const length = lines.slice(first).findIndex((line) => /^```[ \t]*\r?\n?$/.test(line));
  const block = prettyLines(definition).map((line) => line + end);
  return [...lines.slice(0, first), ...block, ...lines.slice(first + length)].join("");
}

/**
 * Writes the file of a new tool, with one scenario that answers every call.
 *
 * @param definition The tool's definition.
 * @param domain Its domain.
 * @param answer What the scenario answers.
 * @returns The file's text.
 */
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
    "Default: a sample built from the output schema; replace it with a real answer.",
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
