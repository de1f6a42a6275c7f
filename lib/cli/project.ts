import { dirname, join, resolve } from "node:path";
import { openDiskStore } from "../store/disk_store.ts";
import { openEmbeddedStore } from "../store/embedded_store.ts";
import type { FixtureStore } from "../store/store.ts";
import { CliError } from "./failure.ts";

/** The flags that every command takes, from the command line or the environment. */
export interface ProjectFlags {
  readonly project?: string;
  readonly tools?: string;
  readonly overrides?: string;
}

/** Where the program finds its fixtures and its overrides. */
export interface Project {
  /** The project folder: the executable's, or the checkout. */
  readonly directory: string;
  /** The folder of tool files. */
  readonly toolsDirectory: string;
  /** Whether the tool files are the copy inside the executable. */
  readonly embedded: boolean;
  /** The overrides file; it need not exist. */
  readonly overridesPath: string;
}

/**
 * Finds the project: the folder of the executable (of the real file, where it was started through
 * a symbolic link) or of the checkout. `tools/` there is used when it exists, else the copy inside
 * the executable.
 *
 * Source: DESIGN.md, Command line.
 *
 * @param flags What the user asked for; relative paths are relative to the current folder.
 * @param home The folder of `main.ts`; inside an executable, where its embedded files appear.
 * @returns The project.
 * @throws {CliError} When a folder that the user named does not exist.
 */
export function findProject(flags: ProjectFlags, home: string): Project {
  const directory = flags.project === undefined
    ? ownFolder(home)
    : existingFolder(flags.project, "--project");
  const overridesPath = flags.overrides === undefined
    ? join(directory, ".run", "overrides.json")
    : resolve(flags.overrides);
  const project = { directory, overridesPath };
  if (flags.tools !== undefined) {
    const toolsDirectory = existingFolder(flags.tools, "--tools");
    return { ...project, toolsDirectory, embedded: false };
  }
  const beside = join(directory, "tools");
  if (isFolder(beside)) return { ...project, toolsDirectory: beside, embedded: false };
  return { ...project, toolsDirectory: join(home, "tools"), embedded: true };
}

/**
 * Opens the fixtures of a project for serving.
 *
 * @param project The project.
 * @returns The store.
 * @throws {FixtureError} When a file cannot be used.
 */
export function openStore(project: Project): FixtureStore {
  const open = project.embedded ? openEmbeddedStore : openDiskStore;
  return open(project.toolsDirectory);
}

function ownFolder(home: string): string {
  return Deno.build.standalone ? dirname(Deno.realPathSync(Deno.execPath())) : home;
}

function existingFolder(path: string, flag: string): string {
  const directory = resolve(path);
  if (isFolder(directory)) return directory;
  throw new CliError(`${flag}: there is no folder ${directory}.\nName one that exists.`);
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
