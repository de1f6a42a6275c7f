import { relative } from "node:path";
import { checkFixture } from "../check/check.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { outlineOf } from "../fixture/outline.ts";
import { parseFixture } from "../fixture/parse.ts";
import { isJsonObject, type JsonObject, valueAt } from "../json.ts";
import { plain } from "../plain.ts";
import { answerText, bracesIn, echoesOf } from "../produce/answer_text.ts";
import { chooseRule, insertScenario, isSure, ruleOf } from "../produce/placement.ts";
import { answerOf, type Exchange, readRecording } from "../produce/recording.ts";
import { matches } from "../scenario/match.ts";
import { findScenario, selectScenario } from "../scenario/select.ts";
import { compileSchema } from "../schema/compile.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { sampleArguments } from "../schema/sample.ts";
import type { Folder } from "../store/folder.ts";
import { replaceFile } from "../store/replace_file.ts";
import { systemEnvironment } from "../template/environment.ts";
import { parseJson, readArguments } from "./call_arguments.ts";
import { journalOf } from "./calls.ts";
import { findingText } from "./check.ts";
import { readFixtures, requireTool } from "./fixtures.ts";
import { notToBeChanged, readSource } from "./import.ts";
import { programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { sameJson } from "./json_difference.ts";
import { matchText } from "./match_text.ts";
import type { Project } from "./project.ts";
import { paintFor } from "./style.ts";

/** The flags of `add`. */
export interface AddFlags {
  /** The file with the recorded answer, or `-` for standard input. */
  readonly answer?: string;
  /** A call of the journal. */
  readonly call?: string;
  readonly args?: readonly string[];
  /** Keys of the arguments between commas, or a whole rule. */
  readonly match?: string;
  readonly literal?: true;
  readonly dryRun?: true;
}

/** Makes a scenario of a recorded answer and writes it where no other answers in its place. */
export async function add(
  tool: string,
  name: string,
  flags: AddFlags,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (project.embedded) throw notToBeChanged(project);
  const folder = readFixtures(project);
  const fixture = requireTool(folder, tool);
  refuseName(name, fixture);
  const exchange = await recorded(fixture, flags, project, io);
  const answer = answerOf(exchange.result);
  if (answer === undefined) {
    throw new CliError(
      "The result is plain text or holds more than one part, which no scenario can answer.\n" +
        "Take an answer whose text is JSON.",
    );
  }
  const braces = bracesIn(answer.value);
  if (braces !== undefined && !flags.literal) {
    throw new CliError(
      `\`${plain(braces)}\` of the answer holds {{, which starts a placeholder in a scenario.\n` +
        "Take it out, or have the whole answer written as it is with --literal.",
    );
  }
  const { inputSchema } = fixture.definition;
  const given = exchange.arguments;
  const args = given && applyDefaults(inputSchema, given);
  const invalid = args && compileSchema(inputSchema)(args);
  if (invalid !== undefined) {
    throw new CliError(
      `No server would pass these arguments on: ${invalid}.\nMend them with --args.`,
    );
  }
  const rule = ruleFor(fixture, given, flags.match);
  const time = exchange.time ?? Date.now();
  const echoes = echoesOf(
    args ?? {},
    (path) => rule !== undefined && isSure(path, rule, inputSchema),
  );
  const { text: body, changes } = answerText(
    answer.value,
    flags.literal ? undefined : { echoes, time },
  );
  const before = Deno.readTextFileSync(fixture.path);
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
    rule === undefined ? { byForce: true, needsHeading: needsHeading(fixture, folder) } : {
      args: args ?? applyDefaults(inputSchema, sampleArguments(inputSchema, rule)),
    },
  );
  const after = parseFixture(text, fixture.path);
  const scenario = findScenario(after, name)!;
  if (args !== undefined && rule !== undefined) {
    const chosen = selectScenario(after, args, undefined).scenario;
    if (chosen !== scenario) {
      throw new CliError(
        `These arguments would be answered by \`${chosen.name}\`; name other keys with --match.`,
      );
    }
  }

  if (!flags.dryRun) replaceFile(fixture.path, text);
  const paint = paintFor(io, "out");
  for (const { path, before, after } of changes) {
    io.out(`  ${paint("notice", `~ ${plain(path)}: ${JSON.stringify(before)} → ${after}`)}`);
  }
  const place = `${relative(Deno.cwd(), fixture.path)}:${scenario.line}`;
  const how = rule === undefined ? "by force alone" : `when ${matchText(rule)}`;
  io.out(`${flags.dryRun ? "would add" : "added"} \`${plain(name)}\` in ${place}, ${how}`);
  if (flags.dryRun) {
    const length = after.scenarios.find(({ line }) => line > scenario.line)?.line ?? Infinity;
    text.split(/\r?\n/).slice(scenario.line - 1, length - 1).forEach(io.out);
  }
  reportNews(fixture, after, io);
  return EXIT.done;
}

function refuseName(name: string, fixture: Fixture): void {
  if (name.trim() !== name || name === "" || name === "-" || name.includes("\n")) {
    throw new CliError(`${JSON.stringify(name)} cannot be the name of a scenario.`, EXIT.usage);
  }
  const taken = findScenario(fixture, name);
  if (taken === undefined) return;
  throw new CliError(
    `The name \`${name}\` is taken by the scenario in ${fixture.path}:${taken.line}.\n` +
      "Choose another name, or edit that one.",
  );
}

async function recorded(
  fixture: Fixture,
  { answer, call, args }: AddFlags,
  project: Project,
  io: Io,
): Promise<Exchange> {
  const { tool, definition: { inputSchema } } = fixture;
  const asked = args === undefined ? undefined : readArguments(args, inputSchema);
  if (asked !== undefined && !isJsonObject(asked)) {
    throw new CliError("--args needs a JSON object or key=value pairs.", EXIT.usage);
  }
  const called = call === undefined ? undefined : fromJournal(call, tool, project);
  const found = answer === undefined ? called : await fromFile(answer, tool, asked, io);
  if (found === undefined) {
    throw new CliError(
      "Name the recorded answer with --answer <file>, or a call of the journal with --call <id>.",
      EXIT.usage,
    );
  }
  const given = asked ?? called?.arguments ?? found.arguments;
  const time = found.time ?? called?.time;
  return {
    result: found.result,
    ...(given !== undefined && { arguments: given }),
    ...(time !== undefined && { time }),
  };
}

function fromJournal(id: string, tool: string, project: Project): Exchange {
  const call = journalOf(project).find((one) => one.id === id);
  const list = `See: ${programName()} calls --tool ${tool}`;
  if (call === undefined) throw new CliError(`There is no call \`${id}\` in the journal.\n${list}`);
  if (call.tool !== tool) {
    throw new CliError(
      `The call \`${id}\` is one of \`${call.tool}\`, not of \`${tool}\`.\n${list}`,
    );
  }
  const [exchange] = readRecording([JSON.stringify(call)]).exchanges;
  if (exchange !== undefined) return exchange;
  throw new CliError(
    `The journal does not have the whole answer of \`${id}\`.\nSave the answer, then: --answer <file>`,
  );
}

async function fromFile(
  file: string,
  tool: string,
  args: JsonObject | undefined,
  io: Io,
): Promise<Exchange> {
  const { exchanges, errors } = readRecording([await readSource(file, io)]);
  const own = exchanges.filter((one) => one.tool === undefined || one.tool === tool);
  const fit = own.filter((one) =>
    args === undefined || one.arguments === undefined || sameJson(one.arguments, args)
  );
  const [first, second] = fit.length > 0 ? fit : own;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    throw new CliError(
      `${file} holds ${own.length} answers of \`${tool}\`.\n` +
        `Say which one with its --args, or take them all: ${programName()} import ${file}`,
    );
  }
  throw new CliError(
    errors > 0
      ? `${file} holds a JSON-RPC error, which no scenario can be; see: ${programName()} fault --help`
      : `${file} holds no answer of \`${tool}\`.\n` +
        "Save a result, its structuredContent, a JSON-RPC response, an Inspector export or a HAR file.",
  );
}

/** The rule; none without arguments, or where there is nothing to ask for. */
function ruleFor(
  fixture: Fixture,
  args: JsonObject | undefined,
  wanted: string | undefined,
): JsonObject | undefined {
  if (wanted?.trim().startsWith("{")) {
    const rule = parseJson(wanted, "--match") as JsonObject;
    if (args === undefined || matches(rule, applyDefaults(fixture.definition.inputSchema, args))) {
      return rule;
    }
    throw new CliError("The rule of --match does not match the arguments; mend one of them.");
  }
  if (args === undefined) {
    if (wanted === undefined) return undefined;
    throw new CliError("--match <keys> needs the arguments; give them with --args.", EXIT.usage);
  }
  if (wanted !== undefined) {
    const whole = applyDefaults(fixture.definition.inputSchema, args);
    const paths = wanted.split(",").map((key) => key.trim().split("."));
    const missing = paths.find((path) => valueAt(whole, path) === undefined);
    if (missing === undefined) return ruleOf(whole, paths);
    throw new CliError(`The arguments have no \`${missing.join(".")}\`; name other keys.`);
  }
  if (Object.keys(args).length === 0) return undefined;
  const rule = chooseRule(fixture, args);
  if (rule !== undefined) return rule;
  const { name, line } = selectScenario(
    fixture,
    applyDefaults(fixture.definition.inputSchema, args),
    undefined,
  ).scenario;
  throw new CliError(
    `The scenario \`${name}\` in ${fixture.path}:${line} has a rule for just these arguments.\n` +
      "Change the answer there, or narrow the rule with --match.",
  );
}

/** Whether the heading that all scenarios without a rule stand behind is missing in this file. */
function needsHeading({ path }: Fixture, { fixtures }: Folder): boolean {
  const has = (file: string): boolean =>
    outlineOf(Deno.readTextFileSync(file)).byForce !== undefined;
  return !has(path) && [...fixtures.values()].some((fixture) => has(fixture.path));
}

/** What is wrong now and was not before. */
function reportNews(before: Fixture, after: Fixture, io: Io): void {
  const old = new Set(checkFixture(before, systemEnvironment).map(keyOf));
  const news = checkFixture(after, systemEnvironment).filter((one) => !old.has(keyOf(one)));
  news.forEach((finding) => io.err(`careem-mcp: ${findingText(finding)}`));
}

function keyOf({ rule, scenario, message }: ReturnType<typeof checkFixture>[number]): string {
  return JSON.stringify([rule, scenario, message.replaceAll(/line \d+/g, "line")]);
}
