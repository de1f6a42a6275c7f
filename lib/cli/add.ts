import { relative } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { plain } from "../plain.ts";
import { addScenario, exchangeOf } from "../produce/add.ts";
import { type Exchange, readRecording } from "../produce/recording.ts";
import { matchText } from "../scenario/match_text.ts";
import { hasByForce } from "../store/folder.ts";
import { requireTool } from "../store/lookup.ts";
import { replaceFile } from "../store/replace_file.ts";
import { readArguments } from "./call_arguments.ts";
import { journalOf } from "./calls.ts";
import { findingText } from "./check.ts";
import { readFixtures } from "./fixtures.ts";
import { notToBeChanged, readSource } from "./import.ts";
import { programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { sameJson } from "./json_difference.ts";
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
  { match, literal, dryRun, ...flags }: AddFlags,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (project.embedded) throw notToBeChanged(project);
  const folder = readFixtures(project);
  const fixture = requireTool(folder, tool);
  const exchange = await recorded(fixture, flags, project, io);
  const { path } = fixture;
  const { text, line, section, changes, rule, findings } = addScenario(
    Deno.readTextFileSync(path),
    path,
    { name, exchange, match, literal, hasByForce: hasByForce(folder) },
  );
  if (!dryRun) replaceFile(path, text);
  const paint = paintFor(io, "out");
  for (const { path, before, after } of changes) {
    io.out(`  ${paint("notice", `~ ${plain(path)}: ${JSON.stringify(before)} → ${after}`)}`);
  }
  const how = rule === undefined ? "by force alone" : `when ${matchText(rule)}`;
  const place = `${relative(Deno.cwd(), path)}:${line}`;
  io.out(`${dryRun ? "would add" : "added"} \`${plain(name)}\` in ${place}, ${how}`);
  if (dryRun) section.split("\n").forEach(io.out);
  findings.forEach((finding) => io.err(`careem-mcp: ${findingText(finding)}`));
  return EXIT.done;
}

async function recorded(
  fixture: Fixture,
  { answer, call, args }: Pick<AddFlags, "answer" | "call" | "args">,
  project: Project,
  io: Io,
): Promise<Exchange> {
  const { tool, definition: { inputSchema } } = fixture;
  const asked = args === undefined ? undefined : readArguments(args, inputSchema);
  if (asked !== undefined && !isJsonObject(asked)) {
    throw new CliError("--args needs a JSON object or key=value pairs.", EXIT.usage);
  }
  const called = call === undefined
    ? undefined
    : exchangeOf(journalOf(project).find(({ id }) => id === call), call, tool);
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
