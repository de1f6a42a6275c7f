import { join, resolve } from "node:path";
import { reasonOf } from "../reason.ts";
import { isOfLibrary, listEmbedded, readEmbedded } from "../store/embedded_files.ts";
import { listFiles } from "../store/list_files.ts";
import { commandLine, programName } from "./installation.ts";
import { CliError, count, EXIT, type ExitCode, type Io } from "./io.ts";
import { isInside } from "./paths.ts";
import type { Project } from "./project.ts";
import { replaceFile } from "../store/replace_file.ts";

/** Names of files are listed up to this many. */
const MOST_NAMES = 10;

/** Where the fixtures to write are. */
interface Source {
  readonly directory: string;
  /** Whether that is the copy inside the program. */
  readonly embedded: boolean;
}

/**
 * Writes fixtures to a folder for editing: those inside the executable, or from the sources those in
 * use. A file that is there already and differs is never overwritten unless forced to.
 *
 * @param directory The folder; without one, `tools/` in the project folder.
 */
export function eject(
  directory: string | undefined,
  force: boolean,
  project: Project,
  io: Io,
): ExitCode {
  const usual = join(project.directory, "tools");
  const target = directory === undefined ? usual : resolve(directory);
  const source = sourceOf(project);
  const files = listSource(source);
  if (files.length === 0) throw new CliError(`There are no fixtures in ${source.directory}.`);
  refuseTarget(target, source, project);
  const states = files.map((file) => ({ file, state: stateOf(file, source, target) }));
  const conflicts = states.filter(({ state }) => state === "different").map(({ file }) => file);
  if (conflicts.length > 0 && !force) throw inTheWay(conflicts, target);

  const due = states.filter(({ state }) => state !== "same").map(({ file }) => file);
  due.forEach((file) => copy(file, source, target));
  const same = files.length - due.length;
  io.out(
    `Wrote ${count(due.length, "file")} to ${target}${
      same > 0 ? `; ${same} ${same === 1 ? "was" : "were"} there already` : ""
    }.`,
  );
  io.err(
    target === usual
      ? "From now on careem-mcp serves these. Edits take effect at the next call."
      : `To serve them: ${commandLine(["--tools", target])}`,
  );
  return EXIT.done;
}

/** The executable's own copy, which is the only one that nobody can have changed. */
function sourceOf({ ownTools, packed, toolsDirectory, toolsNamed, embedded }: Project): Source {
  return packed && !toolsNamed
    ? { directory: ownTools, embedded: true }
    : { directory: toolsDirectory, embedded };
}

function refuseTarget(target: string, source: Source, { toolsDirectory }: Project): void {
  if (resolve(source.directory) === target) {
    throw new CliError(
      `The fixtures in use are in ${target} already; edit them there.\n` +
        `To copy them, name another folder: ${programName()} eject <dir>`,
    );
  }
  if (resolve(toolsDirectory) !== target && isInside(toolsDirectory, target)) {
    throw new CliError(
      `${target} lies inside the fixtures in use, where each tool may be defined once.\n` +
        "Name a folder outside of it.",
    );
  }
}

function copy(file: string, source: Source, target: string): void {
  const path = join(target, file);
  try {
    replaceFile(path, readSource(source, file));
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${reasonOf(error)}.\nName another folder.`);
  }
}

function stateOf(file: string, source: Source, target: string): "new" | "same" | "different" {
  const path = join(target, file);
  try {
    Deno.lstatSync(path);
  } catch {
    return "new";
  }
  try {
    const there = Deno.readFileSync(path);
    const ours = readSource(source, file);
    const same = there.length === ours.length && there.every((byte, at) => byte === ours[at]);
    return same ? "same" : "different";
  } catch {
    return "different";
  }
}

function inTheWay(files: readonly string[], target: string): CliError {
  const shown = files.slice(0, MOST_NAMES).join(", ");
  const more = files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : "";
  return new CliError(
    `In ${target} there are other versions of ${shown}${more}.\n` +
      "Nothing was written. --force overwrites them.",
  );
}

/** The files to write, relative to the folder they are in. */
function listSource({ directory, embedded }: Source): string[] {
  if (embedded) return listEmbedded(directory);
  return listFiles(directory).filter(isOfLibrary);
}

function readSource({ directory, embedded }: Source, file: string): Uint8Array {
  const path = join(directory, file);
  return embedded ? readEmbedded(path) : Deno.readFileSync(path);
}
