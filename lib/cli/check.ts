import { dirname } from "node:path";
import { checkOverridesFile, checkTools } from "../check/check_project.ts";
import type { Finding } from "../check/finding.ts";
import { formatProblem } from "../fixture/problem.ts";
import { finish } from "../steps.ts";
import { readFixtures } from "./fixtures.ts";
import { EXIT, type ExitCode, type Io } from "./io.ts";
import { count, plain } from "../plain.ts";
import { nearPath } from "./paths.ts";
import { FolderError, isFolder, type Project } from "./project.ts";
import { paintFor } from "./style.ts";

/** The flags of `check`. */
export interface CheckFlags {
  readonly json?: true;
  readonly watch?: true;
  /** Words that may be seen although a banned one is in them. */
  readonly allowWord?: readonly string[];
}

/**
 * Runs every honesty rule over the tool files and the overrides file, and lists what breaks them;
 * again at every change of them, if asked to.
 *
 * @returns The exit code: failed when there are findings.
 * @throws {FolderError} When there are no tool files, unless as JSON, where that is a finding.
 */
export async function check(
  { json, watch, allowWord = [] }: CheckFlags,
  findProject: () => Project,
  io: Io,
): Promise<ExitCode> {
  if (watch) return await watchFiles(allowWord, findProject(), io);
  const find = (): Outcome => findAll(findProject(), allowWord);
  const outcome = json ? orFolderFinding(find) : find();
  const { findings, tools, scenarios } = outcome;
  const ok = findings.length === 0;
  if (json) {
    io.out(JSON.stringify({ ok, tools, scenarios, findings: findings.map(findingJson) }, null, 2));
  } else print(outcome, io);
  return ok ? EXIT.done : EXIT.failed;
}

/** How long files are left to settle before they are checked again, in milliseconds. */
const SETTLING_MS = 100;

/** Checks at once, and again whenever a file changes, until the program is interrupted. */
async function watchFiles(
  allowWord: readonly string[],
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const { toolsDirectory, overridesPath } = project;
  const checkOnce = (): void => print(orFolderFinding(() => findAll(project, allowWord)), io);
  const watcher = Deno.watchFs([toolsDirectory, dirname(overridesPath)].filter(isFolder));
  checkOnce();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (): void => {
    io.err(`\n${new Date().toTimeString().slice(0, 8)}`);
    checkOnce();
  };
  const matters = (path: string): boolean =>
    path === overridesPath || path.startsWith(toolsDirectory);
  for await (const { kind, paths } of watcher) {
    if (kind === "access" || !paths.some(matters)) continue;
    clearTimeout(timer);
    timer = setTimeout(again, SETTLING_MS);
  }
  return EXIT.done;
}

function print({ findings, tools, scenarios }: Outcome, io: Io): void {
  findings.map(findingText).forEach(io.out);
  const paint = paintFor(io, "err");
  const result = findings.length === 0
    ? paint("good", "no findings")
    : paint("bad", count(findings.length, "finding"));
  io.err(`${count(tools, "tool")}, ${count(scenarios, "scenario")}: ${result}`);
}

/** What a check comes to. */
interface Outcome {
  readonly findings: readonly Finding[];
  /** How many could be used. */
  readonly tools: number;
  readonly scenarios: number;
}

function findAll(project: Project, allowedWords: readonly string[]): Outcome {
  const folder = readFixtures(project);
  const fixtures = [...folder.fixtures.values()];
  return {
    findings: [
      ...finish(checkTools(project, folder, allowedWords)),
      ...checkOverridesFile(project.overridesPath, folder),
    ],
    tools: fixtures.length,
    scenarios: fixtures.reduce((sum, fixture) => sum + fixture.scenarios.length, 0),
  };
}

/** Makes a finding of a folder without tool files, so that the JSON tells of it, too. */
function orFolderFinding(find: () => Outcome): Outcome {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    const message = error.message.replaceAll("\n", " ");
    const finding: Finding = { path: error.directory, line: 1, rule: "parse", message };
    return { findings: [finding], tools: 0, scenarios: 0 };
  }
}

/** Words a finding as `file:line: message`; a file below the current folder is relative to it. */
export function findingText(finding: Finding): string {
  return plain(formatProblem({ ...finding, path: nearPath(finding.path, Deno.cwd()) }));
}

/** A finding as `--json` shows it. The shape is documented in docs/CLI.md and stable. */
export function findingJson({ path, line, rule, tool, scenario, message }: Finding): object {
  return { file: path, line, rule, tool: tool ?? null, scenario: scenario ?? null, message };
}
