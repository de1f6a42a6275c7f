import type { Fixture } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue, own, valueAt } from "../json.ts";
import { defaultScenario, selectScenario } from "../scenario/select.ts";
import { canonical } from "../schema/canonical.ts";
import { listOf, mapOf } from "../schema/document.ts";

const FENCE = "```";

/**
 * Chooses the rule of a new scenario: the keys that most rules of the file have, else the arguments
 * that the schema requires, else all. Where another rule asks for the same, more keys are added.
 *
 * @returns The rule; `undefined` when there are no arguments, or another rule asks for all of them.
 */
export function chooseRule(fixture: Fixture, args: JsonObject): JsonObject | undefined {
  const given = Object.keys(args);
  const usual = usualKeys(fixture, args) ??
    given.filter((key) => listOf(fixture.definition.inputSchema.required).includes(key));
  const first = usual.length > 0 ? usual : given;
  const more = given.filter((key) => !first.includes(key));
  const taken = new Set(fixture.scenarios.map(({ match }) => match && canonical(match)));
  for (let count = 0; count <= more.length; count++) {
    const rule = ruleOf(args, [...first, ...more.slice(0, count)].map((key) => [key]));
    if (Object.keys(rule).length > 0 && !taken.has(canonical(rule))) return rule;
  }
  return undefined;
}

/** The keys that most rules have, of those that the arguments have all of. */
function usualKeys({ scenarios }: Fixture, args: JsonObject): string[] | undefined {
  const fitting = scenarios.map(({ match = {} }) => Object.keys(match))
    .filter((keys) => keys.length > 0 && keys.every((key) => Object.hasOwn(args, key)));
  const groups = [...Map.groupBy(fitting, (keys) => JSON.stringify(keys)).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0];
}

/** Makes the rule that asks for some of a call's arguments, by their paths; each is there. */
export function ruleOf(args: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  const rule: JsonObject = {};
  for (const path of paths) {
    let to = rule;
    for (const key of path.slice(0, -1)) to = (to[key] ??= {}) as JsonObject;
    to[path.at(-1)!] = equalTo(valueAt(args, path) ?? null);
  }
  return rule;
}

/** Whether an argument is there in every call that a rule lets through. */
export function isSure(path: readonly string[], rule: JsonObject, schema: JsonObject): boolean {
  if (valueAt(rule, path) !== undefined) return true;
  let inner: JsonObject = schema;
  return path.every((key) => {
    const property = mapOf(own(mapOf(inner.properties), key));
    const isThere = listOf(inner.required).includes(key) || "default" in property;
    inner = property;
    return isThere;
  });
}

/** What a rule says to have just this value; some texts mean more to a rule. */
function equalTo(value: JsonValue): JsonValue {
  if (typeof value === "string") return /^[~=]|^\*$/.test(value) ? `=${value}` : value;
  if (Array.isArray(value)) return value.map(equalTo);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, equalTo(one)]));
}

/** The parts of a new scenario, as they are to be written. */
export interface NewScenario {
  readonly name: string;
  readonly prose: string;
  readonly isError: boolean;
  /** The text of its rule, if it has one. */
  readonly rule?: string;
  /** The text of its answer. */
  readonly answer: string;
}

/**
 * Where a scenario goes: before the one that would answer these arguments (defaults applied) in its
 * place, or by force at the end.
 */
export type Place =
  | { readonly args: JsonObject }
  | { readonly byForce: true; readonly needsHeading: boolean };

/** Puts a scenario into the text of a tool file; nothing else in it changes. */
export function insertScenario(
  text: string,
  fixture: Fixture,
  scenario: NewScenario,
  place: Place,
): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const heading = "byForce" in place && place.needsHeading ? "## By force\n\n" : "";
  const block = `${heading}${scenarioBlock(scenario)}`.replaceAll("\n", end);
  if ("byForce" in place) return `${text.trimEnd()}${end}${end}${block}`;
  const { scenario: next } = selectScenario(fixture, place.args, undefined);
  const { line } = next.match === undefined ? defaultScenario(fixture) : next;
  return text.split(/(?<=\n)/).toSpliced(line - 1, 0, block + end).join("");
}

/** Writes the section of a scenario, with a line end after it. */
export function scenarioBlock({ name, prose, isError, rule, answer }: NewScenario): string {
  return [
    ...[`## Scenario: ${name}`, "", prose, ""],
    ...(rule === undefined ? [] : [`${FENCE}json match`, rule, FENCE, ""]),
    ...[`${FENCE}json ${isError ? "error" : "response"}`, answer, FENCE, ""],
  ].join("\n");
}
