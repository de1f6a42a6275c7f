import type { Fixture, Scenario } from "../fixture/fixture.ts";
import type { JsonObject } from "../json.ts";
import { compileRule, foldingOnce, type Rule } from "./match.ts";

/** Why a scenario was chosen. */
export type SelectionReason = "forced" | "match" | "default";

/** A chosen scenario. */
export interface Selection {
  readonly scenario: Scenario;
  readonly reason: SelectionReason;
}

/**
 * Chooses the scenario that answers a call: the forced one if the file has it, else the first whose
 * rule matches the arguments (defaults applied), else the first without a rule (docs/SPEC.md,
 * section 4).
 */
export function selectScenario(
  fixture: Fixture,
  args: JsonObject,
  forced: string | undefined,
): Selection {
  const wanted = forced === undefined ? undefined : findScenario(fixture, forced);
  if (wanted) return { scenario: wanted, reason: "forced" };
  const fold = foldingOnce();
  const matched = rulesOf(fixture).find(({ rule }) => rule(args, fold));
  if (matched) return { scenario: matched.scenario, reason: "match" };
  return { scenario: defaultScenario(fixture), reason: "default" };
}

const knownRules = new WeakMap<Fixture, readonly RuledScenario[]>();

interface RuledScenario {
  readonly scenario: Scenario;
  readonly rule: Rule;
}

/** The scenarios with a rule, in file order: prepared at a file's first call. */
function rulesOf(fixture: Fixture): readonly RuledScenario[] {
  const known = knownRules.get(fixture);
  if (known !== undefined) return known;
  const rules = fixture.scenarios.flatMap((scenario) =>
    scenario.match === undefined ? [] : [{ scenario, rule: compileRule(scenario.match) }]
  );
  knownRules.set(fixture, rules);
  return rules;
}

/** Finds a scenario by name, ignoring case; the first one wins where two share a name. */
export function findScenario(fixture: Fixture, name: string): Scenario | undefined {
  const wanted = name.toLowerCase();
  return fixture.scenarios.find((scenario) => scenario.name.toLowerCase() === wanted);
}

/**
 * The scenario that answers calls which no rule matches: the first without a rule. There is one.
 */
export function defaultScenario(fixture: Fixture): Scenario {
  return fixture.scenarios.find(({ match }) => !match)!;
}

/** Whether no arguments lead to a scenario, so that only force reaches it. */
export function isByForce(scenario: Scenario, fixture: Fixture): boolean {
  return scenario.match === undefined && scenario !== defaultScenario(fixture);
}
