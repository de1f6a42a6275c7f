import type { Fixture } from "../fixture/fixture.ts";
import { findScenario } from "../scenario/select.ts";
import { aboutScenario, type Finding } from "./finding.ts";

/**
 * Finds scenarios whose name is taken by one before them, so that they cannot be forced
 * (DECISIONS.md, row 22).
 *
 * @param fixture The tool's fixture.
 * @returns A finding for each.
 */
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
