import type { Fixture } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { defaultScenario, selectScenario } from "../scenario/select.ts";
import { canonical } from "../schema/_canonical.ts";
import { listOf, mapOf } from "../schema/document.ts";

const FENCE = "```";

/**
 * Chooses the rule of a new scenario: the keys that most rules of the file have, else the arguments
 * that the schema requires, else all. Where another rule asks for the same, more keys are added.
 *
 * @param fixture The tool's fixture.
 * @param args The arguments that the scenario answers.
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
  const counts = new Map<string, number>();
  for (const { match } of scenarios) {
    const keys = Object.keys(match ?? {});
    if (keys.length === 0 || keys.some((key) => !Object.hasOwn(args, key))) continue;
    const text = JSON.stringify(keys);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && JSON.parse(most[0]);
}

/**
 * Makes the rule that asks for some of a call's arguments.
 *
 * @param args The arguments.
 * @param paths The paths of those that it asks for; each is there.
 * @returns The rule.
 */
export function ruleOf(args: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  const rule: JsonObject = {};
  for (const path of paths) {
    let [from, to] = [args, rule];
    for (const key of path.slice(0, -1)) {
      from = own(from, key) as JsonObject;
      to = (to[key] ??= {}) as JsonObject;
    }
    to[path.at(-1)!] = equalTo(own(from, path.at(-1)!) ?? null);
  }
  return rule;
}

/** The value at a path, if there is one. */
export function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, key) => isJsonObject(inner) ? own(inner, key) : undefined,
    value,
  );
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

/** Where a scenario goes: before another that would answer in its place, or by force at the end. */
export type Place =
  | { readonly args: JsonObject }
  | { readonly byForce: true; readonly needsHeading: boolean };

/**
 * Puts a scenario into the text of a tool file; nothing else in it changes.
 *
 * @param text The file's text.
 * @param fixture What was parsed from it.
 * @param scenario The scenario.
 * @param place Where it is to stand: the arguments, defaults applied, that it is to answer.
 * @returns The new text.
 */
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
  const before = next.match === undefined ? defaultScenario(fixture) : next;
  const lines = text.split(/(?<=\n)/);
  return [
    ...lines.slice(0, before.line - 1),
    block + end,
    ...lines.slice(before.line - 1),
  ].join("");
}

/**
 * Writes a scenario.
 *
 * @param scenario Its parts.
 * @returns Its section, with a line end after it.
 */
export function scenarioBlock({ name, prose, isError, rule, answer }: NewScenario): string {
  return [
    ...[`## Scenario: ${name}`, "", prose, ""],
    ...(rule === undefined ? [] : [`${FENCE}json match`, rule, FENCE, ""]),
    ...[`${FENCE}json ${isError ? "error" : "response"}`, answer, FENCE, ""],
  ].join("\n");
}
