import { basename } from "node:path";
import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { FixtureError } from "../fixture/problem.ts";
import { Refusal } from "../refusal.ts";
import { findScenario } from "../scenario/select.ts";
import { didYouMean } from "../suggest.ts";
import type { Folder } from "./folder.ts";

/**
 * Finds a tool by the name that somebody gave.
 *
 * @throws {FixtureError} When its file cannot be used.
 * @throws {Refusal} When there is no such tool; says which one may have been meant.
 */
export function requireTool({ fixtures, problems }: Folder, name: string): Fixture {
  const fixture = fixtures.get(name);
  if (fixture !== undefined) return fixture;
  const own = problems.filter(({ path }) => basename(path) === `${name}.md`);
  if (own.length > 0) throw new FixtureError(own);
  const guess = didYouMean(name, fixtures.keys());
  const [hint, see] = problems.length > 0
    ? ["\nSome tool files cannot be used.", ["check"]]
    : ["", guess !== "" ? ["scenarios"] : ["scenarios", "--find", lastWord(name)]];
  throw new Refusal("missing", `unknown tool \`${name}\`${guess}${hint}`, see);
}

/** The part of a tool's name that says most. */
function lastWord(name: string): string {
  return name.split(/[\s_.-]+/).findLast((word) => word.length > 2) ?? name;
}

/**
 * Finds a scenario by the name that somebody gave, ignoring case.
 *
 * @throws {Refusal} When the tool has no such scenario; says which one may have been meant.
 */
export function requireScenario(fixture: Fixture, name: string): Scenario {
  const scenario = findScenario(fixture, name);
  if (scenario !== undefined) return scenario;
  const names = fixture.scenarios.map((other) => other.name);
  throw new Refusal(
    "missing",
    `\`${fixture.tool}\` has no scenario \`${name}\`${didYouMean(name, names)}`,
    ["scenarios", fixture.tool],
  );
}

/**
 * Finds a scenario that a tool of a folder has, whichever it is.
 *
 * @returns Its name as one of the files has it.
 * @throws {Refusal} When no tool has one; says which one may have been meant.
 */
export function requireAnywhere({ fixtures }: Folder, name: string): string {
  for (const fixture of fixtures.values()) {
    const found = findScenario(fixture, name);
    if (found !== undefined) return found.name;
  }
  const names = [...fixtures.values()].flatMap(({ scenarios }) => scenarios.map((one) => one.name));
  throw new Refusal(
    "missing",
    `no tool has a scenario \`${name}\`${didYouMean(name, names)}`,
    ["scenarios", "--find", name],
  );
}
