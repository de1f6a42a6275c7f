import { checkFixture } from "../../lib/check/check.ts";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import type { Problem } from "../../lib/fixture/problem.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { defaultScenario, selectScenario } from "../../lib/scenario/select.ts";
import {
  type Facts,
  KINDS,
  OPAQUE,
  type Place,
  type Question,
  type Sighting,
} from "./_entities.ts";
import {
  call,
  type Case,
  failureOf,
  problem,
  type Reply,
  sampleCall,
  shortPath,
  type Spot,
  visit,
} from "./_library.ts";
import { shapeFaults } from "./_shapes.ts";

/** A rule of coherence: tells what is wrong with some cases of a library. */
export type Rule = (cases: readonly Case[]) => Problem[];

/**
 * The program's own `check` finds nothing: each sample call is valid and reaches its own scenario,
 * each answer fits the output schema, no banned word is seen. Of the default scenarios, too.
 */
export function honest(cases: readonly Case[]): Problem[] {
  return fixturesOf(cases).flatMap(([fixture, { moment }]) => {
    const findings: Problem[] = checkFixture(fixture, moment)
      .map((finding) => ({ ...finding, path: shortPath(fixture) }));
    const scenario = defaultScenario(fixture);
    const chosen = selectScenario(fixture, sampleCall(fixture, scenario), undefined).scenario;
    if (chosen !== scenario) {
      findings.push(problem({ fixture, scenario }, "", `its sample call reaches ${chosen.name}`));
    }
    return findings;
  });
}

/** Sums, counts and times agree within each answer. */
export function consistent(cases: readonly Case[]): Problem[] {
  return cases.flatMap((each) =>
    [...shapeFaults(each)].map(({ pointer, message }) => problem(each, pointer, message))
  );
}

/** Words that would tell that this is not production, less loudly than those `check` looks for. */
const HINTS = ["fixture", "placeholder", "simulat", "stub", "localhost", "127.0.0.1", "lorem"];
/** Where links may lead. */
const HOSTS = ["careem-mcp-app.pages.dev", "app.careem.com"];

/** No definition and no answer has a hint or leads elsewhere. */
export function discreet(cases: readonly Case[]): Problem[] {
  const definitions = fixturesOf(cases).flatMap(([fixture]) =>
    [...hints(fixture.definition)].map(([pointer, message]) =>
      problem({ fixture }, pointer, message)
    )
  );
  const answers = cases.flatMap((each) =>
    [...hints(each.answer)].map(([pointer, message]) => problem(each, pointer, message))
  );
  return [...definitions, ...answers];
}

/** What in a value tells a client that this is not production. */
export function* hints(value: JsonValue): Generator<[pointer: string, message: string]> {
  for (const { value: part, pointer } of visit(value)) {
    const texts = isJsonObject(part) ? Object.keys(part) : typeof part === "string" ? [part] : [];
    for (const text of texts) {
      const hint = HINTS.find((word) => text.toLowerCase().includes(word));
      if (hint !== undefined) yield [pointer, `"${text}" contains the word "${hint}"`];
      for (const [, host] of text.matchAll(/https?:\/\/([^/\s"]+)/g)) {
        if (!HOSTS.includes(host!)) yield [pointer, `links to ${host}`];
      }
    }
  }
}

function fixturesOf(cases: readonly Case[]): [Fixture, Case][] {
  return [...new Map(cases.map((each) => [each.fixture, each]))];
}

/**
 * Every id that an answer shows is known, as the same thing, to the tools that take it. The cases
 * are of one library and one moment.
 */
export function closed(cases: readonly Case[]): Problem[] {
  const replies = new Map<string, Reply | string>();
  return cases.flatMap((each) => {
    const ask = (tool: string, args: JsonObject): Reply | string => {
      const key = `${tool} ${JSON.stringify(args)}`;
      const reply = replies.get(key) ?? call(each.library, tool, args, each.moment);
      replies.set(key, reply);
      return reply;
    };
    const own = callersOwn(each);
    return [...visit(each.answer)].filter(({ value }) => isId(value) && !own.has(value))
      .flatMap((spot) =>
        [...idFaults(spot, ask, each.forceOnly)].map((message) =>
          problem(each, spot.pointer, message)
        )
      );
  });
}

function* idFaults(spot: Spot, ask: Sighting["ask"], forceOnly: boolean): Generator<string> {
  const sighting: Sighting = { id: spot.value as string | number, around: spot.around, ask };
  for (const { kind, places, questions } of KINDS) {
    const here = places.filter(({ at, when }) => isAt(spot, at) && (when?.(sighting) ?? true));
    if (here.length === 0) continue;
    for (const question of questions) yield* doubts(kind, sighting, here, question, forceOnly);
  }
  if (isUncovered(spot)) yield "no kind of entity has this id; add it to _entities.ts";
}

/** What one question says against an id and what is told of it. */
function doubts(
  kind: string,
  sighting: Sighting,
  places: readonly Place[],
  question: Question,
  forceOnly: boolean,
): string[] {
  const { id, around, ask } = sighting;
  const { tool, entity, mayFail } = question;
  const reply = ask(tool, question.args(sighting));
  if (typeof reply === "string") return [`${tool} cannot be asked for ${kind} ${id}: ${reply}`];
  const failure = failureOf(reply.answer);
  if (failure !== undefined) {
    if (mayFail && !reply.isDefault) return [];
    return [`${tool} does not know ${kind} ${id}: "${failure}"`];
  }
  const found = entity === undefined
    ? reply.answer
    : [...visit(reply.answer)].find(({ value, place }) =>
      place === `.${entity[0]}` && isJsonObject(value) && value[entity[1]] === id
    )?.value;
  const { name } = reply.scenario;
  if (!isJsonObject(found)) return [`${tool} (\`${name}\`) answers without ${kind} ${id}`];
  const [holder] = around;
  return places.flatMap(({ says, saysUnforced }) =>
    Object.entries({ ...says, ...(!forceOnly && saysUnforced) }).flatMap(([fact, where]) => {
      const there = question.says?.[fact];
      if (there === undefined) return [];
      const [said, expected] = [tell(holder!, where), tell(found, there)];
      if (said === null || expected === null || same(said, expected)) return [];
      const [a, b] = [said, expected].map((value) => JSON.stringify(value));
      return [`the ${fact} of ${kind} ${id} is ${a}, but ${tool} (\`${name}\`) says ${b}`];
    })
  );
}

/** Values in an answer that the caller made up: echoes of sample arguments no rule asks for. */
function callersOwn({ args, scenario }: Case): ReadonlySet<JsonValue> {
  const wanted = new Set(
    [...visit(scenario.match ?? {})].map(({ value }) =>
      typeof value === "string" ? value.replace(/^=/, "") : value
    ),
  );
  return new Set([...visit(args)].map(({ value }) => value).filter((value) => !wanted.has(value)));
}

function isId(value: JsonValue): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/** Whether a value of an answer stands where a place says. */
export function isAt({ place }: Spot, at: string): boolean {
  return place.endsWith(`.${at}`);
}

/** Whether a value is an id by its key's name, and neither a known kind's nor opaque. */
function isUncovered(spot: Spot): boolean {
  return /(\.|_)id$|Id$|Uuid$/.test(spot.place) &&
    ![...KINDS.flatMap(({ places }) => places.map(({ at }) => at)), ...OPAQUE]
      .some((place) => isAt(spot, place));
}

function tell(teller: JsonObject, where: Facts[string]): JsonValue {
  if (typeof where === "function") return where(teller);
  const path = where.split(".");
  return path.reduce<JsonValue>(
    (value, key) => isJsonObject(value) ? value[key] ?? null : null,
    teller,
  );
}

/** Whether two values are the same JSON; of objects, as far as both have a member. */
function same(a: JsonValue, b: JsonValue): boolean {
  if (isJsonObject(a) && isJsonObject(b)) {
    return Object.keys(a).every((key) => !(key in b) || same(a[key]!, b[key]!));
  }
  return JSON.stringify(a) === JSON.stringify(b);
}
