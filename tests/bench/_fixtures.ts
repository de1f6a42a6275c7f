import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";

/** What to generate. */
export interface FolderSize {
  readonly tools: number;
  /** Scenarios of each tool. */
  readonly scenarios: number;
}

const FENCE = "```";

/**
 * Writes tool files, about as large as the library's: with 20 scenarios, 25 kB each.
 *
 * @param folder Where to; it is created.
 * @param size How many.
 * @returns How many bytes were written.
 */
export function writeFixtures(folder: string, { tools, scenarios }: FolderSize): number {
  let bytes = 0;
  for (let tool = 0; tool < tools; tool++) {
    const directory = join(folder, `domain_${Math.floor(tool / 100)}`);
    if (tool % 100 === 0) Deno.mkdirSync(directory, { recursive: true });
    const text = toolText(tool, scenarios);
    Deno.writeTextFileSync(join(directory, `${toolName(tool)}.md`), text);
    bytes += text.length;
  }
  return bytes;
}

/** The name of the nth generated tool. */
export function toolName(tool: number): string {
  return `generated_tool_${tool}`;
}

/** The parameters of a call of the nth generated tool that its nth scenario answers. */
export function callParams(tool: number, scenario: number): JsonObject {
  return { name: toolName(tool), arguments: { item_id: itemId(scenario), latitude: 25.0866 } };
}

function itemId(scenario: number): string {
  return `ITEM-${scenario}`;
}

function toolText(tool: number, scenarios: number): string {
  const name = toolName(tool);
  const sections = Array.from({ length: scenarios }, (_, scenario) =>
    section(
      `item-${scenario}`,
      answer(tool, scenario),
      scenario === scenarios - 1 ? undefined : { item_id: itemId(scenario), latitude: "*" },
    ));
  return [
    `---\ntool: ${name}\ndomain: generated\n---\n\n# ${name}`,
    `## Definition\n\n${FENCE}json tool\n${JSON.stringify(definition(name), null, 2)}\n${FENCE}`,
    ...sections,
  ].join("\n\n") + "\n";
}

function section(name: string, template: string, match?: JsonObject): string {
  const rule = match ? `${FENCE}json match\n${JSON.stringify(match)}\n${FENCE}\n\n` : "";
  return `## Scenario: ${name}\n\n${rule}${FENCE}json response\n${template}\n${FENCE}`;
}

function answer(tool: number, scenario: number): string {
  const options = Array.from({ length: 6 }, (_, option) => ({
    id: `OPTION-${scenario}-${option}`,
    label: `Option ${option} of item ${scenario}`,
    price: { amount: 10 + option / 4, currency: "AED" },
  }));
  const item = { id: itemId(scenario), tool, name: { value: `Item ${scenario}` }, options };
  return JSON.stringify({ item, asked: "{{args.latitude}}", at: "{{now}}" }, null, 2)
    .replace('"{{args.latitude}}"', "{{args.latitude}}");
}

function definition(name: string): JsonObject {
  return {
    name,
    title: name,
    description: `A tool that was generated to measure with: ${name}.`,
    inputSchema: {
      type: "object",
      properties: {
        item_id: { type: "string", description: "The item's id.", minLength: 1 },
        latitude: { type: "number", description: "Degrees.", minimum: -90, maximum: 90 },
        limit: { type: "integer", description: "The most items.", default: 10 },
      },
      required: ["item_id"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { item: { type: "object" } } },
    annotations: { readOnlyHint: true, openWorldHint: true },
  };
}
