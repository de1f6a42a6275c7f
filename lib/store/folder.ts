import { basename, join, resolve } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { outlineOf } from "../fixture/outline.ts";
import { parseFixture } from "../fixture/parse.ts";
import { FixtureError, type Problem } from "../fixture/problem.ts";
import { reasonOf } from "../reason.ts";
import { unreadable } from "../schema/document.ts";
import { finish, type Steps } from "../steps.ts";
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

/** A folder without anything in it. */
export const NO_FOLDER: Folder = { fixtures: new Map(), problems: [] };

/** Reads every `*.md` below a folder except `README.md` (docs/SPEC.md). */
export function readFolder(directory: string): Folder {
  return finish(readFolderFiles(directory));
}

/**
 * Reads a folder as {@linkcode readFolder} does, a file a step.
 *
 * @param readFile Reads one, or knows it from before.
 */
export function* readFolderFiles(
  directory: string,
  readFile: (path: string) => ToolFile = readToolFile,
): Steps<Folder> {
  const { kept, problems } = yield* readEach(directory, (fixture) => fixture, readFile);
  return { fixtures: kept, problems };
}

/** What a file of a folder holds. */
export interface ToolFile {
  readonly fixture?: Fixture;
  /** What is wrong with it; without a fixture, at least one thing. */
  readonly problems: readonly Problem[];
  /** Whether there is nothing in it that a tool file has. */
  readonly isUnrelated: boolean;
}

/** Reads one file; nothing of it is thrown. */
export function readToolFile(path: string): ToolFile {
  let isUnrelated = false;
  try {
    const text = Deno.readTextFileSync(path);
    isUnrelated = !/^\ufeff?---|^## (?:Definition|Scenario)/m.test(text);
    const fixture = parseFixture(text, path);
    const unusable = schemaFault(fixture);
    return unusable === undefined
      ? { fixture, problems: [], isUnrelated }
      : { problems: [unusable], isUnrelated };
  } catch (error) {
    return { problems: problemsOf(error, path), isUnrelated };
  }
}

/** Reads a folder and keeps something of each usable file, by tool name. */
function* readEach<T extends { readonly path: string }>(
  directory: string,
  keep: (fixture: Fixture) => T,
  readFile: (path: string) => ToolFile = readToolFile,
): Steps<{ kept: ReadonlyMap<string, T>; problems: readonly Problem[] }> {
  const kept = new Map<string, T>();
  const problems: Problem[] = [];
  const paths = listToolFiles(
    directory,
    (folder, error) => problems.push(...problemsOf(error, folder)),
  );
  let unrelated = 0;
  for (const path of paths) {
    yield;
    const file = readFile(path);
    problems.push(...file.problems);
    if (file.isUnrelated) unrelated++;
    const { fixture } = file;
    if (fixture === undefined) continue;
    const first = kept.get(fixture.tool);
    if (first === undefined) kept.set(fixture.definition.name, keep(fixture));
    else problems.push(duplicate(fixture, first));
  }
  // One alone may be a tool file that lost its beginning, which is told with its place.
  if (paths.length > 1 && unrelated === paths.length) {
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

/** Whether any file of a folder has the heading `## By force`. */
export function hasByForce({ fixtures }: Folder): boolean {
  return [...fixtures.values()].some(({ path }) =>
    outlineOf(Deno.readTextFileSync(path)).byForce !== undefined
  );
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
  const { kept, problems } = finish(readEach(directory, keep));
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
export function listToolFiles(
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
