import { join, relative } from "node:path";
import type { Fixture, ToolDefinition } from "../fixture/fixture.ts";

/** What is known of one embedded tool file without parsing it. */
export interface IndexEntry {
  /** The file, relative to the folder, with `/` on every system. */
  readonly file: string;
  readonly tool: string;
  readonly domain: string;
  readonly definitionLine: number;
  readonly scenarioCount: number;
}

/** Definitions by tool name. */
export type Definitions = Readonly<Record<string, ToolDefinition>>;

const INDEX = "index.json";
const DEFINITIONS = "definitions.json";

/**
 * Writes the index of an embedded folder into it: what a server has to know when it starts, and
 * the definitions that it lists. All else stays in the tool files, which were read from `source`.
 */
export function writeIndex(
  fixtures: readonly Fixture[],
  source: string,
  directory: string,
): void {
  const index = fixtures.map(({ path, tool, domain, definitionLine, scenarios }): IndexEntry => ({
    file: portable(relative(source, path)),
    tool,
    domain,
    definitionLine,
    scenarioCount: scenarios.length,
  }));
  const definitions = Object.fromEntries(
    fixtures.map(({ tool, definition }) => [tool, definition]),
  );
  Deno.writeTextFileSync(join(directory, INDEX), JSON.stringify(index));
  // As they are: every client asks for them at once, and to unpack them would take longer.
  Deno.writeTextFileSync(join(directory, DEFINITIONS), JSON.stringify(definitions));
}

/** Reads the index of an embedded folder; `undefined` when it has none. */
export function readIndex(directory: string): readonly IndexEntry[] | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(join(directory, INDEX)));
  } catch {
    return undefined;
  }
}

/** Reads the definitions of an embedded folder that has an index. */
export function readDefinitions(directory: string): Definitions {
  return JSON.parse(Deno.readTextFileSync(join(directory, DEFINITIONS)));
}

/**
 * Writes a relative path with `/`, as every system reads it. A backslash separates folders on
 * Windows and belongs to a name elsewhere.
 */
export function portable(path: string, windows: boolean = Deno.build.os === "windows"): string {
  return windows ? path.replaceAll("\\", "/") : path;
}
