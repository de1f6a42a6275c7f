import { dirname, relative } from "node:path";
import { checkFixture } from "../check/check.ts";
import { FixtureError } from "../fixture/problem.ts";
import { reasonOf } from "../reason.ts";
import { readFolder } from "../store/folder.ts";
import { systemEnvironment } from "../template/environment.ts";
import { findingText } from "./check.ts";
import { count } from "./count.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import { type ImportPlan, planImport } from "./import_plan.ts";
import type { Io } from "./io.ts";
import { differenceText } from "./json_difference.ts";
import { commandLine, programName } from "./installation.ts";
import { isInside } from "./paths.ts";
import type { Project } from "./project.ts";
import { replaceFile } from "../store/replace_file.ts";
import { type Paint, paintFor } from "./style.ts";
import { readToolsList } from "./tools_list.ts";

/** The flags of `import`. */
export interface ImportFlags {
  /** Delete the files of tools that are not in the list. */
  readonly prune: boolean;
  /** Say what would change, and change nothing. */
  readonly dryRun: boolean;
}

/**
 * Brings the tool files up to a saved `tools/list`: definitions are replaced verbatim, scenarios
 * and prose are kept, new tools get a file with a default scenario. Scenarios of the tools that
 * changed and no longer fit are listed on standard error.
 *
 * @param source The saved list, or `-` for standard input.
 * @param flags What to do about vanished tools, and whether to write.
 * @param project Where the fixtures are.
 * @param io The streams.
 * @returns The exit code.
 * @throws {CliError} When the list or the folder cannot be used, or a file cannot be written.
 * @throws {FixtureError} When a tool file cannot be used as it is.
 */
export async function importTools(
  source: string,
  flags: ImportFlags,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (project.embedded) throw notToBeChanged(project);
  const { tools, partial } = readToolsList(
    await readSource(source, io),
    source === "-" ? "standard input" : source,
  );
  if (partial && flags.prune) {
    throw new CliError(
      "The list goes on in further pages that were not saved, so --prune would delete too much.\n" +
        "Save all pages in one file, or leave --prune out.",
    );
  }
  const { fixtures, problems } = readFolder(project.toolsDirectory);
  // A tool whose file cannot be read would come in a second time.
  if (problems.length > 0) throw new FixtureError(problems);
  const whole = planImport(tools, fixtures, project.toolsDirectory, Deno.readTextFileSync);
  // What is not in the pages that were saved may be in those that were not.
  const plan = partial ? { ...whole, vanished: [] } : whole;
  for (const { path } of plan.created) refuseExisting(path);

  if (!flags.dryRun) carryOut(plan, flags, project);
  describe(plan, flags, partial, project, paintFor(io, "out")).forEach(io.out);
  if (partial) io.err("careem-mcp: the list goes on in further pages that were not saved.");
  reportMisfits(plan, io);
  return EXIT.done;
}

/** Words that the fixtures in use are not this project's to change. */
export function notToBeChanged({ packed, directory }: Project): CliError {
  return new CliError(
    packed
      ? "The tool files are the copy inside the executable, which cannot be changed.\n" +
        `Write them to disk first: ${programName()} eject`
      : `${directory} has no tools/, and those that come with careem-mcp are left as they are.\n` +
        `Write a copy to it first: ${commandLine(["eject", "--project", directory])}`,
  );
}

async function readSource(source: string, io: Io): Promise<string> {
  if (source === "-") return await io.readInput();
  try {
    return await Deno.readTextFile(source);
  } catch (error) {
    throw new CliError(`${source} cannot be read: ${reasonOf(error)}.`);
  }
}

function refuseExisting(path: string): void {
  try {
    Deno.lstatSync(path);
  } catch {
    return;
  }
  throw new CliError(`${path} is in the way of a new tool.\nMove it away, then import again.`);
}

/** Writes and deletes, when it has been seen that this can be done everywhere. */
function carryOut(plan: ImportPlan, { prune }: ImportFlags, { toolsDirectory }: Project): void {
  const written = [...plan.updated, ...plan.created];
  const deleted = prune ? plan.vanished : [];
  tryFolders([...written.map(({ path }) => linkedFile(path)), ...deleted.map(({ path }) => path)]);
  const done: string[] = [];
  for (const { path, text } of written) {
    attempt(path, "written", done, () => replaceFile(path, text));
  }
  for (const { path } of deleted) {
    attempt(path, "deleted", done, () => Deno.removeSync(path));
    removeEmptied(dirname(path), toolsDirectory);
  }
}

/** The file that a symbolic link leads to, which is the one that is written. */
function linkedFile(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** An import that stops in the middle leaves definitions of two ages side by side. */
function tryFolders(paths: readonly string[]): void {
  for (const folder of new Set(paths.map((path) => folderThere(dirname(path))))) {
    try {
      Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".careem-mcp-" }));
    } catch (error) {
      throw new CliError(
        `${folder} cannot be written to: ${reasonOf(error)}.\n` +
          "Nothing was changed. Mend that and import again.",
      );
    }
  }
}

/** The folder itself, or the one that it is to be made in. */
function folderThere(folder: string): string {
  try {
    Deno.lstatSync(folder);
    return folder;
  } catch {
    return dirname(folder) === folder ? folder : folderThere(dirname(folder));
  }
}

function attempt(path: string, verb: string, done: string[], act: () => void): void {
  try {
    act();
    done.push(`${verb} ${path}`);
  } catch (error) {
    const before = done.length === 0 ? "Nothing was changed" : `Before that: ${done.join(", ")}`;
    throw new CliError(
      `${path} cannot be ${verb}: ${reasonOf(error)}.\n${before}. Mend that and import again.`,
    );
  }
}

/** Removes a folder that nothing is left in, and those around it, up to the folder of all tools. */
function removeEmptied(folder: string, toolsDirectory: string): void {
  if (relative(toolsDirectory, folder) === "" || !isInside(toolsDirectory, folder)) return;
  try {
    Deno.removeSync(folder);
  } catch {
    // There is something in it, or it must stay; it does no harm.
    return;
  }
  removeEmptied(dirname(folder), toolsDirectory);
}

function describe(
  plan: ImportPlan,
  { prune, dryRun }: ImportFlags,
  partial: boolean,
  project: Project,
  paint: Paint,
): string[] {
  const near = (path: string): string => relative(project.toolsDirectory, path);
  const { updated, created, vanished, unchanged } = plan;
  const gone = prune ? paint("bad", dryRun ? "delete" : "deleted") : "vanished";
  const roles = { "+": "good", "-": "bad", "~": "notice" } as const;
  const would = dryRun ? "would be " : "";
  return [
    ...updated.flatMap(({ path, differences }) => [
      `${paint("notice", dryRun ? "update" : "updated")}  ${near(path)}`,
      ...differences.map(differenceText).map((line) =>
        `  ${paint(roles[line[0] as keyof typeof roles], line)}`
      ),
    ]),
    ...created.map(({ path }) => `${paint("good", dryRun ? "create" : "created")}  ${near(path)}`),
    ...vanished.map(({ path }) =>
      `${gone}  ${near(path)}${prune ? "" : " (kept; --prune deletes it)"}`
    ),
    [
      `${updated.length} ${would}updated`,
      `${created.length} ${would}created`,
      ...(partial ? [] : [`${vanished.length} ${prune ? `${would}deleted` : "vanished"}`]),
      `${unchanged} unchanged`,
    ].join(", "),
  ];
}

/** What fits no longer: the rules of `check`, over the tools that changed. */
function reportMisfits({ updated, created }: ImportPlan, io: Io): void {
  const findings = [...updated, ...created]
    .flatMap(({ fixture }) => checkFixture(fixture, systemEnvironment));
  if (findings.length === 0) return;
  io.err(`careem-mcp: ${count(findings.length, "finding")} in what changed:`);
  for (const finding of findings) io.err(`  ${findingText(finding)}`);
}
