import { relative } from "node:path";
import { checkFixture } from "../check/check.ts";
import { FixtureError } from "../fixture/problem.ts";
import { readFolder } from "../store/folder.ts";
import { systemEnvironment } from "../template/environment.ts";
import { findingText } from "./check.ts";
import { count } from "./count.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import { type ImportPlan, planImport } from "./import_plan.ts";
import type { Io } from "./io.ts";
import { differenceText } from "./json_difference.ts";
import { plain } from "./plain.ts";
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
  if (project.embedded) {
    throw new CliError(
      "The tool files are the copy inside the program, which cannot be changed.\n" +
        "Write them to disk first: careem-mcp eject",
    );
  }
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
  const plan = planImport(tools, fixtures, project.toolsDirectory, Deno.readTextFileSync);
  for (const { path } of plan.created) refuseExisting(path);

  if (!flags.dryRun) carryOut(plan, flags);
  describe(plan, flags, project, paintFor(io, "out")).forEach(io.out);
  if (partial) io.err("careem-mcp: the list goes on in further pages that were not saved.");
  reportMisfits(plan, io);
  return EXIT.done;
}

async function readSource(source: string, io: Io): Promise<string> {
  if (source === "-") return await io.readInput();
  try {
    return await Deno.readTextFile(source);
  } catch (error) {
    throw new CliError(`${source} cannot be read: ${reasonOf(error)}`);
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

function carryOut(plan: ImportPlan, { prune }: ImportFlags): void {
  for (const { path, text } of [...plan.updated, ...plan.created]) {
    attempt(path, "written", () => replaceFile(path, text));
  }
  if (!prune) return;
  for (const { path } of plan.vanished) attempt(path, "deleted", () => Deno.removeSync(path));
}

function attempt(path: string, done: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new CliError(
      `${path} cannot be ${done}: ${reasonOf(error)}\nMend that and import again.`,
    );
  }
}

function describe(
  plan: ImportPlan,
  { prune, dryRun }: ImportFlags,
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
    `${updated.length} ${would}updated, ${created.length} ${would}created, ` +
    `${prune ? `${vanished.length} ${would}deleted` : `${vanished.length} vanished`}, ` +
    `${unchanged} unchanged`,
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

function reasonOf(error: unknown): string {
  return plain(error instanceof Error ? error.message : String(error));
}
