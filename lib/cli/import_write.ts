import { dirname, join, relative } from "node:path";
import { reasonOf } from "../reason.ts";
import { listFiles } from "../store/list_files.ts";
import { replaceFile } from "../store/replace_file.ts";
import type { ImportPlan } from "./import_plan.ts";
import { shellWord } from "./installation.ts";
import { CliError } from "./io.ts";
import { isInside, isThere } from "./paths.ts";
import type { Project } from "./project.ts";

/** Refuses a new tool whose file, or whatever has its name, is there already. */
export function refuseExisting(path: string): void {
  if (!isThere(path)) return;
  throw new CliError(`${path} is in the way of a new tool.\nMove it away, then import again.`);
}

/**
 * Writes and deletes what an import is to, once all folders have proved writable. The folder as it
 * was is copied to `.run/before-import/` first, in place of the copy before; when a step fails, those
 * before it are taken back from there.
 *
 * @returns The copy; `undefined` where nothing is to be changed.
 * @throws {CliError} When anything cannot be written; says whether all is as it was.
 */
export function writeImport(
  { updated, created, coherence, vanished }: ImportPlan,
  prune: boolean,
  project: Project,
): string | undefined {
  const { toolsDirectory } = project;
  const written = [...updated, ...created, ...(coherence === undefined ? [] : [coherence])];
  const deleted = prune ? vanished : [];
  if (written.length + deleted.length === 0) return undefined;
  tryFolders([...written.map(({ path }) => linkedFile(path)), ...deleted.map(({ path }) => path)]);
  const copy = saveBefore(project);
  const steps = [
    ...written.map(({ path, text }) => ({
      path,
      verb: "written",
      act: () => replaceFile(path, text),
    })),
    ...deleted.map(({ path }) => ({ path, verb: "deleted", act: () => Deno.removeSync(path) })),
  ];
  for (const [done, { path, verb, act }] of steps.entries()) {
    try {
      act();
    } catch (error) {
      const reason = `${path} cannot be ${verb}: ${reasonOf(error)}.`;
      try {
        steps.slice(0, done).forEach((step) => putBack(step.path, toolsDirectory, copy));
      } catch (failed) {
        throw new CliError(`${reason}\nNot all could be taken back: ${reasonOf(failed)}.`);
      }
      throw unchanged(reason);
    }
  }
  deleted.forEach(({ path }) => removeEmptied(dirname(path), toolsDirectory));
  return copy;
}

function unchanged(reason: string): CliError {
  return new CliError(`${reason}\nNothing was changed. Mend that and import again.`);
}

/** The file that a symbolic link leads to, which is the one that is written. */
function linkedFile(path: string): string {
  return isThere(path) ? Deno.realPathSync(path) : path;
}

/** Tries every folder first: an import that fails halfway leaves old and new definitions. */
function tryFolders(paths: readonly string[]): void {
  for (const folder of new Set(paths.map((path) => folderThere(dirname(path))))) {
    try {
      Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".careem-mcp-" }));
    } catch (error) {
      throw unchanged(`${folder} cannot be written to: ${reasonOf(error)}.`);
    }
  }
}

/** The folder itself, or the one that it is to be made in. */
function folderThere(folder: string): string {
  return isThere(folder) || dirname(folder) === folder ? folder : folderThere(dirname(folder));
}

function saveBefore({ toolsDirectory, directory }: Project): string {
  const copy = join(directory, ".run", "before-import");
  try {
    Deno.mkdirSync(dirname(copy), { recursive: true });
    const fresh = Deno.makeTempDirSync({ dir: dirname(copy), prefix: "before-import-" });
    for (const file of listFiles(toolsDirectory)) {
      Deno.mkdirSync(dirname(join(fresh, file)), { recursive: true });
      Deno.copyFileSync(join(toolsDirectory, file), join(fresh, file));
    }
    if (isThere(copy)) Deno.removeSync(copy, { recursive: true });
    Deno.renameSync(fresh, copy);
    return copy;
  } catch (error) {
    throw unchanged(`The copy ${copy} cannot be made: ${reasonOf(error)}.`);
  }
}

function putBack(path: string, toolsDirectory: string, copy: string): void {
  const before = join(copy, relative(toolsDirectory, path));
  if (isThere(before)) replaceFile(path, Deno.readFileSync(before));
  else Deno.removeSync(path);
}

/** Removes a folder that nothing is left in, and those around it, up to the folder of all tools. */
function removeEmptied(folder: string, toolsDirectory: string): void {
  if (relative(toolsDirectory, folder) === "" || !isInside(toolsDirectory, folder)) return;
  try {
    Deno.removeSync(folder);
  } catch {
    // It is not empty, or cannot be removed, and does no harm.
    return;
  }
  removeEmptied(dirname(folder), toolsDirectory);
}

/** Says how to undo an import. */
export function wayBack(copy: string, { toolsDirectory }: Project): string {
  const [from, to] = [shellWord(copy), shellWord(toolsDirectory)];
  const command = Deno.build.os === "windows"
    ? `robocopy ${from} ${to} /MIR`
    : `rm -r ${to} && cp -R ${from} ${to}`;
  return `To go back: ${command}`;
}
