import type { JsonObject } from "../json.ts";
import { parseOverridesObject } from "../control/overrides.ts";
import { changeOverrides } from "../control/overrides_file.ts";
import { count } from "./count.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import { readFixtures, requireScenario, requireTool } from "./fixtures.ts";
import type { Io } from "./io.ts";
import { plain } from "../plain.ts";
import type { Project } from "./project.ts";

/**
 * Forces a tool into a scenario, or lets it follow its match rules again. A running server obeys
 * from its next call on.
 *
 * @param tool The tool.
 * @param name The scenario; without one, the tool's entry is removed.
 * @param project Where fixtures and overrides are.
 * @param io The streams.
 * @returns The exit code.
 * @throws {CliError} When there is no such tool or scenario.
 * @throws {OverridesFileError} When the overrides file cannot be changed.
 */
export function scenario(
  tool: string,
  name: string | undefined,
  project: Project,
  io: Io,
): ExitCode {
  if (name === undefined) return clear(tool, project, io);
  const { name: scenario } = requireScenario(requireTool(readFixtures(project), tool), name);
  refuseFolder(project);
  changeOverrides(project.overridesPath, (entries) => {
    entries[tool] = scenario;
  });
  io.out(`${tool} is forced into ${plain(scenario)}.`);
  return EXIT.done;
}

function clear(tool: string, project: Project, io: Io): ExitCode {
  // An entry may outlive its tool, so it is looked for before the tool is.
  const removed = remove(project, (entries) => Object.hasOwn(entries, tool) ? [tool] : []);
  if (removed === 0) requireTool(readFixtures(project), tool);
  io.out(removed === 0 ? `${tool} was not forced.` : `${tool} follows its match rules again.`);
  return EXIT.done;
}

/**
 * Lets all tools follow their match rules again.
 *
 * @param project Where the overrides are.
 * @param io The streams.
 * @returns The exit code.
 * @throws {OverridesFileError} When the overrides file cannot be changed.
 */
export function reset(project: Project, io: Io): ExitCode {
  const removed = remove(project, Object.keys);
  io.out(
    removed === 0 ? "Nothing was forced." : `Cleared ${count(removed, "forced scenario")}.`,
  );
  return EXIT.done;
}

/** Removes the entries that `choose` names. Where there are none, nothing is written. */
function remove(project: Project, choose: (entries: JsonObject) => string[]): number {
  const { overridesPath } = project;
  refuseFolder(project);
  const now = entriesOf(overridesPath);
  if (now !== undefined && choose(now).length === 0) return 0;
  let removed = 0;
  changeOverrides(overridesPath, (entries) => {
    const names = choose(entries);
    removed = names.length;
    for (const name of names) delete entries[name];
  });
  return removed;
}

/** The entries of an overrides file; `undefined` when it cannot be used, which changing it tells. */
function entriesOf(path: string): JsonObject | undefined {
  try {
    const text = Deno.readTextFileSync(path);
    return text.trim() === "" ? {} : parseOverridesObject(text);
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? {} : undefined;
  }
}

/** Said before anything is written beside it. */
function refuseFolder({ overridesPath }: Project): void {
  if (!isFolder(overridesPath)) return;
  throw new CliError(
    `${overridesPath} is a folder, where the file of forced scenarios should be.\n` +
      "Name a file with --overrides.",
  );
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
