import type { Fixture, Scenario } from "../fixture/fixture.ts";
import type { Problem } from "../fixture/problem.ts";

/**
 * What is checked.
 *
 * - `parse`: the file can be used at all (docs/SPEC.md, section 2)
 * - `encoding`: the file is UTF-8
 * - `markup`: what looks like a heading or a fence of a tool file is one
 * - `number`: numbers are sent as they are written
 * - `duplicate-key`: no key stands twice in an object
 * - `schema`: the definition's schemas compile
 * - `input`: the scenario's sample call fits `inputSchema`
 * - `argument`: what the rule asks for is declared in `inputSchema`
 * - `placeholder`: what the answer takes from the arguments is declared there
 * - `render`: the answer is JSON for that call
 * - `output`: the answer fits `outputSchema`
 * - `shadowed`: the scenario is what answers its own sample call
 * - `default`: scenarios without a rule are where they belong
 * - `duplicate-name`: no two scenarios of a tool share a name
 * - `banned-word`: nothing a client sees tells that the server is a local one (docs/SPEC.md, section 9)
 * - `coherence`: the answers tell one story, as `coherence.json` has it
 * - `scaffold`: somebody wrote the answers of a tool that `import` brought
 * - `override`: what the overrides file names exists
 */
export type CheckName =
  | "parse"
  | "encoding"
  | "markup"
  | "number"
  | "duplicate-key"
  | "schema"
  | "input"
  | "argument"
  | "placeholder"
  | "render"
  | "output"
  | "shadowed"
  | "default"
  | "duplicate-name"
  | "banned-word"
  | "coherence"
  | "scaffold"
  | "override";

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
