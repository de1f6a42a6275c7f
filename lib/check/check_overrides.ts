import { basename } from "node:path";
import { parseTree } from "jsonc-parser";
import type { JsonValue } from "../json.ts";
import { lineAt, locateJsonError } from "../json_error.ts";
import { parseOverridesObject } from "../control/overrides.ts";
import { findScenario } from "../scenario/select.ts";
import type { Folder } from "../store/folder.ts";
import type { Finding } from "./finding.ts";

/**
 * Finds entries of an overrides file that a server ignores: of a tool or a scenario that does not
 * exist, or with a value that is no name (DECISIONS.md, row 20).
 *
 * @param text The file's text.
 * @param path The file, for messages.
 * @param folder The fixtures.
 * @returns A finding for each, in file order.
 */
export function checkOverrides(text: string, path: string, folder: Folder): Finding[] {
  const at = (line: number, message: string, tool?: string): Finding => ({
    path,
    line,
    rule: "override",
    ...(tool !== undefined && { tool }),
    message,
  });
  if (text.trim() === "") return [];
  const entries = parseOverridesObject(text);
  if (entries === undefined) {
    return [at(faultLine(text), "not a JSON object, so nothing is forced; mend or delete it")];
  }
  const lines = keyLines(text);
  return Object.entries(entries).flatMap(([tool, value]) => {
    const message = fault(tool, value, folder);
    return message === undefined ? [] : [at(lines.get(tool) ?? 1, message, tool)];
  });
}

function fault(tool: string, value: JsonValue, { fixtures, problems }: Folder): string | undefined {
  const fixture = fixtures.get(tool);
  if (fixture === undefined) {
    // The file of a tool that cannot be used at the moment has a finding of its own.
    if (problems.some(({ path }) => basename(path) === `${tool}.md`)) return undefined;
    return `there is no tool \`${tool}\`; remove the entry`;
  }
  if (typeof value !== "string") return `\`${tool}\`: the scenario's name must be a string`;
  if (findScenario(fixture, value) !== undefined) return undefined;
  return `\`${tool}\` has no scenario \`${value}\`; remove the entry, or name one that exists`;
}

function faultLine(text: string): number {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return 1;
  } catch {
    return lineAt(text, locateJsonError(text).offset);
  }
}

/** The line of each key; of a key that is there twice, the last one, which is the one that counts. */
function keyLines(text: string): Map<string, number> {
  const properties = parseTree(text)?.children ?? [];
  return new Map(
    properties.map(({ offset, children }) => [String(children?.[0]?.value), lineAt(text, offset)]),
  );
}
