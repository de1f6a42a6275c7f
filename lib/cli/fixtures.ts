import { basename } from "node:path";
import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { FixtureError } from "../fixture/problem.ts";
import { findScenario } from "../scenario/select.ts";
import { embeddedFixtures } from "../store/embedded_store.ts";
import { type Folder, readFolder } from "../store/folder.ts";
import { CliError } from "./io.ts";
import { commandLine, programName } from "./installation.ts";
import { folderError, noToolFile, type Project } from "./project.ts";
import { didYouMean } from "../suggest.ts";

/**
 * Reads a project's tool files for a command that can work with those that are whole.
 *
 * @throws {FolderError} When there is no tool file at all.
 */
export function readFixtures(project: Project): Folder {
  const embedded = project.embedded ? embeddedFixtures(project.toolsDirectory) : undefined;
  if (embedded !== undefined) return { fixtures: embedded, problems: [] };
  const folder = readProject(project);
  if (folder.fixtures.size > 0 || folder.problems.length > 0) return folder;
  throw noToolFile(project);
}

function readProject(project: Project): Folder {
  try {
    return readFolder(project.toolsDirectory);
  } catch (error) {
    throw folderError(error, project);
  }
}

/**
 * Finds the tool that the user named.
 *
 * @throws {FixtureError} When its file cannot be used.
 * @throws {CliError} When there is no such tool; says which one may have been meant.
 */
export function requireTool({ fixtures, problems }: Folder, name: string): Fixture {
  const fixture = fixtures.get(name);
  if (fixture !== undefined) return fixture;
  const own = problems.filter(({ path }) => basename(path) === `${name}.md`);
  if (own.length > 0) throw new FixtureError(own);
  const guess = didYouMean(name, fixtures.keys());
  const hint = problems.length > 0
    ? `Some tool files cannot be used, see: ${programName()} check`
    : guess !== ""
    ? `See: ${programName()} scenarios`
    : `See: ${commandLine(["scenarios", "--find", lastWord(name)])}`;
  throw new CliError(`unknown tool \`${name}\`${guess}\n${hint}`);
}

/** The part of a tool's name that says most. */
function lastWord(name: string): string {
  return name.split(/[\s_.-]+/).findLast((word) => word.length > 2) ?? name;
}

/**
 * Finds the scenario that the user named, ignoring case.
 *
 * @throws {CliError} When the tool has no such scenario; says which one may have been meant.
 */
export function requireScenario(fixture: Fixture, name: string): Scenario {
  const scenario = findScenario(fixture, name);
  if (scenario !== undefined) return scenario;
  const names = fixture.scenarios.map((other) => other.name);
  throw new CliError(
    `\`${fixture.tool}\` has no scenario \`${name}\`${didYouMean(name, names)}\n` +
      `See: ${programName()} scenarios ${fixture.tool}`,
  );
}
