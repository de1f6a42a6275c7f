import { join, relative, resolve } from "node:path";
import { listEmbedded, readEmbedded } from "../store/embedded_files.ts";
import { count } from "./count.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import type { Io } from "./io.ts";
import { isInside } from "./paths.ts";
import type { Project } from "./project.ts";
import { replaceFile } from "../store/replace_file.ts";

/** Names of files are listed up to this many. */
const MOST_NAMES = 10;

/**
 * Writes the fixtures to a folder for editing: those inside the program, or those in use. A file
 * that is there already and differs is never overwritten unless forced to.
 *
 * @param directory The folder; without one, `tools/` in the project folder.
 * @param force Whether to overwrite.
 * @param project Where the fixtures are.
 * @param io The streams.
 * @returns The exit code.
 * @throws {CliError} When files are in the way, or one cannot be written.
 */
export function eject(
  directory: string | undefined,
  force: boolean,
  project: Project,
  io: Io,
): ExitCode {
  const usual = join(project.directory, "tools");
  const target = directory === undefined ? usual : resolve(directory);
  if (resolve(project.toolsDirectory) === target) {
    throw new CliError(
      `The fixtures in use are in ${target} already; edit them there.\n` +
        "To copy them, name another folder: careem-mcp eject <dir>",
    );
  }
  if (isInside(project.toolsDirectory, target)) {
    throw new CliError(
      `${target} lies inside the fixtures in use, where each tool may be defined once.\n` +
        "Name a folder outside of it.",
    );
  }
  const files = listSource(project);
  if (files.length === 0) {
    throw new CliError(`There are no fixtures in ${project.toolsDirectory}.`);
  }
  const states = files.map((file) => ({ file, state: stateOf(file, project, target) }));
  const conflicts = states.filter(({ state }) => state === "different").map(({ file }) => file);
  if (conflicts.length > 0 && !force) throw inTheWay(conflicts, target);

  const due = states.filter(({ state }) => state !== "same");
  for (const { file } of due) {
    const path = join(target, file);
    try {
      replaceFile(path, readSource(project, file));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliError(`${path} cannot be written: ${reason}\nName another folder.`);
    }
  }
  const same = files.length - due.length;
  io.out(
    `Wrote ${count(due.length, "file")} to ${target}${
      same > 0 ? `; ${same} were there already` : ""
    }.`,
  );
  io.err(
    target === usual
      ? "From now on careem-mcp serves these. Edits take effect at the next call."
      : `To serve them: careem-mcp --tools ${target}`,
  );
  return EXIT.done;
}

function stateOf(file: string, project: Project, target: string): "new" | "same" | "different" {
  const path = join(target, file);
  try {
    Deno.lstatSync(path);
  } catch {
    return "new";
  }
  try {
    const there = Deno.readFileSync(path);
    const ours = readSource(project, file);
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
function listSource({ toolsDirectory, embedded }: Project): string[] {
  if (embedded) return listEmbedded(toolsDirectory);
  return listFiles(toolsDirectory).map((path) => relative(toolsDirectory, path));
}

function readSource({ toolsDirectory, embedded }: Project, file: string): Uint8Array {
  const path = join(toolsDirectory, file);
  return embedded ? readEmbedded(path) : Deno.readFileSync(path);
}

function listFiles(folder: string): string[] {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
  return entries.sort((a, b) => a.name < b.name ? -1 : 1).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory) return listFiles(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
