import { basename, dirname, join } from "node:path";
import type { Fixture, ToolDefinition } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { FixtureError } from "../fixture/problem.ts";
import { isJsonObject, type JsonValue } from "../json.ts";
import {
  type Cause,
  causesOf,
  findRenames,
  type Rename,
  renameArguments,
  renameInCoherence,
  renamesFor,
  type Wanted,
} from "../produce/renames.ts";
import { schemaProblem } from "../schema/compile.ts";
import { sampleValue } from "../schema/sample.ts";
import { COHERENCE_FILE } from "../store/embedded_files.ts";
import { schemaFault } from "../store/folder.ts";
import { type Difference, differences } from "./json_difference.ts";
import { newToolFile, replaceDefinition } from "./tool_file.ts";

/** A tool file to be written. */
export interface PlannedFile {
  readonly tool: string;
  readonly path: string;
  /** What it is to hold. */
  readonly text: string;
  /** The text, parsed. */
  readonly fixture: Fixture;
  /** How its definition differs from the one before; empty for a new file. */
  readonly differences: readonly Difference[];
  /** The arguments that its rules and placeholders call by another name now. */
  readonly renames: readonly Rename[];
  /** Those that seem to have another name, which nobody has confirmed. */
  readonly likely: readonly Rename[];
  /** What else became of its arguments. */
  readonly causes: readonly Cause[];
}

/** What an import is to change. */
export interface ImportPlan {
  readonly updated: readonly PlannedFile[];
  readonly created: readonly PlannedFile[];
  /** The tools that are in the folder but not in the list. */
  readonly vanished: readonly Fixture[];
  /** The text for `coherence.json`, where that names a renamed argument. */
  readonly coherence?: { readonly path: string; readonly text: string };
  /** How many definitions are the same. */
  readonly unchanged: number;
}

/** Domains by the first word of a tool's name, where nothing in the folder tells. */
const DOMAINS: Readonly<Record<string, string>> = {
  order: "orders",
  ride: "rides",
  reverse: "location",
};

/**
 * Plans how to bring a folder of tool files up to a `tools/list`: which definitions to replace and
 * which files to add. A definition that is the same JSON is left alone, however it is written.
 *
 * @throws {FixtureError} When a definition makes a file that cannot be used.
 */
export function planImport(
  tools: readonly ToolDefinition[],
  fixtures: ReadonlyMap<string, Fixture>,
  directory: string,
  readText: (path: string) => string,
  wanted: readonly Wanted[] = [],
): ImportPlan {
  const listed = new Set(tools.map(({ name }) => name));
  const known = tools.filter(({ name }) => fixtures.has(name));
  const updated = known.flatMap((definition) => {
    const fixture = fixtures.get(definition.name)!;
    const found = differences(fixture.definition, definition);
    if (found.length === 0) return [];
    const renames = wanted.flatMap((one) => renamesFor(one, fixture.definition, definition));
    const isKnown = (rename: Rename): boolean =>
      renames.some(({ from, within }) =>
        from === rename.from && within.join(".") === rename.within.join(".")
      );
    const before = replaceDefinition(readText(fixture.path), fixture, definition, renames);
    const file = planned(fixture.path, renameArguments(before, renames));
    return [{
      ...file,
      differences: found,
      renames,
      likely: findRenames(fixture.definition, definition).filter((one) => !isKnown(one)),
      causes: causesOf(fixture, definition, renames),
    }];
  });
  const created = tools.filter(({ name }) => !fixtures.has(name)).map((definition) => {
    const { domain, folder } = placeOf(definition.name, [...fixtures.values()], directory);
    const text = newToolFile(definition, domain, sampleAnswer(definition.outputSchema));
    const file = planned(join(folder, `${definition.name}.md`), text);
    return { ...file, differences: [], renames: [], likely: [], causes: [] };
  });
  const coherence = planCoherence(updated, directory, readText);
  return {
    updated,
    created,
    ...(coherence !== undefined && { coherence }),
    vanished: [...fixtures.values()].filter(({ tool }) => !listed.has(tool)),
    unchanged: known.length - updated.length,
  };
}

function planCoherence(
  updated: readonly PlannedFile[],
  directory: string,
  readText: (path: string) => string,
): ImportPlan["coherence"] {
  const renames = updated.flatMap((file) => file.renames);
  if (renames.length === 0) return undefined;
  const path = join(directory, COHERENCE_FILE);
  try {
    const before = readText(path);
    const text = renameInCoherence(before, renames);
    return text === before ? undefined : { path, text };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** A success: an `error` beside it would make it a failure (docs/SPEC.md). */
function sampleAnswer(schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema) || schemaProblem(schema) !== undefined) return {};
  const answer = sampleValue(schema, { optional: true });
  const { required } = schema;
  if (isJsonObject(answer) && !(Array.isArray(required) && required.includes("error"))) {
    delete answer.error;
  }
  return answer;
}

/** Parses what is about to be written, so that no import leaves a file that cannot be used. */
function planned(
  path: string,
  text: string,
): Pick<PlannedFile, "tool" | "path" | "text" | "fixture"> {
  const fixture = parseFixture(text, path);
  const fault = schemaFault(fixture);
  if (fault !== undefined) throw new FixtureError([fault]);
  return { tool: fixture.tool, path, text, fixture };
}

/** Where a new tool belongs: beside the tools whose names start with the same word. */
export function placeOf(
  tool: string,
  fixtures: readonly Fixture[],
  directory: string,
): { domain: string; folder: string } {
  const prefix = prefixOf(tool);
  const sibling = fixtures.find((fixture) => prefixOf(fixture.tool) === prefix);
  if (sibling !== undefined) {
    const folder = dirname(sibling.path);
    return { domain: sibling.domain || basename(folder), folder };
  }
  const domain = Object.hasOwn(DOMAINS, prefix) ? DOMAINS[prefix]! : prefix;
  return { domain, folder: join(directory, domain) };
}

function prefixOf(tool: string): string {
  const underscore = tool.indexOf("_");
  return underscore < 1 ? tool : tool.slice(0, underscore);
}
