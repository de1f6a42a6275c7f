import type { Fixture, Scenario } from "../fixture/fixture.ts";
import type { Problem } from "../fixture/problem.ts";

/**
 * The honesty rules.
 *
 * - `parse`: the file can be used at all (BUILD.md §2)
 * - `schema`: the definition's schemas compile
 * - `input`: the scenario's sample call fits `inputSchema`
 * - `render`: the answer is JSON for that call
 * - `output`: the answer fits `outputSchema`
 * - `shadowed`: the scenario is what answers its own sample call
 * - `placeholder`: what the answer takes from the arguments can be there
 * - `duplicate-name`: no two scenarios of a tool share a name
 * - `banned-word`: nothing a client sees tells that the server is a local one (BUILD.md §7, 12)
 * - `coherence`: the answers tell one story, as `coherence.json` has it
 * - `override`: what the overrides file names exists
 */
export type Rule =
  | "parse"
  | "schema"
  | "input"
  | "render"
  | "output"
  | "shadowed"
  | "placeholder"
  | "duplicate-name"
  | "banned-word"
  | "coherence"
  | "override";

/** A rule that is broken, and where. */
export interface Finding extends Problem {
  readonly rule: Rule;
  /** The tool concerned; absent when the file does not say. */
  readonly tool?: string;
}

/**
 * A finding about a definition.
 *
 * @param rule The rule it breaks.
 * @param fixture The tool's fixture.
 * @param message What is wrong and what to change.
 * @returns The finding, at the definition's line.
 */
export function aboutDefinition(rule: Rule, fixture: Fixture, message: string): Finding {
  const { path, tool, definitionLine: line } = fixture;
  return { path, line, rule, tool, message };
}

/**
 * A finding about a scenario.
 *
 * @param rule The rule it breaks.
 * @param fixture The tool's fixture.
 * @param scenario The scenario.
 * @param message What is wrong and what to change.
 * @returns The finding, at the line of the scenario's heading.
 */
export function aboutScenario(
  rule: Rule,
  fixture: Fixture,
  scenario: Scenario,
  message: string,
): Finding {
  const { path, tool } = fixture;
  return { path, line: scenario.line, scenario: scenario.name, rule, tool, message };
}
