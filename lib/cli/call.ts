import type { CallToolResult } from "@modelcontextprotocol/sdk/types";
import { callTool } from "../mcp/call_tool.ts";
import type { CallRecord } from "../mcp/log.ts";
import { createTwin, PRODUCTION } from "../mcp/twin.ts";
import { parseOverrides } from "../control/overrides.ts";
import { readOverrides } from "../control/overrides_file.ts";
import { createSteering } from "../control/steering.ts";
import { systemEnvironment } from "../template/environment.ts";
import { parseJson, readArguments } from "./call_arguments.ts";
import { readFixtures, requireScenario, requireTool } from "./fixtures.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { matchText } from "./match_text.ts";
import { plain } from "../plain.ts";
import type { Project } from "./project.ts";
import { type Paint, paintFor } from "./style.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { encode } from "../wire_json.ts";

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
  const folder = readFixtures(project);
  const fixture = requireTool(folder, tool);
  const { definition } = fixture;
  if (scenario !== undefined) requireScenario(fixture, scenario);
  const args = await argumentsOf(words, definition.inputSchema, io);

  let record: CallRecord | undefined;
  const twin = createTwin(PRODUCTION, {
    store: { fixtures: folder.fixtures, read: (name) => folder.fixtures.get(name)! },
    overrides: () =>
      scenario === undefined
        ? readOverrides(project.overridesPath)
        : parseOverrides(JSON.stringify({ [tool]: scenario })),
    steering: createSteering(
      folder.fixtures.keys(),
      ({ message }) => io.err(`Warning: ${message}`),
    ),
    environment: systemEnvironment,
    log: { call: (one) => record = one, note: io.err },
    exposeFixtureErrors: false,
  });
  const exchange = { caller: {}, signal: () => new AbortController().signal };
  const json = await callTool(twin, tool, args, exchange);

  explain(tool, record, paintFor(io, "err")).forEach(io.err);
  return printResult(JSON.parse(new TextDecoder().decode(encode(json))), value, io);
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

function explain(tool: string, record: CallRecord | undefined, paint: Paint): string[] {
  const problem = record?.problem?.split("\n").map((line) => `  ${paint("bad", plain(line))}`) ??
    [];
  if (record?.selection === undefined) return [`${tool}: no scenario was chosen`, ...problem];
  const { scenario, reason } = record.selection;
  const why = {
    forced: "forced",
    match: `matches ${matchText(scenario.match ?? {})}`,
    default: "default, as no rule matches",
  }[reason];
  return [
    `${tool}: ${paint("name", plain(scenario.name))} ${paint("quiet", `(${why})`)}`,
    ...problem,
  ];
}
