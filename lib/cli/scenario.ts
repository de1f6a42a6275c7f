import type { JsonObject } from "../json.ts";
import { changeOverrides } from "../store/overrides_file.ts";
import { count } from "./count.ts";
import { EXIT, type ExitCode } from "./failure.ts";
import { readFixtures, requireScenario, requireTool } from "./fixtures.ts";
import type { Io } from "./io.ts";
import { plain } from "./plain.ts";
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

/** Removes the entries that `choose` names. Where there is no file, none is made. */
function remove(
  { overridesPath }: Project,
  choose: (entries: JsonObject) => string[],
): number {
  if (!exists(overridesPath)) return 0;
  let removed = 0;
  changeOverrides(overridesPath, (entries) => {
    const names = choose(entries);
    removed = names.length;
    for (const name of names) delete entries[name];
  });
  return removed;
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
