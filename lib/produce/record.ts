import { SCAFFOLD } from "../check/check_scaffold.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { findScenario, selectScenario } from "../scenario/select.ts";
import { canonical } from "../schema/canonical.ts";
import { compileSchema } from "../schema/compile.ts";
import { applyDefaults } from "../schema/defaults.ts";
import type { RenderEnvironment } from "../template/environment.ts";
import { renderTemplate } from "../template/render.ts";
import { answerText, bracesIn, echoesOf } from "./answer_text.ts";
import { insertScenario, isSure, type NewScenario, ruleOf, scenarioBlock } from "./placement.ts";
import { type Answer, answerOf, type Exchange } from "./recording.ts";

/** What became of the recorded calls of a tool. */
export interface Recorded {
  /** The tool file's new text. */
  readonly text: string;
  /** The names of the scenarios that were added. */
  readonly added: readonly string[];
  /** How many calls are answered as recorded already, or were recorded twice. */
  readonly known: number;
  /** Why others became none, with how many of each kind. */
  readonly left: ReadonlyMap<string, number>;
}

/** How answers are written. */
export interface Writing {
  /** Whether they stay as they are, without placeholders. */
  readonly literal: boolean;
  /** When it was recorded, where the recording does not tell. */
  readonly time: number;
  readonly environment: RenderEnvironment;
}

const KNOWN = "answered so already";

/**
 * Makes scenarios of the recorded calls of a tool, each with a rule for just its arguments, in its
 * file's text. Calls with few arguments come first, so that one with more is put before those that
 * would catch it.
 */
export function recordScenarios(
  before: string,
  path: string,
  exchanges: readonly Exchange[],
  { literal, time, environment }: Writing,
): Recorded {
  let text = before;
  let fixture = parseFixture(text, path);
  const { inputSchema } = fixture.definition;
  const validate = compileSchema(inputSchema);
  const added: string[] = [];
  const left = new Map<string, number>();
  const seen = new Map<string, string>();

  /** Takes one call over; tells why it is none, or of no use. */
  const take = ({ arguments: given = {}, result, time: called }: Exchange): string | undefined => {
    const args = applyDefaults(inputSchema, given);
    const answer = answerOf(result);
    if (validate(args) !== undefined) {
      return "refused by the schema, which every server words by itself";
    }
    if (answer === undefined) {
      return "answered with plain text or several parts, which no scenario can say";
    }
    const [asked, told] = [canonical(args), canonical([answer.value, answer.isError])];
    if (seen.has(asked)) {
      return seen.get(asked) === told
        ? KNOWN
        : "answered otherwise the first time with these arguments";
    }
    seen.set(asked, told);
    if (isAnswered(fixture, args, answer, environment)) return KNOWN;
    const rule = ruleOf(given, Object.keys(given).map((key) => [key]));
    const echoes = echoesOf(args, (path) => isSure(path, rule, inputSchema));
    const isLiteral = literal || bracesIn(answer.value) !== undefined;
    const placeholders = isLiteral ? undefined : { echoes, time: called ?? time };
    const scenario: NewScenario = {
      name: nameFor(given, fixture),
      prose: "A recorded answer.",
      isError: answer.isError,
      answer: answerText(answer.value, placeholders).text,
    };
    if (Object.keys(given).length > 0) {
      text = insertScenario(text, fixture, { ...scenario, rule: answerText(rule).text }, { args });
    } else if (text.includes(`\n${SCAFFOLD}`)) text = withDefault(text, scenario);
    else return "without arguments that a rule could ask for, and the tool has a default already";
    added.push(scenario.name);
    fixture = parseFixture(text, path);
    const { name } = selectScenario(fixture, args, undefined).scenario;
    return name === scenario.name ? undefined : "made a scenario that another one answers for";
  };

  const leaves = ({ arguments: given = {} }: Exchange): number => leavesOf(given).length;
  for (const exchange of exchanges.toSorted((a, b) => leaves(a) - leaves(b))) {
    const why = take(exchange);
    if (why !== undefined) left.set(why, (left.get(why) ?? 0) + 1);
  }
  const known = left.get(KNOWN) ?? 0;
  left.delete(KNOWN);
  return { text, added, known, left };
}

function isAnswered(
  fixture: Fixture,
  args: JsonObject,
  { value, isError }: Answer,
  environment: RenderEnvironment,
): boolean {
  const { scenario } = selectScenario(fixture, args, undefined);
  if (scenario.isError !== isError) return false;
  try {
    return canonical(renderTemplate(scenario.template, args, environment)) === canonical(value);
  } catch {
    return false;
  }
}

/** Puts a scenario in the place of the one that `import` made up. */
function withDefault(text: string, scenario: NewScenario): string {
  const mark = text.indexOf(`\n${SCAFFOLD}`);
  const heading = text.lastIndexOf("\n## Scenario:", mark) + 1;
  const next = text.indexOf("\n## ", mark);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const block = scenarioBlock(scenario).replaceAll("\n", end);
  return text.slice(0, heading) + block + (next === -1 ? "" : end + text.slice(next + 1));
}

/** A name of the arguments' values that no other scenario has. */
function nameFor(args: JsonObject, fixture: Fixture): string {
  const words = leavesOf(args).map((value) =>
    String(value).toLowerCase().replaceAll(/[^\p{L}\p{N}.]+/gu, "-").replaceAll(/^-|-$/g, "")
  );
  const name = words.filter((word) => word !== "").slice(0, 4).join("-").slice(0, 48) || "recorded";
  let candidate = name;
  for (let count = 2; findScenario(fixture, candidate) !== undefined; count++) {
    candidate = `${name}-${count}`;
  }
  return candidate;
}

/** The values that arguments hold. */
function leavesOf(value: JsonValue): JsonValue[] {
  if (typeof value !== "object" || value === null) return [value];
  return Object.values(value).flatMap(leavesOf);
}
