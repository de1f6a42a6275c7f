import type { Fixture } from "../fixture/fixture.ts";
import type { Outline } from "../fixture/outline.ts";
import { defaultScenario, findScenario } from "../scenario/select.ts";
import { aboutScenario, type Finding } from "./finding.ts";

/** Finds scenarios whose name is taken by one before them, so that they cannot be forced. */
export function checkNames(fixture: Fixture): Finding[] {
  return fixture.scenarios.flatMap((scenario) => {
    const first = findScenario(fixture, scenario.name)!;
    if (first === scenario) return [];
    const message =
      `the name is taken by the scenario in line ${first.line} (names ignore case); ` +
      "rename one of them";
    return [aboutScenario("duplicate-name", fixture, scenario, message)];
  });
}

/**
 * Finds scenarios without a rule that are not where they belong: the first one answers by default,
 * and only force reaches the others, so a forgotten rule shows in nothing else. In a folder that
 * has the heading `## By force` anywhere, the default stands before it and the others behind it.
 * A near miss of a heading or a fence in the outline is to be mended first.
 */
export function checkDefaults(fixture: Fixture, outline: Outline | undefined): Finding[] {
  if (outline === undefined || outline.slips.length > 0) return [];
  const { byForce } = outline;
  const standard = defaultScenario(fixture);
  const heading = "the heading `## By force`";
  return fixture.scenarios.filter(({ match }) => match === undefined).flatMap((scenario) => {
    const isBehind = byForce !== undefined && scenario.line > byForce;
    if (scenario !== standard && !isBehind) {
      const message =
        `without a rule it is reached by force alone, since \`${standard.name}\` in ` +
        `line ${standard.line} is the default; give it a \`\`\`json match block, or move it ` +
        `behind ${heading}`;
      return [aboutScenario("default", fixture, scenario, message)];
    }
    if (scenario !== standard || !isBehind) return [];
    const message = `it is the default, but stands behind ${heading} in line ${byForce}; ` +
      "move it before that, or put the scenario that shall be the default there";
    return [aboutScenario("default", fixture, scenario, message)];
  });
}
