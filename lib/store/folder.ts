import { basename, join, resolve } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { FixtureError, type Problem } from "../fixture/problem.ts";
import { reasonOf } from "../reason.ts";
import { unreadable } from "../schema/document.ts";
import { listFiles, NoToolFolderError } from "./list_files.ts";

/** A folder has no tool file in it, or is not there. */
export class EmptyFolderError extends FixtureError {
  /** @param directory The folder. */
  constructor(directory: string) {
    const message = "no tool file (*.md) in this folder; name the right one with --tools";
    super([{ path: directory, line: 1, message }]);
  }
}

/** What a folder of tool files holds. */
export interface Folder {
  /** The usable fixtures in the order of their paths; a tool's first file wins. */
  readonly fixtures: ReadonlyMap<string, Fixture>;
  /** Everything that is wrong, file by file. */
  readonly problems: readonly Problem[];
}

/** Reads every `*.md` below a folder except `README.md` (docs/SPEC.md). */
export function readFolder(directory: string): Folder {
  const { kept, problems } = readEach(directory, (fixture) => fixture);
  return { fixtures: kept, problems };
}

/** Reads a folder and keeps something of each usable file, by tool name. */
function readEach<T extends { readonly path: string }>(
  directory: string,
  keep: (fixture: Fixture) => T,
): { kept: ReadonlyMap<string, T>; problems: readonly Problem[] } {
  const kept = new Map<string, T>();
  const problems: Problem[] = [];
  const paths = listToolFiles(
    directory,
    (folder, error) => problems.push(...problemsOf(error, folder)),
  );
  const unrelated = new Set<string>();
  for (const path of paths) {
    try {
      const text = Deno.readTextFileSync(path);
      if (!/^\ufeff?---|^## (?:Definition|Scenario)/m.test(text)) unrelated.add(path);
      const fixture = parseFixture(text, path);
      const first = kept.get(fixture.tool);
      const problem = schemaFault(fixture) ?? (first && duplicate(fixture, first));
      if (problem !== undefined) problems.push(problem);
      else kept.set(fixture.definition.name, keep(fixture));
    } catch (error) {
      problems.push(...problemsOf(error, path));
    }
  }
  // One alone may be a tool file that lost its beginning, which is told with its place.
  if (paths.length > 1 && unrelated.size === paths.length) {
    throw new NoToolFolderError(`none of its ${paths.length} Markdown files defines a tool`);
  }
  return { kept, problems };
}

/**
 * The tools of a folder by name, with `undefined` for those whose file, which bears the name of the
 * tool, cannot be used.
 */
export function knownTools({ fixtures, problems }: Folder): Map<string, Fixture | undefined> {
  const broken = problems.map(({ path }) => [basename(path, ".md"), undefined] as const);
  return new Map([...broken, ...fixtures]);
}

/**
 * Reads a folder that a server is to start on.
 *
 * @throws {FixtureError} When any file cannot be used, with the problems of all, or there is none.
 */
export function loadFolder(directory: string): ReadonlyMap<string, Fixture> {
  return loadEach(directory, (fixture) => fixture);
}

/** Reads a folder as {@linkcode loadFolder} does and keeps less of it. */
export function loadEach<T extends { readonly path: string }>(
  directory: string,
  keep: (fixture: Fixture) => T,
): ReadonlyMap<string, T> {
  const { kept, problems } = readEach(directory, keep);
  if (problems.length > 0) throw new FixtureError(problems);
  if (kept.size > 0) return kept;
  throw new EmptyFolderError(directory);
}

/**
 * Finds the file of a folder that defines a tool: the first usable one in the order of their paths.
 * Only files whose frontmatter holds the name are parsed, since this runs while a call waits.
 */
export function findToolFile(directory: string, tool: string): string | undefined {
  return listToolFiles(directory).find((path) => {
    try {
      const text = Deno.readTextFileSync(path);
      const frontmatter = text.slice(0, text.indexOf("\n---", 3));
      return frontmatter.includes(tool) && parseFixture(text, path).tool === tool;
    } catch {
      return false;
    }
  });
}

/** The paths of all tool files, sorted. */
function listToolFiles(
  directory: string,
  onUnreadable?: (folder: string, error: unknown) => void,
): string[] {
  const folder = resolve(directory);
  return listFiles(folder, onUnreadable)
    .filter((file) => file.endsWith(".md") && basename(file) !== "README.md")
    .map((file) => join(folder, file));
}

/**
 * Looks whether arguments can be validated at all. If not, every call of the tool would fail, and no
 * edit would mend it while a server runs.
 */
export function schemaFault({ path, definition, definitionLine }: Fixture): Problem | undefined {
  const reason = unreadable(definition.inputSchema);
  if (reason === undefined) return undefined;
  const message = `the definition's \`inputSchema\` cannot be used: ${reason}`;
  return { path, line: definitionLine, message };
}

function duplicate({ path, tool, definitionLine }: Fixture, first: { path: string }): Problem {
  const message = `the tool \`${tool}\` is already defined in ${first.path}; remove one of them`;
  return { path, line: definitionLine, message };
}

/** What reading a file threw, as problems of the file; one that cannot be read has one, too. */
export function problemsOf(error: unknown, path: string): readonly Problem[] {
  if (error instanceof FixtureError) return error.problems;
  return [{ path, line: 1, message: `cannot be read: ${reasonOf(error)}` }];
}
