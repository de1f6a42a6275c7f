import { checkFixture } from "../check/check.ts";
import type { Finding } from "../check/finding.ts";
import type { Call } from "../control/calls.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { outlineOf } from "../fixture/outline.ts";
import { parseFixture } from "../fixture/parse.ts";
import { isJsonObject, type JsonObject, valueAt } from "../json.ts";
import { parseJson } from "../json_error.ts";
import { plain } from "../plain.ts";
import { Refusal } from "../refusal.ts";
import { matches } from "../scenario/match.ts";
import { findScenario, selectScenario } from "../scenario/select.ts";
import { compileSchema } from "../schema/compile.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { sampleArguments } from "../schema/sample.ts";
import { systemEnvironment } from "../template/environment.ts";
import { answerText, bracesIn, type Change, echoesOf } from "./answer_text.ts";
import { chooseRule, insertScenario, isSure, ruleOf } from "./placement.ts";
import { answerOf, type Exchange, readRecording } from "./recording.ts";

/** What is to become a scenario. */
export interface Addition {
  readonly name: string;
  /** The recorded answer, and where they are known, the arguments it answers. */
  readonly exchange: Exchange;
  /** What the rule asks for: keys of the arguments between commas, or a whole rule as JSON. */
  readonly match?: string | undefined;
  /** Whether the answer is written as it is, without placeholders. */
  readonly literal?: boolean | undefined;
  /** Whether the folder has the heading that scenarios without a rule stand behind. */
  readonly hasByForce: boolean;
}

/** A scenario that was added to the text of a tool file. */
export interface Added {
  /** The file's new text. */
  readonly text: string;
  /** The line of the new heading. */
  readonly line: number;
  /** The new section alone. */
  readonly section: string;
  /** What placeholders took the place of. */
  readonly changes: readonly Change[];
  /** The rule; without one, only force reaches the scenario. */
  readonly rule?: JsonObject;
  /** What is wrong now and was not before. */
  readonly findings: readonly Finding[];
}

/**
 * Makes a scenario of a recorded answer and puts it where no other answers in its place.
 *
 * @param before The tool file's text.
 * @param path The file, for messages.
 * @throws {FixtureError} When the text cannot be used.
 * @throws {Refusal} When that cannot be; says why and what to do.
 */
export function addScenario(
  before: string,
  path: string,
  { name, exchange, match, literal = false, hasByForce }: Addition,
): Added {
  const fixture = parseFixture(before, path);
  refuseName(name, fixture);
  const answer = answerOf(exchange.result);
  if (answer === undefined) {
    throw new Refusal(
      "unfit",
      "The result is plain text or holds more than one part, which no scenario can answer.\n" +
        "Take an answer whose text is JSON.",
    );
  }
  const braces = bracesIn(answer.value);
  if (braces !== undefined && !literal) {
    throw new Refusal(
      "unfit",
      `\`${plain(braces)}\` of the answer holds {{, which starts a placeholder in a scenario.\n` +
        "Take it out, or have the whole answer written as it is with --literal.",
    );
  }
  const { inputSchema } = fixture.definition;
  const given = exchange.arguments;
  const args = given && applyDefaults(inputSchema, given);
  const invalid = args && compileSchema(inputSchema)(args);
  if (invalid !== undefined) {
    throw new Refusal(
      "unfit",
      `No server would pass these arguments on: ${invalid}.\nMend them with --args.`,
    );
  }
  const rule = ruleFor(fixture, given, match);
  const time = exchange.time ?? Date.now();
  const echoes = echoesOf(
    args ?? {},
    (path) => rule !== undefined && isSure(path, rule, inputSchema),
  );
  const { text: body, changes } = answerText(answer.value, literal ? undefined : { echoes, time });
  const text = insertScenario(
    before,
    fixture,
    {
      name,
      prose: rule === undefined ? "Force only: a recorded answer." : "A recorded answer.",
      isError: answer.isError,
      answer: body,
      ...(rule !== undefined && { rule: answerText(rule).text }),
    },
    rule === undefined
      ? { byForce: true, needsHeading: hasByForce && outlineOf(before).byForce === undefined }
      : { args: args ?? applyDefaults(inputSchema, sampleArguments(inputSchema, rule)) },
  );
  const after = parseFixture(text, path);
  const scenario = findScenario(after, name)!;
  if (args !== undefined && rule !== undefined) {
    const chosen = selectScenario(after, args, undefined).scenario;
    if (chosen !== scenario) {
      throw new Refusal(
        "unfit",
        `These arguments would be answered by \`${chosen.name}\`; name other keys with --match.`,
      );
    }
  }
  const end = after.scenarios.find(({ line }) => line > scenario.line)?.line ?? Infinity;
  return {
    text,
    line: scenario.line,
    section: text.split(/\r?\n/).slice(scenario.line - 1, end - 1).join("\n"),
    changes,
    ...(rule !== undefined && { rule }),
    findings: newFindings(fixture, after),
  };
}

function refuseName(name: string, fixture: Fixture): void {
  if (name.trim() !== name || name === "" || name === "-" || name.includes("\n")) {
    throw new Refusal("usage", `${JSON.stringify(name)} cannot be the name of a scenario.`);
  }
  const taken = findScenario(fixture, name);
  if (taken === undefined) return;
  throw new Refusal(
    "conflict",
    `The name \`${name}\` is taken by the scenario in ${fixture.path}:${taken.line}.\n` +
      "Choose another name, or edit that one.",
  );
}

/**
 * Takes what the journal has of a call of a tool.
 *
 * @param call The call, if there is one of that id.
 * @throws {Refusal} When it is not there, not of the tool, or not whole.
 */
export function exchangeOf(call: Call | undefined, id: string, tool: string): Exchange {
  const see = ["calls", "--tool", tool];
  if (call === undefined) {
    throw new Refusal("missing", `There is no call \`${id}\` in the journal.`, see);
  }
  if (call.tool !== tool) {
    const message = `The call \`${id}\` is one of \`${call.tool}\`, not of \`${tool}\`.`;
    throw new Refusal("unfit", message, see);
  }
  const [exchange] = readRecording([JSON.stringify(call)]).exchanges;
  if (exchange !== undefined) return exchange;
  throw new Refusal(
    "unfit",
    `The journal does not have the whole answer of \`${id}\`.\nSave the answer, then: --answer <file>`,
  );
}

/** The rule; none without arguments, or where there is nothing to ask for. */
function ruleFor(
  fixture: Fixture,
  args: JsonObject | undefined,
  wanted: string | undefined,
): JsonObject | undefined {
  const { inputSchema } = fixture.definition;
  if (wanted?.trim().startsWith("{")) {
    const rule = parseJson(wanted, "--match");
    if (
      isJsonObject(rule) && (args === undefined || matches(rule, applyDefaults(inputSchema, args)))
    ) {
      return rule;
    }
    throw new Refusal(
      "unfit",
      "The rule of --match does not match the arguments; mend one of them.",
    );
  }
  if (args === undefined) {
    if (wanted === undefined) return undefined;
    throw new Refusal("usage", "--match <keys> needs the arguments; give them with --args.");
  }
  if (wanted !== undefined) {
    const whole = applyDefaults(inputSchema, args);
    const paths = wanted.split(",").map((key) => key.trim().split("."));
    const missing = paths.find((path) => valueAt(whole, path) === undefined);
    if (missing === undefined) return ruleOf(whole, paths);
    throw new Refusal("unfit", `The arguments have no \`${missing.join(".")}\`; name other keys.`);
  }
  if (Object.keys(args).length === 0) return undefined;
  const rule = chooseRule(fixture, args);
  if (rule !== undefined) return rule;
  const { name, line } = selectScenario(fixture, applyDefaults(inputSchema, args), undefined)
    .scenario;
  throw new Refusal(
    "unfit",
    `The scenario \`${name}\` in ${fixture.path}:${line} has a rule for just these arguments.\n` +
      "Change the answer there, or narrow the rule with --match.",
  );
}

/** What is wrong now and was not before. */
function newFindings(before: Fixture, after: Fixture): Finding[] {
  const old = new Set(checkFixture(before, systemEnvironment).map(keyOf));
  return checkFixture(after, systemEnvironment).filter((one) => !old.has(keyOf(one)));
}

function keyOf({ rule, scenario, message }: Finding): string {
  return JSON.stringify([rule, scenario, message.replaceAll(/line \d+/g, "line")]);
}
