import type { ToolDefinition } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue, tryParse } from "../json.ts";
import { lineAt, locateJsonError } from "../json_error.ts";
import { CliError } from "./io.ts";
import { sameJson } from "./json_difference.ts";

/** What a saved `tools/list` holds. */
export interface ToolsList {
  readonly tools: readonly ToolDefinition[];
  /** Whether the list goes on in pages that were not saved. */
  readonly partial: boolean;
}

/** What the protocol allows in a name, and is good as the name of a file. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/;

/**
 * Puts the pages of a saved `tools/list` together, in whatever order they were saved; one at least.
 *
 * @throws {CliError} When a tool in them cannot be used; says why.
 */
export function toolsIn(pages: readonly JsonObject[], source: string): ToolsList {
  const tools = new Map<string, ToolDefinition>();
  for (const value of pages.flatMap((page) => page.tools as JsonValue[])) {
    const tool = asDefinition(value, source);
    const known = tools.get(tool.name);
    if (known !== undefined && !sameJson(known, tool)) {
      throw new CliError(`${source} defines \`${tool.name}\` twice, in different ways.`);
    }
    tools.set(tool.name, tool);
  }
  if (tools.size === 0) throw new CliError(`${source} holds an empty list of tools.`);
  // The last page is the one that names no other.
  const partial = pages.every(({ nextCursor }) => typeof nextCursor === "string" && nextCursor);
  return { tools: [...tools.values()], partial };
}

/** Says why there is no list in a text. */
export function noListIn(text: string, source: string): CliError {
  if ([text, ...text.split("\n")].every((part) => tryParse(part) === undefined)) {
    const { message, offset } = locateJsonError(text);
    return new CliError(`${source}:${lineAt(text, offset)}: ${message}`);
  }
  return new CliError(
    `${source} holds no tools/list result.\n` +
      `Save one as {"tools": […]}, as a JSON-RPC response, or as an Inspector export.`,
  );
}

function asDefinition(value: JsonValue, source: string): ToolDefinition {
  const { name, inputSchema } = isJsonObject(value) ? value : {};
  if (typeof name !== "string") throw new CliError(`${source} lists a tool without a name.`);
  if (!NAME.test(name) || name.endsWith(".") || name === "README") {
    throw new CliError(
      `${source}: the tool name ${JSON.stringify(name)} cannot be the name of a file.`,
    );
  }
  if (!isJsonObject(inputSchema) || inputSchema.type !== "object") {
    throw new CliError(`${source}: \`${name}\` has no \`inputSchema\` with "type": "object".`);
  }
  return value as ToolDefinition;
}
