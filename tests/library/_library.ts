import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { checkFolder } from "../../lib/check/check.ts";
import { checkCoherence } from "../../lib/check/coherence.ts";
import { finish } from "../../lib/steps.ts";
import type { Finding } from "../../lib/check/finding.ts";
import type { Fixture, Scenario } from "../../lib/fixture/fixture.ts";
import { formatProblem } from "../../lib/fixture/problem.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { defaultScenario, selectScenario } from "../../lib/scenario/select.ts";
import { compileSchema, type Validate } from "../../lib/schema/compile.ts";
import { applyDefaults } from "../../lib/schema/defaults.ts";
import { sampleArguments } from "../../lib/schema/sample.ts";
import { loadFolder, readFolder } from "../../lib/store/folder.ts";
import type { RenderEnvironment } from "../../lib/template/environment.ts";
import { renderTemplate } from "../../lib/template/render.ts";
import { ROOT } from "../support/program.ts";

/** Fixtures by tool name. */
export type Library = ReadonlyMap<string, Fixture>;

/** The fixtures that ship. */
export const TOOLS = join(ROOT, "tools");

/** Reads the fixtures that ship, or a copy of them. */
export function readLibrary(directory = TOOLS): Library {
  return loadFolder(directory);
}

/**
 * Everything that `check` and the coherence of the folder find.
 *
 * @param directory The folder.
 * @returns The findings, each once.
 */
export function findingsOf(directory: string): Finding[] {
  const path = join(directory, "coherence.json");
  const folder = readFolder(directory);
  const found = [
    ...checkFolder(folder, AFTERNOON),
    ...finish(checkCoherence(Deno.readTextFileSync(path), path, folder.fixtures, AFTERNOON)),
  ];
  return [...new Map(found.map((finding) => [formatProblem(finding), finding])).values()];
}

/** A copy of the folder, to be changed and thrown away. */
export interface Copy {
  readonly directory: string;
  read(file: string): string;
  /** Replaces a text in a file, which must be there. */
  edit(file: string, from: string, to: string): void;
  [Symbol.dispose](): void;
}

/** Copies the fixtures that ship to a temporary folder. */
export function copyLibrary(): Copy {
  const directory = Deno.makeTempDirSync();
  for (const file of libraryFiles()) {
    const to = join(directory, file);
    Deno.mkdirSync(dirname(to), { recursive: true });
    Deno.copyFileSync(join(TOOLS, file), to);
  }
  const read = (file: string): string => Deno.readTextFileSync(join(directory, file));
  return {
    directory,
    read,
    edit(file, from, to) {
      const text = read(file);
      assert(text.includes(from), `${file} has no ${from}`);
      Deno.writeTextFileSync(join(directory, file), text.replace(from, () => to));
    },
    [Symbol.dispose]() {
      Deno.removeSync(directory, { recursive: true });
    },
  };
}

/** The files of the folder, such as `rides/ride_book.md`. */
export function libraryFiles(): string[] {
  return listFiles(TOOLS).map((path) => relative(TOOLS, path)).sort();
}

function listFiles(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory ? listFiles(join(directory, name)) : [join(directory, name)]
  );
}

/**
 * Moments to render at: an afternoon, the seconds around midnight in Dubai, the end of a year, a
 * leap day. The dice fall low at one and high at the next.
 */
export const MOMENTS: readonly RenderEnvironment[] = [
  "2026-10-05T12:07:33Z",
  "2026-10-05T19:59:59Z",
  "2026-10-05T20:00:00Z",
  "2026-12-31T22:41:20Z",
  "2028-02-29T04:19:59Z",
].map((time, nth) => ({
  now: () => Date.parse(time),
  uuid: () => "7d0f4e9a-5c1b-4a53-9a55-2f0c6c1b8e11",
  randomInteger: (min, max) => nth % 2 === 0 ? min : max,
}));

/** The moment for whatever does not depend on it. */
export const AFTERNOON: RenderEnvironment = MOMENTS[0]!;

/** One scenario, answered as if forced, with the sample arguments of its rule. */
export interface Case {
  readonly fixture: Fixture;
  readonly scenario: Scenario;
  /** Defaults applied. */
  readonly args: JsonObject;
  readonly answer: JsonValue;
  /** Whether only force reaches it: it has no rule, and another scenario is the default. */
  readonly forceOnly: boolean;
}

/** All scenarios of a tool, answered at a moment. */
export function casesOf(library: Library, tool: string, moment = AFTERNOON): Case[] {
  const fixture = library.get(tool)!;
  return fixture.scenarios.map((scenario) => {
    const args = sampleCall(fixture, scenario);
    return {
      fixture,
      scenario,
      args,
      answer: renderTemplate(scenario.template, args, moment),
      forceOnly: !scenario.match && scenario !== defaultScenario(fixture),
    };
  });
}

/** The call that stands for a scenario: sample arguments overlaid with its rule. */
export function sampleCall({ definition }: Fixture, { match }: Scenario): JsonObject {
  const { inputSchema } = definition;
  return applyDefaults(inputSchema, sampleArguments(inputSchema, match));
}

const validators = new WeakMap<JsonObject, Validate>();

/** Validates with a schema, which is compiled once. */
export function validate(schema: JsonObject, value: JsonValue): string | undefined {
  let validator = validators.get(schema);
  if (validator === undefined) validators.set(schema, validator = compileSchema(schema));
  return validator(value);
}

/** What a tool answers. */
export interface Reply {
  readonly scenario: Scenario;
  readonly answer: JsonValue;
  /** Whether no rule matched. */
  readonly isDefault: boolean;
}

/** Calls a tool as a client would, or tells why the call is not a valid one. */
export function call(
  library: Library,
  tool: string,
  given: JsonObject,
  moment = AFTERNOON,
): Reply | string {
  const fixture = library.get(tool);
  if (fixture === undefined) return `there is no tool \`${tool}\``;
  const { inputSchema } = fixture.definition;
  const args = applyDefaults(inputSchema, given);
  const invalid = validate(inputSchema, args);
  if (invalid !== undefined) return invalid;
  const { scenario, reason } = selectScenario(fixture, args, undefined);
  const answer = renderTemplate(scenario.template, args, moment);
  return { scenario, answer, isDefault: reason === "default" };
}

/** The failure that an answer reports, if it reports one. */
export function failureOf(answer: JsonValue): string | undefined {
  return isJsonObject(answer) && typeof answer.error === "string" ? answer.error : undefined;
}

/** A value inside an answer. */
export interface Spot {
  readonly value: JsonValue;
  /** Where it is, as a JSON Pointer: `/basket/lines/0/name`. */
  readonly pointer: string;
  /** The same by keys alone, as the tables of entities have it: `.basket.lines[].name`. */
  readonly place: string;
  /** The objects around it, the nearest first. */
  readonly around: readonly JsonObject[];
}

/** Visits a value and everything inside it. */
export function* visit(
  value: JsonValue,
  pointer = "",
  place = "",
  around: readonly JsonObject[] = [],
): Generator<Spot> {
  yield { value, pointer, place, around };
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield* visit(element, `${pointer}/${index}`, `${place}[]`, around);
    }
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      yield* visit(member, `${pointer}/${key}`, `${place}.${key}`, [value, ...around]);
    }
  }
}
