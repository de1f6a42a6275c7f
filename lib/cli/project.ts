import { dirname, join, resolve } from "node:path";
import { openDiskStore } from "../store/disk_store.ts";
import { openEmbeddedStore } from "../store/embedded_store.ts";
import { EmptyFolderError } from "../store/folder.ts";
import { NoToolFolderError } from "../store/list_files.ts";
import type { FixtureStore } from "../store/store.ts";
import { CliError } from "./io.ts";
import { programName } from "./installation.ts";

/** The flags that every command takes, from the command line or the environment. */
export interface ProjectFlags {
  readonly project?: string;
  readonly tools?: string;
  readonly overrides?: string;
  readonly calls?: string;
}

/** Where the program finds its fixtures and its overrides. */
export interface Project {
  /** The project folder: the executable's, or the checkout. */
  readonly directory: string;
  /** The folder of tool files. */
  readonly toolsDirectory: string;
  /** Whether the user named that folder, rather than where it is looked for. */
  readonly toolsNamed: boolean;
  /** Whether the tool files are those that come with the program. */
  readonly embedded: boolean;
  /** Where those are: a folder of the checkout, or inside the executable. */
  readonly ownTools: string;
  /** Whether those are inside the executable, where nobody can open or change them. */
  readonly packed: boolean;
  /** The overrides file; it need not exist. */
  readonly overridesPath: string;
  /** The journal of calls, beside it unless named; it need not exist. */
  readonly callsPath: string;
  /** The words with which another command finds the same, wherever it is run. */
  readonly words: readonly string[];
}

/** A folder that is not there, or has no tool files. */
export class FolderError extends CliError {
  constructor(readonly directory: string, message: string) {
    super(message);
  }
}

/**
 * Finds the project: the folder of the executable (of the real file, where it was started through
 * a symbolic link) or of the checkout. `tools/` there is used when it exists, else the fixtures that
 * come with the program (docs/CLI.md).
 *
 * @param home The folder of `main.ts`; inside an executable, where its embedded files appear.
 * @param nameOf What to call a flag in a message, which may have come from a variable.
 * @throws {FolderError} When a folder that the user named does not exist.
 */
export function findProject(
  flags: ProjectFlags,
  home: string,
  nameOf: (flag: keyof ProjectFlags) => string = (flag) => `--${flag}`,
): Project {
  const packed = Deno.build.standalone;
  const directory = flags.project === undefined ? ownFolder(home) : resolve(flags.project);
  if (flags.project !== undefined) mustBeFolder(nameOf("project"), directory);
  const overridesPath = resolve(flags.overrides ?? join(directory, ".run", "overrides.json"));
  const callsPath = resolve(flags.calls ?? join(dirname(overridesPath), "calls.jsonl"));
  const words = (["project", "tools", "overrides", "calls"] as const).flatMap((flag) =>
    flags[flag] === undefined ? [] : [`--${flag}`, resolve(flags[flag])]
  );
  const ownTools = join(home, "tools");
  const project = { directory, overridesPath, callsPath, ownTools, packed, words };
  if (flags.tools !== undefined) {
    const toolsDirectory = resolve(flags.tools);
    mustBeFolder(nameOf("tools"), toolsDirectory);
    return { ...project, toolsDirectory, toolsNamed: true, embedded: false };
  }
  const beside = join(directory, "tools");
  // In a checkout the folder beside the program is the one that comes with it.
  const embedded = !isFolder(beside) && beside !== project.ownTools;
  const toolsDirectory = embedded ? project.ownTools : beside;
  return { ...project, toolsDirectory, toolsNamed: false, embedded };
}

/**
 * Opens the fixtures of a project for serving.
 *
 * @throws {FixtureError} When a file cannot be used.
 * @throws {FolderError} When there is no tool file.
 */
export function openStore(project: Project): FixtureStore {
  const open = project.embedded ? openEmbeddedStore : openDiskStore;
  try {
    return open(project.toolsDirectory);
  } catch (error) {
    throw folderError(error, project);
  }
}

/** Words what is wrong with a project's folder as a whole; an error of anything else is kept. */
export function folderError(error: unknown, project: Project): unknown {
  if (error instanceof EmptyFolderError) return noToolFile(project);
  if (!(error instanceof NoToolFolderError)) return error;
  const { toolsDirectory, toolsNamed } = project;
  return new FolderError(
    toolsDirectory,
    `${toolsDirectory} does not look like a folder of tool files: ${error.found}.\nName ` +
      (toolsNamed
        ? "the right one with --tools."
        : "a folder of tool files with --tools, or another project's folder with --project."),
  );
}

/** Words that a project's folder has no tool file in it. */
export function noToolFile({ toolsDirectory, toolsNamed, packed }: Project): FolderError {
  const remedy = packed && !toolsNamed
    ? `fill it with: ${programName()} eject`
    : "name the right folder with --tools";
  return new FolderError(toolsDirectory, `no tool file (*.md) in ${toolsDirectory}; ${remedy}`);
}

/** Says where the fixtures in use are. */
export function placeOfFixtures({ embedded, packed, toolsDirectory }: Project): string {
  if (!embedded) return toolsDirectory;
  return packed
    ? "the copy inside the executable"
    : `${toolsDirectory} (those that come with careem-mcp)`;
}

function ownFolder(home: string): string {
  return Deno.build.standalone ? dirname(Deno.realPathSync(Deno.execPath())) : home;
}

function mustBeFolder(name: string, path: string): void {
  if (isFolder(path)) return;
  throw new FolderError(path, `${name}: there is no folder ${path}.\nName one that exists.`);
}

/** Whether a folder is there. */
export function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
