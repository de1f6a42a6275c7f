import type { Fixture } from "../fixture/fixture.ts";
import { plain } from "../plain.ts";
import { findScenario } from "../scenario/select.ts";
import { didYouMean } from "../suggest.ts";
import { ANY_REQUEST, ANY_TOOL, type Overrides, type OverridesProblem } from "./overrides.ts";

/** Tools by name; `undefined` for one whose file cannot be used at the moment. */
export type KnownTools = ReadonlyMap<string, Fixture | undefined>;

/**
 * Finds everything in an overrides file that forces nothing: what cannot be understood, and what
 * names a tool or a scenario that does not exist.
 *
 * @returns The problems, in file order as far as they have a key.
 */
export function overridesProblems(overrides: Overrides, tools: KnownTools): OverridesProblem[] {
  const named = [...overrides.entries].flatMap(([key, { steps }]) => {
    const unknown = unknownTool(key, tools.keys());
    if (unknown !== undefined) return [unknown];
    const names = new Set(steps.flatMap(({ scenario }) => scenario ?? []));
    const messages = [...names].flatMap((name) =>
      (key === ANY_TOOL ? unknownEverywhere(name, tools) : unknownScenario(name, tools.get(key))) ??
        []
    );
    return messages.map((message) => ({ key, message }));
  });
  return [...overrides.problems, ...named];
}

/**
 * Says that an entry is about a tool that does not exist.
 *
 * @returns The problem, or `undefined` when there is such a tool.
 */
export function unknownTool(key: string, tools: Iterable<string>): OverridesProblem | undefined {
  const names = [ANY_TOOL, ANY_REQUEST, ...tools];
  if (names.includes(key)) return undefined;
  const message = `there is no tool \`${plain(key)}\`, so its entry does nothing`;
  return { key, message: message + didYouMean(key, names) };
}

/**
 * Says that a tool has no scenario of a forced name.
 *
 * @param fixture The tool's fixture; without one, nothing is known of its scenarios.
 */
export function unknownScenario(
  name: string,
  fixture: Fixture | undefined,
): string | undefined {
  if (fixture === undefined || findScenario(fixture, name) !== undefined) return undefined;
  const others = fixture.scenarios.map((scenario) => scenario.name);
  return `\`${fixture.tool}\` has no scenario \`${plain(name)}\`, so the entry does nothing` +
    didYouMean(name, others);
}

function unknownEverywhere(name: string, tools: KnownTools): string | undefined {
  const fixtures = [...tools.values()].filter((fixture) => fixture !== undefined);
  if (fixtures.some((fixture) => findScenario(fixture, name) !== undefined)) return undefined;
  const others = fixtures.flatMap(({ scenarios }) => scenarios.map((scenario) => scenario.name));
  return `no tool has a scenario \`${plain(name)}\`, so the entry of \`${ANY_TOOL}\` does nothing` +
    didYouMean(name, others);
}
