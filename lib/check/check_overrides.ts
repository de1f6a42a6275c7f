import { parseTree } from "jsonc-parser";
import { parseOverrides } from "../control/overrides.ts";
import { overridesProblems } from "../control/overrides_problems.ts";
import { tryParse } from "../json.ts";
import { lineAt, locateJsonError } from "../json_error.ts";
import { type Folder, knownTools } from "../store/folder.ts";
import type { Finding } from "./finding.ts";

/**
 * Finds entries of an overrides file that force nothing: of a tool or a scenario that does not
 * exist, or with a value that cannot be understood.
 */
export function checkOverrides(text: string, path: string, folder: Folder): Finding[] {
  const lines = keyLines(text);
  return overridesProblems(parseOverrides(text), knownTools(folder))
    .map(({ key, message }): Finding => ({
      path,
      line: key === undefined ? problemLine(text) : lines.get(key) ?? 1,
      rule: "override",
      ...(key !== undefined && { tool: key }),
      message,
    }))
    .toSorted((a, b) => a.line - b.line);
}

function problemLine(text: string): number {
  const isJson = tryParse(text.replace(/^\uFEFF/, "")) !== undefined;
  return isJson ? 1 : lineAt(text, locateJsonError(text).offset);
}

/** The line of each key; of a key that is there twice, the last one, which is the one that counts. */
function keyLines(text: string): Map<string, number> {
  const properties = parseTree(text)?.children ?? [];
  return new Map(
    properties.map(({ offset, children }) => [String(children?.[0]?.value), lineAt(text, offset)]),
  );
}
