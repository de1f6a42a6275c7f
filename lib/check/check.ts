import type { Fixture } from "../fixture/fixture.ts";
import type { Folder } from "../store/folder.ts";
import type { RenderEnvironment } from "../template/environment.ts";
import { checkNames } from "./check_names.ts";
import { checkPlaceholders } from "./check_placeholders.ts";
import { checkScenarios } from "./check_scenarios.ts";
import { checkSchemas } from "./check_schemas.ts";
import { checkDefinitionWords } from "./check_words.ts";
import type { Finding } from "./finding.ts";

/**
 * Runs every honesty rule that concerns one fixture alone.
 *
 * @param fixture The fixture.
 * @param environment Clock and random source for the answers.
 * @returns The findings, by line.
 */
export function checkFixture(fixture: Fixture, environment: RenderEnvironment): Finding[] {
  return [
    ...checkSchemas(fixture),
    ...checkDefinitionWords(fixture),
    ...checkNames(fixture),
    ...checkPlaceholders(fixture),
    ...checkScenarios(fixture, environment),
  ].sort((a, b) => a.line - b.line);
}

/**
 * Runs every honesty rule over a folder of tool files.
 *
 * @param folder What the folder holds.
 * @param environment Clock and random source for the answers.
 * @returns The findings, file by file; none when the folder is honest.
 */
export function checkFolder(folder: Folder, environment: RenderEnvironment): Finding[] {
  const parse = folder.problems.map((problem): Finding => ({ ...problem, rule: "parse" }));
  const others = [...folder.fixtures.values()]
    .flatMap((fixture) => checkFixture(fixture, environment));
  // The sort is stable: within a file, findings stay in the order of their lines.
  return [...parse, ...others].sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}
