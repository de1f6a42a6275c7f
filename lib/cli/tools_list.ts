import type { ToolDefinition } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { locateJsonError } from "../json_error.ts";
import { CliError } from "./io.ts";
import { sameJson } from "./json_difference.ts";

/** What a saved `tools/list` holds. */
export interface ToolsList {
  readonly tools: readonly ToolDefinition[];
  /** Whether the list goes on in pages that were not saved. */
  readonly partial: boolean;
}

/** Members that saved answers wrap a list in: JSON-RPC, an Inspector's history, logs. */
const WRAPPERS = ["result", "response", "message", "payload", "data"] as const;

/** What the protocol allows in a name, and is good as the name of a file. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/;

/**
 * Reads a saved `tools/list`: the bare result, a JSON-RPC response, an Inspector export, several
 * pages of any of these in an array or a line each, or an event stream as `curl` saves it.
 *
 * @throws {CliError} When there is no usable list in it; says why.
 */
export function readToolsList(text: string, source: string): ToolsList {
  const pages = readMessages(text.replace(/^\uFEFF/, ""), source).flatMap(pagesIn);
  if (pages.length === 0) {
    throw new CliError(
      `${source} holds no tools/list result.\n` +
        `Save one as {"tools": […]}, as a JSON-RPC response, or as an Inspector export.`,
    );
  }
  const tools = new Map<string, ToolDefinition>();
  for (const value of pages.flatMap((page) => page.tools)) {
    const tool = asDefinition(value, source);
    const known = tools.get(tool.name);
    if (known !== undefined && !sameJson(known, tool)) {
      throw new CliError(`${source} defines \`${tool.name}\` twice, in different ways.`);
    }
    tools.set(tool.name, tool);
  }
  if (tools.size === 0) throw new CliError(`${source} holds an empty list of tools.`);
  // The last page is the one that names no other; pages may have been saved in any order.
  return { tools: [...tools.values()], partial: pages.every((page) => page.partial) };
}

/** One JSON text, else one a line, where lines may be those of an event stream. */
function readMessages(text: string, source: string): JsonValue[] {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split(/\r?\n/)
      .filter((line) => line.trim() !== "" && !/^(?:event|id|retry|):/.test(line))
      .map((line) => line.replace(/^data:/, ""));
    try {
      if (lines.length > 0) return lines.map((line) => JSON.parse(line));
    } catch {
      // The first reading has the better message.
    }
    const { message, offset } = locateJsonError(text);
    const line = text.slice(0, offset).split("\n").length;
    throw new CliError(`${source}:${line}: ${message}`);
  }
}

interface Page {
  readonly tools: readonly JsonValue[];
  readonly partial: boolean;
}

function pagesIn(value: JsonValue): Page[] {
  if (Array.isArray(value)) {
    const bare = value.length > 0 && value.every((item) => isJsonObject(item) && isTool(item));
    return bare ? [{ tools: value, partial: false }] : value.flatMap(pagesIn);
  }
  if (typeof value === "string") return pagesInText(value);
  if (!isJsonObject(value)) return [];
  const { tools, nextCursor } = value;
  if (Array.isArray(tools)) {
    return [{ tools, partial: typeof nextCursor === "string" && nextCursor !== "" }];
  }
  return WRAPPERS.flatMap((wrapper) =>
    Object.hasOwn(value, wrapper) ? pagesIn(value[wrapper]!) : []
  );
}

/** An Inspector's history holds its messages as JSON texts. */
function pagesInText(text: string): Page[] {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return pagesIn(JSON.parse(text));
  } catch {
    return [];
  }
}

function isTool(value: JsonObject): boolean {
  return typeof value.name === "string" && isJsonObject(value.inputSchema);
}

function asDefinition(value: JsonValue, source: string): ToolDefinition {
  const name = isJsonObject(value) && typeof value.name === "string" ? value.name : undefined;
  if (name === undefined) throw new CliError(`${source} lists a tool without a name.`);
  if (!NAME.test(name) || name.endsWith(".") || name === "README") {
    throw new CliError(
      `${source}: the tool name ${JSON.stringify(name)} cannot be the name of a file.`,
    );
  }
  const { inputSchema } = value as JsonObject;
  if (!isJsonObject(inputSchema) || inputSchema.type !== "object") {
    throw new CliError(`${source}: \`${name}\` has no \`inputSchema\` with "type": "object".`);
  }
  return value as ToolDefinition;
}
