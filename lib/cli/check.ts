import { dirname } from "node:path";
import { checkOverridesFile, checkTools } from "../check/check_project.ts";
import type { Finding } from "../check/finding.ts";
import { formatProblem } from "../fixture/problem.ts";
import { finish } from "../steps.ts";
import { readFixtures } from "./fixtures.ts";
import { count, EXIT, type ExitCode, type Io } from "./io.ts";
import { plain } from "../plain.ts";
import { nearPath } from "./paths.ts";
import { FolderError, isFolder, type Project } from "./project.ts";
import { paintFor } from "./style.ts";

/**
 * Runs every honesty rule over the tool files and the overrides file, and lists what breaks them.
 *
 * @param json Whether to print JSON, whose shape is documented in docs/CLI.md and stable.
 * @returns The exit code: failed when there are findings.
 * @throws {FolderError} When there are no tool files, unless as JSON, where that is a finding.
 */
export function check(
  json: boolean,
  allowedWords: readonly string[],
  findProject: () => Project,
  io: Io,
): ExitCode {
  const outcome = json
    ? orFolderFinding(() => findAll(findProject(), allowedWords))
    : findAll(findProject(), allowedWords);
  const { findings, tools, scenarios } = outcome;
  if (json) {
    const summary = { ok: findings.length === 0, tools, scenarios };
    io.out(JSON.stringify({ ...summary, findings: findings.map(findingJson) }, null, 2));
  } else {
    print(outcome, io);
  }
  return findings.length === 0 ? EXIT.done : EXIT.failed;
}

/** How long files are left to settle before they are checked again, in milliseconds. */
const SETTLING_MS = 100;

/**
 * Checks at once, and again whenever a file of the folder or the overrides file changes, until the
 * program is interrupted.
 */
export async function watchCheck(
  allowedWords: readonly string[],
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const checkOnce = (): void => print(orFolderFinding(() => findAll(project, allowedWords)), io);
  const watched = [project.toolsDirectory, dirname(project.overridesPath)].filter(isFolder);
  const watcher = Deno.watchFs(watched);
  checkOnce();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (): void => {
    io.err(`\n${new Date().toTimeString().slice(0, 8)}`);
    checkOnce();
  };
  for await (const { kind, paths } of watcher) {
    const matters = paths.some((path) =>
      path === project.overridesPath || path.startsWith(project.toolsDirectory)
    );
    if (kind === "access" || !matters) continue;
    clearTimeout(timer);
    timer = setTimeout(again, SETTLING_MS);
  }
  return EXIT.done;
}

function print({ findings, tools, scenarios }: Outcome, io: Io): void {
  findings.map((finding) => findingText(finding)).forEach(io.out);
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

/**
 * Words a finding as one line that terminals and editors can jump to; the file is relative to the
 * current folder when it is in it.
 *
 * @returns `file:line: message`.
 */
export function findingText(finding: Finding): string {
  return plain(formatProblem({ ...finding, path: nearPath(finding.path, Deno.cwd()) }));
}

/** A finding as `--json` shows it. The shape is documented in docs/CLI.md and stable. */
export function findingJson({ path, line, rule, tool, scenario, message }: Finding): object {
  return { file: path, line, rule, tool: tool ?? null, scenario: scenario ?? null, message };
}
