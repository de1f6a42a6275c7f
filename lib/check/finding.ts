import type { Fixture, Scenario } from "../fixture/fixture.ts";
import type { Problem } from "../fixture/problem.ts";

/** What is checked; docs/CLI.md says what each rule asks. */
export const CHECKS = [
  "parse",
  "encoding",
  "markup",
  "number",
  "duplicate-key",
  "schema",
  "input",
  "argument",
  "placeholder",
  "render",
  "output",
  "shadowed",
  "default",
  "duplicate-name",
  "banned-word",
  "coherence",
  "scaffold",
  "override",
] as const;

export type CheckName = (typeof CHECKS)[number];

/** What a check found, and where. */
export interface Finding extends Problem {
  readonly rule: CheckName;
  /** The tool concerned; absent when the file does not say. */
  readonly tool?: string;
}

/** A finding about a definition, at its line. */
export function aboutDefinition(rule: CheckName, fixture: Fixture, message: string): Finding {
  const { path, tool, definitionLine: line } = fixture;
  return { path, line, rule, tool, message };
}

/** A finding about a scenario, at the line of its heading. */
export function aboutScenario(
  rule: CheckName,
  fixture: Fixture,
  scenario: Scenario,
  message: string,
): Finding {
  const { path, tool } = fixture;
  return { path, line: scenario.line, scenario: scenario.name, rule, tool, message };
}
