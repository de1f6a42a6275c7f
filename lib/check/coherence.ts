import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue, tryParse } from "../json.ts";
import { lineAt, locateJsonError } from "../json_error.ts";
import { defaultScenario, selectScenario } from "../scenario/select.ts";
import { compileSchema, schemaProblem } from "../schema/compile.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { mapOf } from "../schema/document.ts";
import { sampleArguments } from "../schema/sample.ts";
import { parseDuration } from "../template/duration.ts";
import type { Steps } from "../steps.ts";
import type { RenderEnvironment } from "../template/environment.ts";
import { renderTemplate } from "../template/render.ts";
import { TemplateError } from "../template/template.ts";
import { compute, isOpen, type Spot, spotsAt, statedAnswer } from "./_facts.ts";
import { aboutScenario, type Finding } from "./finding.ts";

/** What a folder says of its world: `coherence.json` (docs/FORMAT.md, "Coherence"). */
export interface Coherence {
  readonly entities?: Readonly<Record<string, Entity>>;
  readonly sums?: readonly (Where & { readonly total: string; readonly is: string })[];
  readonly ordered?: readonly (Where & { readonly descending?: boolean })[];
  readonly multiples?: readonly (Where & { readonly of: string })[];
}

/** A kind of thing with ids. */
interface Entity {
  /** Where the facts of each id are stated; elsewhere they are repeated. */
  readonly stated: Told | readonly Told[];
  /** Where other answers show such ids, and which facts they repeat. */
  readonly shown?: readonly Told[];
  /** Which arguments take such ids: every id that is stated must be known there. */
  readonly taken?: readonly {
    readonly by: string;
    readonly as: string;
    /** Further arguments; `{fact}` stands for that fact of the id. */
    readonly with?: JsonObject;
  }[];
  /** Ids that nobody was shown, which whoever takes ids must refuse. */
  readonly refused?: readonly (string | number)[];
  /** Facts that a scenario which only force reaches may tell otherwise. */
  readonly unlessForced?: readonly string[];
}

/** A place in answers: of one tool, of several, or of all. */
interface Where {
  readonly in?: string | readonly string[];
  readonly at: string;
}

/** A place in answers where ids stand, with what is told of them there. */
interface Told extends Where {
  readonly facts?: Facts;
}

/** A fact's name and its path from the object that holds the id; from the root after a `/`. */
type Facts = Readonly<Record<string, string>>;

const TEXT = { type: "string" };
const WHERE = { in: { type: ["string", "array"], items: TEXT }, at: TEXT };
const TOLD = object({ ...WHERE, facts: { type: "object", additionalProperties: TEXT } }, "at");

const validateCoherence = compileSchema(object({
  entities: {
    type: "object",
    additionalProperties: object({
      stated: { anyOf: [TOLD, listOf(TOLD)] },
      shown: listOf(TOLD),
      taken: listOf(object({ by: TEXT, as: TEXT, with: { type: "object" } }, "by", "as")),
      refused: listOf({ type: ["string", "integer"] }),
      unlessForced: listOf(TEXT),
    }, "stated"),
  },
  sums: listOf(object({ ...WHERE, total: TEXT, is: TEXT }, "at", "total", "is")),
  ordered: listOf(object({ ...WHERE, descending: { type: "boolean" } }, "at")),
  multiples: listOf(object({ ...WHERE, of: TEXT }, "at", "of")),
}));

function object(properties: JsonObject, ...required: string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

function listOf(items: JsonObject): JsonObject {
  return { type: "array", items };
}

/** One scenario and what it says by itself. */
interface Case {
  readonly fixture: Fixture;
  readonly scenario: Scenario;
  readonly answer: JsonValue;
  /** Whether only force reaches it. */
  readonly forced: boolean;
}

/**
 * Checks, a rule a step, that the answers of a folder tell one story: ids that are shown are known, their facts
 * agree wherever they are told, sums hold, times are in order.
 *
 * @returns The findings; about the file itself where that is of no use.
 */
export function* checkCoherence(
  text: string,
  path: string,
  fixtures: ReadonlyMap<string, Fixture>,
  environment: RenderEnvironment,
): Steps<Finding[]> {
  const own = (message: string, line = 1): Finding => ({ path, line, rule: "coherence", message });
  const value = tryParse(text);
  if (value === undefined) {
    const { message, offset } = locateJsonError(text);
    return [own(message, lineAt(text, offset))];
  }
  const invalid = validateCoherence(value);
  if (invalid !== undefined) return [own(`cannot be used: ${invalid}`)];
  const coherence = value as unknown as Coherence;
  const world = { cases: [...fixtures.values()].flatMap(casesOf), fixtures, environment, own };
  const { entities = {}, sums = [], ordered = [], multiples = [] } = coherence;
  const rules = [
    ...Object.entries(entities).map(([kind, entity]) => () => checkEntity(world, kind, entity)),
    ...sums.map((sum) => () => checkSum(world, sum)),
    ...ordered.map((list) => () => checkOrder(world, list)),
    ...multiples.map((times) => () => checkMultiple(world, times)),
  ];
  const findings: Finding[] = [];
  try {
    for (const rule of rules) {
      yield;
      findings.push(...rule());
    }
    return findings;
  } catch (error) {
    return [own((error as Error).message)];
  }
}

function casesOf(fixture: Fixture): Case[] {
  return fixture.scenarios.flatMap((scenario) => {
    const answer = statedAnswer(scenario);
    const forced = scenario.match === undefined && scenario !== defaultScenario(fixture);
    return answer === undefined ? [] : [{ fixture, scenario, answer, forced }];
  });
}

/** The facts of one id, and who told them. */
interface Statement {
  readonly facts: ReadonlyMap<string, JsonValue>;
  readonly teller: string;
}

/** What all rules look at. */
interface World {
  readonly cases: readonly Case[];
  readonly fixtures: ReadonlyMap<string, Fixture>;
  readonly environment: RenderEnvironment;
  /** A finding about the file itself. */
  readonly own: (message: string) => Finding;
}

type Known = ReadonlyMap<string | number, Statement>;

function about({ fixture, scenario }: Omit<Case, "answer" | "forced">, message: string): Finding {
  return aboutScenario("coherence", fixture, scenario, message);
}

function checkEntity(world: World, kind: string, entity: Entity): Finding[] {
  const { shown = [], taken = [], refused = [], unlessForced = [] } = entity;
  const stated = [entity.stated].flat();
  const known = new Map<string | number, Statement>();
  for (const where of stated) {
    // What force tells may be another moment of the same thing, so it states nothing.
    for (const { fixture, scenario, answer } of casesIn(world, where).filter((c) => !c.forced)) {
      for (const spot of spotsAt(answer, where.at)) {
        if (!isId(spot.value) || known.has(spot.value)) continue;
        const teller = `${fixture.tool} (\`${scenario.name}\`)`;
        known.set(spot.value, { facts: factsOf(spot, answer, where.facts), teller });
      }
    }
  }
  return [
    ...[...stated, ...shown].flatMap((where) =>
      checkShown(world, kind, where, known, unlessForced)
    ),
    ...taken.flatMap((take) => checkTaken(world, kind, take, known, refused)),
  ];
}

function checkShown(
  world: World,
  kind: string,
  where: Told,
  known: Known,
  unlessForced: readonly string[],
): Finding[] {
  return atSpots(world, where, `no answer shows a ${kind}`, (each, spot) => {
    const id = spot.value;
    if (!isId(id)) return [];
    const statement = known.get(id);
    if (statement === undefined) return [`no tool states the ${kind} ${id}`];
    return [...factsOf(spot, each.answer, where.facts)].flatMap(([fact, said]) => {
      const truth = statement.facts.get(fact);
      if (truth === undefined || each.forced && unlessForced.includes(fact)) return [];
      const [a, b] = [said, truth].map((value) => JSON.stringify(value));
      const message = `the ${fact} of ${kind} ${id} is ${a}, but ${statement.teller} says ${b}`;
      return a === b ? [] : [message];
    });
  });
}

function checkTaken(
  { fixtures, own }: World,
  kind: string,
  { by, as, with: more = {} }: NonNullable<Entity["taken"]>[number],
  known: Known,
  refused: readonly (string | number)[],
): Finding[] {
  const fixture = fixtures.get(by);
  if (fixture === undefined) return [own(`there is no tool \`${by}\` to take a ${kind}`)];
  const { inputSchema } = fixture.definition;
  const validate = schemaProblem(inputSchema) === undefined && compileSchema(inputSchema);
  if (validate === false) return [];
  const ask = (id: string | number, facts: Statement["facts"]) => {
    const wanted = withValue(filled(more, facts), as.split("."), id);
    const args = applyDefaults(inputSchema, sampleArguments(inputSchema, wanted));
    return validate(args) ?? selectScenario(fixture, args, undefined);
  };
  return [
    ...[...known].flatMap(([id, { facts }]) => {
      const answer = ask(id, facts);
      const unknown = typeof answer === "string"
        ? answer
        : answer.reason === "default" && isFailure(answer.scenario)
        ? `it is answered by the default \`${answer.scenario.name}\``
        : undefined;
      if (unknown === undefined) return [];
      const scenario = defaultScenario(fixture);
      return [
        about({ fixture, scenario }, `the ${kind} ${id} is not known as \`${as}\`: ${unknown}`),
      ];
    }),
    ...refused.flatMap((id) => {
      // Everything else is as it would be for an id that is known.
      const answer = ask(id, [...known.values()][0]!.facts);
      if (typeof answer === "string" || isFailure(answer.scenario)) return [];
      const message = `the ${kind} ${id}, which nothing shows, is taken as \`${as}\``;
      return [about({ fixture, scenario: answer.scenario }, message)];
    }),
  ];
}

function checkSum(
  world: World,
  { total, is, ...where }: NonNullable<Coherence["sums"]>[number],
): Finding[] {
  return atSpots(world, where, "no answer has anything", (_each, { value }) => {
    if (!isJsonObject(value)) return [];
    const said = compute(total, value);
    const right = compute(is, value);
    if (said === undefined || right === undefined || Math.abs(said - right) < 0.005) return [];
    const place = where.at || "its top";
    const amount = Math.round(right * 100) / 100;
    return [`\`${total}\` is ${said} at ${place}, but \`${is}\` makes ${amount}`];
  });
}

function checkOrder(
  world: World,
  { descending = false, ...where }: NonNullable<Coherence["ordered"]>[number],
): Finding[] {
  return inLists(world, where, (values) => {
    const wrong = values.findIndex((value, index) => {
      const before = values[index - 1];
      return index > 0 && (descending ? value > before! : value < before!);
    });
    return wrong === -1 ? undefined : `${values[wrong]} comes after ${values[wrong - 1]}`;
  });
}

function checkMultiple(
  world: World,
  { of, ...where }: NonNullable<Coherence["multiples"]>[number],
): Finding[] {
  const nanoseconds = parseDuration(of);
  if (!nanoseconds) return [world.own(`\`${of}\` is no duration such as 20m`)];
  return inLists(world, where, (values) => {
    const wrong = values.find((value) =>
      BigInt(Date.parse(String(value))) * 1_000_000n % nanoseconds !== 0n
    );
    return wrong === undefined ? undefined : `${wrong} is no multiple of ${of}`;
  });
}

/** What a rule says of each spot; it must be of use somewhere. */
function atSpots(
  world: World,
  where: Where,
  nothing: string,
  rule: (each: Case, spot: Spot) => string[],
): Finding[] {
  const spots = casesIn(world, where).flatMap((each) =>
    spotsAt(each.answer, where.at).map((spot) => ({ each, spot }))
  );
  if (spots.length === 0) return [world.own(`${nothing} at ${where.at}`)];
  return spots.flatMap(({ each, spot }) => rule(each, spot).map((message) => about(each, message)));
}

/** What is wrong with each list of values, as a call would be answered. */
function inLists(
  world: World,
  where: Where,
  rule: (values: (string | number)[]) => string | undefined,
): Finding[] {
  const lists = casesIn(world, where).map((each) => {
    const values = spotsAt(calledAnswer(each, world), where.at).map(({ value }) => value);
    return { each, values: values.filter(isId) };
  });
  if (lists.every(({ values }) => values.length === 0)) {
    return [world.own(`no answer has anything at ${where.at}`)];
  }
  return lists.flatMap(({ each, values }) => {
    const wrong = rule(values);
    return wrong === undefined ? [] : [about(each, `at ${where.at}, ${wrong}`)];
  });
}

/** The answer to a scenario's sample call; `null` where there is none, which another rule reports. */
function calledAnswer({ fixture, scenario }: Case, { environment }: World): JsonValue {
  const { inputSchema } = fixture.definition;
  try {
    const args = applyDefaults(inputSchema, sampleArguments(inputSchema, scenario.match));
    return renderTemplate(scenario.template, args, environment);
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

function casesIn({ cases }: World, { in: tools }: Where): readonly Case[] {
  if (tools === undefined) return cases;
  const names = [tools].flat();
  return cases.filter(({ fixture }) => names.includes(fixture.tool));
}

/** Whether a value can be an id that the answer itself has. */
function isId(value: JsonValue): value is string | number {
  return (typeof value === "string" && value !== "" && !isOpen(value)) || typeof value === "number";
}

function factsOf(spot: Spot, answer: JsonValue, facts: Facts = {}): Map<string, JsonValue> {
  return new Map(
    Object.entries(facts).flatMap(([fact, path]): [string, JsonValue][] => {
      const [from, rest] = path.startsWith("/") ? [answer, path.slice(1)] : [spot.holder, path];
      const values = spotsAt(from, rest).map(({ value }) => value);
      if (values.length === 0 || values.some(isOpen)) return [];
      return [[fact, path.includes("[]") ? values : values[0]!]];
    }),
  );
}

function isFailure(scenario: Scenario): boolean {
  if (scenario.isError) return true;
  const answer = statedAnswer(scenario);
  return isJsonObject(answer) && Object.hasOwn(answer, "error");
}

/** A copy of an object with a value at a path. */
function withValue(object: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [key = "", ...rest] = path;
  return {
    ...object,
    [key]: rest.length === 0 ? value : withValue(mapOf(object[key]), rest, value),
  };
}

/** Puts the facts of an id where `{fact}` stands. */
function filled(value: JsonObject, facts: ReadonlyMap<string, JsonValue>): JsonObject {
  return JSON.parse(JSON.stringify(value), (_key, inner) => {
    const fact = typeof inner === "string" ? /^\{(\w+)\}$/.exec(inner)?.[1] : undefined;
    return fact === undefined ? inner : facts.get(fact) ?? inner;
  });
}
