import { basename, dirname, join } from "node:path";
import type { Fixture, ToolDefinition } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { FixtureError } from "../fixture/problem.ts";
import { isJsonObject, type JsonValue } from "../json.ts";
import { type Recorded, recordScenarios, type Writing } from "../produce/record.ts";
import type { Exchange } from "../produce/recording.ts";
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
import { newToolFile, replaceDefinition } from "../produce/tool_file.ts";
import { schemaProblem } from "../schema/compile.ts";
import { listOf } from "../schema/document.ts";
import { sampleValue } from "../schema/sample.ts";
import { COHERENCE_FILE } from "../store/embedded_files.ts";
import { schemaFault } from "../store/folder.ts";
import { type Difference, differences } from "./json_difference.ts";

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
  /** What became of its recorded calls. */
  readonly recorded?: Recorded;
}

/** What an import is to change. */
export interface ImportPlan {
  readonly updated: readonly PlannedFile[];
  readonly created: readonly PlannedFile[];
  /** The tools that are in the folder but not in the list, as far as that is known. */
  readonly vanished: readonly Fixture[];
  /** The text for `coherence.json`, where that names a renamed argument. */
  readonly coherence?: { readonly path: string; readonly text: string };
  /** How many definitions are the same. */
  readonly unchanged: number;
  /** What became of the recorded calls, tool by tool. */
  readonly recorded: readonly Recorded[];
  /** The tools that were called and are defined neither in the recording nor in the folder. */
  readonly unknown: readonly string[];
}

/** A recorded call that tells which tool it is of. */
export type RecordedCall = Exchange & { readonly tool: string };

/** What an import brings, and where to. */
export interface Import {
  /** The listed tools; none where nothing was listed. */
  readonly tools: readonly ToolDefinition[];
  /** Whether there may be further tools, of which nothing is known. */
  readonly partial: boolean;
  readonly calls: readonly RecordedCall[];
  /** How the calls become scenarios. */
  readonly writing: Writing;
  /** The usable fixtures of the folder. */
  readonly fixtures: ReadonlyMap<string, Fixture>;
  readonly directory: string;
}

/** Domains by the first word of a tool's name, where nothing in the folder tells. */
const DOMAINS: Readonly<Record<string, string>> = {
  order: "orders",
  ride: "rides",
  reverse: "location",
};

/**
 * Plans how to bring a folder of tool files up to a `tools/list` and to recorded calls: which
 * definitions to replace, which files to add, which scenarios. A definition that is the same JSON is
 * left alone, however it is written.
 *
 * @param wanted Arguments that have another name.
 * @throws {FixtureError} When a definition makes a file that cannot be used.
 */
export function planImport(
  { tools, partial, calls, writing, fixtures, directory }: Import,
  wanted: readonly Wanted[],
): ImportPlan {
  const listed = new Map(tools.map((definition) => [definition.name, definition]));
  const callsOf = Map.groupBy(calls, ({ tool }) => tool);
  const record = (file: PlannedFile): PlannedFile =>
    withCalls(file, callsOf.get(file.tool), writing);
  const old = [...fixtures.values()].map((one) =>
    record(updatedFile(one, listed.get(one.tool), wanted))
  );
  const created = tools.filter(({ name }) => !fixtures.has(name)).map((definition) =>
    record(createdFile(definition, [...fixtures.values()], directory))
  );
  const [updated, same] = [old.filter(isChanged), old.filter((file) => !isChanged(file))];
  const coherence = planCoherence(updated, directory);
  return {
    updated,
    created,
    ...(coherence !== undefined && { coherence }),
    vanished: partial ? [] : [...fixtures.values()].filter(({ tool }) => !listed.has(tool)),
    unchanged: same.filter(({ tool }) => tools.length === 0 || listed.has(tool)).length,
    recorded: [...old, ...created].flatMap(({ recorded }) => recorded ?? []),
    unknown: [...callsOf.keys()].filter((tool) => !fixtures.has(tool) && !listed.has(tool)),
  };
}

function isChanged({ differences, recorded }: PlannedFile): boolean {
  return differences.length > 0 || (recorded !== undefined && recorded.added.length > 0);
}

/** A file with another definition, if that differs. */
function updatedFile(
  fixture: Fixture,
  definition: ToolDefinition | undefined,
  wanted: readonly Wanted[],
): PlannedFile {
  const { path } = fixture;
  const before = Deno.readTextFileSync(path);
  const found = definition === undefined ? [] : differences(fixture.definition, definition);
  if (definition === undefined || found.length === 0) return untouched(fixture, before);
  const renames = wanted.flatMap((one) => renamesFor(one, fixture.definition, definition));
  const isKnown = (rename: Rename): boolean =>
    renames.some(({ from, within }) =>
      from === rename.from && within.join(".") === rename.within.join(".")
    );
  const replaced = replaceDefinition(before, fixture, definition, renames);
  return {
    ...planned(path, renameArguments(replaced, renames)),
    differences: found,
    renames,
    likely: findRenames(fixture.definition, definition).filter((one) => !isKnown(one)),
    causes: causesOf(fixture, definition, renames),
  };
}

function createdFile(
  definition: ToolDefinition,
  fixtures: readonly Fixture[],
  directory: string,
): PlannedFile {
  const { domain, folder } = placeOf(definition.name, fixtures, directory);
  const text = newToolFile(definition, domain, sampleAnswer(definition.outputSchema));
  return planned(join(folder, `${definition.name}.md`), text);
}

/** Puts recorded calls into a file as scenarios. */
function withCalls(
  file: PlannedFile,
  calls: readonly RecordedCall[] | undefined,
  writing: Writing,
): PlannedFile {
  if (calls === undefined) return file;
  const recorded = recordScenarios(file.text, file.path, calls, writing);
  const { text } = recorded;
  return { ...file, text, fixture: parseFixture(text, file.path), recorded };
}

function planCoherence(
  updated: readonly PlannedFile[],
  directory: string,
): ImportPlan["coherence"] {
  const renames = updated.flatMap((file) => file.renames);
  if (renames.length === 0) return undefined;
  const path = join(directory, COHERENCE_FILE);
  try {
    const before = Deno.readTextFileSync(path);
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
  if (isJsonObject(answer) && !listOf(schema.required).includes("error")) delete answer.error;
  return answer;
}

/** Parses what is about to be written, so that no import leaves a file that cannot be used. */
function planned(path: string, text: string): PlannedFile {
  const fixture = parseFixture(text, path);
  const fault = schemaFault(fixture);
  if (fault !== undefined) throw new FixtureError([fault]);
  return untouched(fixture, text);
}

function untouched(fixture: Fixture, text: string): PlannedFile {
  const { tool, path } = fixture;
  return { tool, path, text, fixture, differences: [], renames: [], likely: [], causes: [] };
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
  return /^[^_]+/.exec(tool)?.[0] ?? tool;
}
