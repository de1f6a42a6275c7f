import { checkFolder } from "../check/check.ts";
import { checkOverrides } from "../check/check_overrides.ts";
import type { Finding } from "../check/finding.ts";
import { formatProblem } from "../fixture/problem.ts";
import type { Folder } from "../store/folder.ts";
import { systemEnvironment } from "../template/environment.ts";
import { count } from "./count.ts";
import { EXIT, type ExitCode } from "./failure.ts";
import { readFixtures } from "./fixtures.ts";
import type { Io } from "./io.ts";
import { nearPath } from "./paths.ts";
import { plain } from "./plain.ts";
import type { Project } from "./project.ts";
import { paintFor } from "./style.ts";

/**
 * Runs every honesty rule over the tool files and the overrides file, and lists what breaks them.
 *
 * @param json Whether to print JSON, whose shape is documented in docs/CLI.md and stable.
 * @param project Where fixtures and overrides are.
 * @param io The streams.
 * @returns The exit code: failed when there are findings.
 */
export function check(json: boolean, project: Project, io: Io): ExitCode {
  const folder = readFixtures(project);
  const findings = [
    ...checkFolder(folder, systemEnvironment),
    ...overrideFindings(project, folder),
  ];
  const scenarios = [...folder.fixtures.values()]
    .reduce((sum, fixture) => sum + fixture.scenarios.length, 0);

  if (json) {
    const summary = { ok: findings.length === 0, tools: folder.fixtures.size, scenarios };
    io.out(JSON.stringify({ ...summary, findings: findings.map(listed) }, null, 2));
  } else {
    findings.map((finding) => findingText(finding)).forEach(io.out);
    const paint = paintFor(io, "err");
    const result = findings.length === 0
      ? paint("good", "no findings")
      : paint("bad", count(findings.length, "finding"));
    const seen = `${count(folder.fixtures.size, "tool")}, ${count(scenarios, "scenario")}`;
    io.err(`${seen}: ${result}`);
  }
  return findings.length === 0 ? EXIT.done : EXIT.failed;
}

/**
 * Words a finding as one line that terminals and editors can jump to; the file is relative to the
 * current folder when it is in it.
 *
 * @param finding The finding.
 * @returns `file:line: message`.
 */
export function findingText(finding: Finding): string {
  return plain(formatProblem({ ...finding, path: nearPath(finding.path, Deno.cwd()) }));
}

function overrideFindings({ overridesPath }: Project, folder: Folder): Finding[] {
  let text: string;
  try {
    text = Deno.readTextFileSync(overridesPath);
  } catch (error) {
    // No file, no overrides; what cannot be read forces nothing, although somebody meant it to.
    if (error instanceof Deno.errors.NotFound) return [];
    const message = `cannot be read, so nothing is forced: ${(error as Error).message}`;
    return [{ path: overridesPath, line: 1, rule: "override", message }];
  }
  return checkOverrides(text, overridesPath, folder);
}

function listed({ path, line, rule, tool, scenario, message }: Finding): object {
  return { file: path, line, rule, tool: tool ?? null, scenario: scenario ?? null, message };
}
