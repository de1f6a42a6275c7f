import { PRODUCTION } from "../mcp/appearance.ts";
import { type Answer, callTool } from "../mcp/call_tool.ts";
import type { CallRecord } from "../mcp/log.ts";
import { createTwin } from "../mcp/twin.ts";
import { readOverrides } from "../control/overrides_file.ts";
import { createSteering } from "../control/steering.ts";
import { systemEnvironment } from "../template/environment.ts";
import { parseJson, readArguments } from "./call_arguments.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import { readFixtures, requireTool } from "./fixtures.ts";
import type { Io } from "./io.ts";
import { matchText } from "./match_text.ts";
import { plain } from "../plain.ts";
import type { Project } from "./project.ts";
import { type Paint, paintFor } from "./style.ts";

/**
 * Answers one call in the terminal as the server would, through the same pipeline: the result goes
 * to standard output, the chosen scenario and why it was chosen to standard error.
 *
 * @param tool The tool.
 * @param words Its arguments: one JSON text, `key=value` pairs, or `-` for standard input.
 * @param value Whether to print the answer alone rather than the whole result.
 * @param project Where fixtures and overrides are.
 * @param io The streams.
 * @returns The exit code: failed when the result has `isError: true`.
 * @throws {CliError} When there is no such tool or the arguments cannot be read.
 */
export async function call(
  tool: string,
  words: readonly string[],
  value: boolean,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const folder = readFixtures(project);
  const { definition } = requireTool(folder, tool);
  const args = words.includes("-")
    ? parseJson(await readInput(words, io), "standard input")
    : readArguments(words, definition.inputSchema);

  let record: CallRecord | undefined;
  const twin = createTwin(PRODUCTION, {
    store: { fixtures: folder.fixtures, read: (name) => folder.fixtures.get(name)! },
    overrides: () => readOverrides(project.overridesPath),
    steering: createSteering(
      folder.fixtures.keys(),
      ({ message }) => io.err(`Warning: ${message}`),
    ),
    environment: systemEnvironment,
    log: { call: (one) => record = one, note: io.err },
    exposeFixtureErrors: false,
  });
  const answer = await callTool(twin, tool, args);

  explain(tool, answer, record, paintFor(io, "err")).forEach(io.err);
  io.out(value ? valueText(answer) : JSON.stringify(answer.result, null, 2));
  return answer.result.isError ? EXIT.failed : EXIT.done;
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
  { selection }: Answer,
  record: CallRecord | undefined,
  paint: Paint,
): string[] {
  const chosen = selection ?? record?.selection;
  const problem = record?.problem?.split("\n").map((line) => `  ${paint("bad", plain(line))}`) ??
    [];
  if (chosen === undefined) return [`${tool}: no scenario was chosen`, ...problem];
  const { scenario, reason } = chosen;
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

/** The answer by itself, for `jq` and for eyes: the object, or the text of a failure. */
function valueText({ result }: Answer): string {
  const { structuredContent, content: [{ text }] } = result;
  return structuredContent === undefined ? text : JSON.stringify(structuredContent, null, 2);
}
