import { join, resolve } from "node:path";
import { reasonOf } from "../reason.ts";
import { isOfLibrary, listEmbedded, readEmbedded } from "../store/embedded_files.ts";
import { listFiles } from "../store/list_files.ts";
import { replaceFile } from "../store/replace_file.ts";
import { commandLine, programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { count } from "../plain.ts";
import { isInside, isThere } from "./paths.ts";
import type { Project } from "./project.ts";

/** Names of files are listed up to this many. */
const MOST_NAMES = 10;

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
  const { ownTools, packed, toolsDirectory, toolsNamed } = project;
  const usual = join(project.directory, "tools");
  const target = directory === undefined ? usual : resolve(directory);
  // The executable's own copy is the only one that nobody can have changed.
  const isPacked = packed && !toolsNamed;
  const source = isPacked ? ownTools : toolsDirectory;
  const isEmbedded = isPacked || project.embedded;
  const files = isEmbedded ? listEmbedded(source) : listFiles(source).filter(isOfLibrary);
  if (files.length === 0) throw new CliError(`There are no fixtures in ${source}.`);
  if (resolve(source) === target) {
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
  const due = files.flatMap((file) => {
    const [from, path] = [join(source, file), join(target, file)];
    const bytes = isEmbedded ? readEmbedded(from) : Deno.readFileSync(from);
    return holds(path, bytes) ? [] : [{ file, path, bytes }];
  });
  const different = due.filter(({ path }) => isThere(path)).map(({ file }) => file);
  if (different.length > 0 && !force) throw inTheWay(different, target);

  for (const { path, bytes } of due) {
    try {
      replaceFile(path, bytes);
    } catch (error) {
      throw new CliError(`${path} cannot be written: ${reasonOf(error)}.\nName another folder.`);
    }
  }
  const same = files.length - due.length;
  const kept = same > 0 ? `; ${same} ${same === 1 ? "was" : "were"} there already` : "";
  io.out(`Wrote ${count(due.length, "file")} to ${target}${kept}.`);
  io.err(
    target === usual
      ? "From now on careem-mcp serves these. Edits take effect at the next call."
      : `To serve them: ${commandLine(["--tools", target])}`,
  );
  return EXIT.done;
}

function holds(path: string, bytes: Uint8Array): boolean {
  try {
    const there = Deno.readFileSync(path);
    return there.length === bytes.length && there.every((byte, at) => byte === bytes[at]);
  } catch {
    return false;
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
