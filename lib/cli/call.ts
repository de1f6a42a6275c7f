import type { CallToolResult } from "@modelcontextprotocol/sdk/types";
import { readOverrides } from "../control/overrides_file.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { parseJson } from "../json_error.ts";
import { type Trial, tryCall } from "../mcp/try_call.ts";
import { plain } from "../plain.ts";
import { matchText } from "../scenario/match_text.ts";
import { requireScenario, requireTool } from "../store/lookup.ts";
import { readArguments } from "./call_arguments.ts";
import { readFixtures } from "./fixtures.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import type { Project } from "./project.ts";
import { type Paint, paintFor } from "./style.ts";

/**
 * Answers one call in the terminal as the server would, through the same pipeline: the result goes
 * to standard output, the chosen scenario and why it was chosen to standard error.
 *
 * @param words Its arguments: one JSON text, `key=value` pairs, or `-` for standard input.
 * @returns The exit code: failed when the result has `isError: true`.
 */
export async function call(
  tool: string,
  words: readonly string[],
  { value, scenario }: { readonly value: boolean; readonly scenario: string | undefined },
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const { fixtures, problems } = readFixtures(project);
  const fixture = requireTool({ fixtures, problems }, tool);
  if (scenario !== undefined) requireScenario(fixture, scenario);
  const args = await argumentsOf(words, fixture.definition.inputSchema, io);
  const forced = scenario ?? readOverrides(project.overridesPath);
  const { result, call } = await tryCall(fixtures, tool, args, forced, (message) => {
    io.err(`Warning: ${message}`);
  });
  explain(tool, call, paintFor(io, "err")).forEach(io.err);
  return printResult(result, value, io);
}

/**
 * Prints the result of a call.
 *
 * @returns The exit code: failed when the result has `isError: true`.
 */
export function printResult(result: CallToolResult, value: boolean, io: Io): ExitCode {
  const { structuredContent, content: [first], isError } = result;
  const text = structuredContent === undefined && first?.type === "text" ? first.text : undefined;
  const whole = value ? structuredContent ?? result : result;
  io.out(value && text !== undefined ? text : JSON.stringify(whole, null, 2));
  return isError ? EXIT.failed : EXIT.done;
}

/**
 * Reads the arguments of a call.
 *
 * @param words What the user wrote: one JSON text, `key=value` pairs, or `-` for standard input.
 * @returns The arguments; whatever JSON was given, also where it is no object.
 */
export async function argumentsOf(
  words: readonly string[],
  schema: JsonObject,
  io: Io,
): Promise<JsonValue> {
  if (!words.includes("-")) return readArguments(words, schema);
  return parseJson(await readInput(words, io), "standard input");
}

async function readInput(words: readonly string[], io: Io): Promise<string> {
  if (words.length > 1) {
    throw new CliError("`-` reads all arguments from standard input; give it alone.", EXIT.usage);
  }
  const text = await io.readInput();
  return text.trim() === "" ? "{}" : text;
}

function explain(
  tool: string,
  { scenario, why, rule, problem }: Trial["call"],
  paint: Paint,
): string[] {
  const problems = problem?.split("\n").map((line) => `  ${paint("bad", plain(line))}`) ?? [];
  if (scenario === undefined) return [`${tool}: no scenario was chosen`, ...problems];
  const reason = rule !== undefined
    ? `matches ${matchText(rule)}`
    : why === "default"
    ? "default, as no rule matches"
    : why;
  return [
    `${tool}: ${paint("name", plain(scenario))} ${paint("quiet", `(${reason})`)}`,
    ...problems,
  ];
}
