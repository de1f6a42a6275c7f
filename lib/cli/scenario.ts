import { type Call, readCalls } from "../control/calls.ts";
import {
  countedSince,
  entryText,
  isForcing,
  problemText,
  progressText,
} from "../control/entry_text.ts";
import { force, letGo } from "../control/force.ts";
import { ANY_REQUEST, ANY_TOOL, FAULTS } from "../control/overrides.ts";
import { readOverrides } from "../control/overrides_file.ts";
import { overridesProblems, unknownTool } from "../control/overrides_problems.ts";
import type { JsonObject } from "../json.ts";
import { count, plain } from "../plain.ts";
import { knownTools, NO_FOLDER } from "../store/folder.ts";
import { requireTool } from "../store/lookup.ts";
import { didYouMean } from "../suggest.ts";
import { readFixtures } from "./fixtures.ts";
import { programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import type { Project } from "./project.ts";
import { paintFor } from "./style.ts";
import { layOut } from "./table.ts";

/** What `scenario` and `fault` can add to what they force. */
export interface Forcing {
  /** A duration in Go's syntax. */
  readonly delay?: string;
  readonly times?: number;
}

/** Means "by its arguments" among the names of scenarios. */
const BY_ARGUMENTS = "-";

/**
 * Forces a tool into scenarios, one a call, or lets it follow its match rules again. A running
 * server obeys from its next call on. Without a tool, lists what is forced.
 *
 * @param names The scenarios; without one, the tool's entry is removed.
 * @param forcing A delay, and for how many calls the last scenario holds.
 */
export async function scenario(
  tool: string | undefined,
  names: readonly string[],
  forcing: Forcing,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (tool === undefined) return list(project, io);
  if (names.length === 0 && forcing.delay === undefined && forcing.times === undefined) {
    return await clear(tool, project, io);
  }
  if (tool === ANY_REQUEST) {
    throw new CliError(
      `\`${ANY_REQUEST}\` is for requests, which have no scenario.\n` +
        `To make them fail or wait: ${programName()} fault ${ANY_REQUEST} <kind>`,
      EXIT.usage,
    );
  }
  const steps = (names.length === 0 ? [BY_ARGUMENTS] : names)
    .map((name): JsonObject => name === BY_ARGUMENTS ? {} : { scenario: name });
  return await write(tool, steps, forcing, project, io);
}

/**
 * Makes the calls of a tool fail as a service or a gateway would.
 *
 * @param tool The tool, `*`, or `/` for every request.
 */
export async function fault(
  tool: string,
  kind: string,
  forcing: Forcing,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const known = FAULTS.find((one) => one === kind.toLowerCase());
  if (known === undefined) {
    throw new CliError(
      `unknown fault \`${kind}\`${didYouMean(kind, FAULTS)}\nKnown are: ${FAULTS.join(", ")}`,
      EXIT.usage,
    );
  }
  const step = { fault: /^\d+$/.test(known) ? Number(known) : known };
  return await write(tool, [step], forcing, project, io);
}

/** Lets all tools, or one, follow their match rules again. */
export async function reset(
  tool: string | undefined,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (tool !== undefined) return await clear(tool, project, io);
  const removed = await letGo(project.overridesPath, undefined, warning(io));
  io.out(
    removed === 0 ? "Nothing was forced." : `Cleared ${count(removed, "forced scenario")}.`,
  );
  return EXIT.done;
}

/** Writes an entry, and says what it does. */
async function write(
  tool: string,
  steps: readonly JsonObject[],
  { delay, times }: Forcing,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const whole = steps.map((step, index) => ({
    ...step,
    ...(delay !== undefined && { delay }),
    ...(times !== undefined && index === steps.length - 1 && { times }),
  }));
  const isOfFolder = ![ANY_TOOL, ANY_REQUEST].includes(tool) ||
    steps.some(({ scenario }) => scenario !== undefined);
  const folder = isOfFolder ? readFixtures(project) : NO_FOLDER;
  const entry = await force(project.overridesPath, tool, whole, folder, warning(io));
  const last = times === undefined && steps.length > 1 ? "; one a call, the last one stays" : "";
  const who = tool === ANY_TOOL
    ? "Every tool without an entry of its own"
    : tool === ANY_REQUEST
    ? "Every request"
    : tool;
  const isScenario = steps.every((step) => step.scenario !== undefined);
  io.out(`${who}${isScenario ? " is forced into" : ":"} ${entryText(entry)}${last}.`);
  return EXIT.done;
}

function warning(io: Io): (message: string) => void {
  return (message) => io.err(`Warning: ${message}`);
}

/** Lists what is forced, and how far it is where that counts. */
function list(project: Project, io: Io): ExitCode {
  const { overridesPath } = project;
  const overrides = readOverrides(overridesPath);
  const folder = readFixtures(project);
  const tools = knownTools(folder);
  const paint = paintFor(io, "out");
  const counts = [...overrides.entries].some(([key, entry]) => countedSince(key, entry));
  const journal = counts ? journalIfReadable(project) : [];
  const rows = [...overrides.entries].flatMap(([key, entry]) => {
    const fixture = folder.fixtures.get(key);
    return isForcing(entry, fixture) && unknownTool(key, tools.keys()) === undefined
      ? [[
        paint("name", plain(key)),
        paint("notice", entryText(entry, fixture)),
        paint("quiet", progressText(key, entry, overrides, journal)),
      ]]
      : [];
  });
  if (rows.length === 0) io.out("Nothing is forced.");
  layOut(rows, io.outIsTerminal ? io.columns : undefined).forEach(io.out);
  for (const problem of overridesProblems(overrides, tools)) {
    io.err(`Warning: ${problemText(overridesPath, problem)}`);
  }
  return EXIT.done;
}

function journalIfReadable({ callsPath }: Project): Call[] {
  try {
    return readCalls(callsPath);
  } catch {
    return [];
  }
}

async function clear(tool: string, project: Project, io: Io): Promise<ExitCode> {
  // An entry may outlive its tool, so it is looked for before the tool is.
  const removed = await letGo(project.overridesPath, tool, warning(io));
  const isTool = ![ANY_TOOL, ANY_REQUEST].includes(tool);
  if (removed === 0 && isTool) requireTool(readFixtures(project), tool);
  io.out(
    removed === 0
      ? `${tool} was not forced.`
      : isTool
      ? `${tool} follows its match rules again.`
      : `${tool} is cleared.`,
  );
  return EXIT.done;
}
