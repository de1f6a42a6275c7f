import {
  ANY_REQUEST,
  ANY_TOOL,
  FAULTS,
  parseOverrides,
  parseOverridesObject,
} from "../control/overrides.ts";
import { changeOverrides, readOverrides } from "../control/overrides_file.ts";
import { overridesProblems, unknownTool } from "../control/overrides_problems.ts";
import { findScenario } from "../scenario/select.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { plain } from "../plain.ts";
import { type Folder, knownTools } from "../store/folder.ts";
import { didYouMean } from "../suggest.ts";
import { readFixtures, requireScenario, requireTool } from "./fixtures.ts";
import { entryText, isForcing, problemText, progressText } from "./forced.ts";
import { programName } from "./installation.ts";
import { CliError, count, EXIT, type ExitCode, type Io } from "./io.ts";
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
  const folder = readFixtures(project);
  const steps = (names.length === 0 ? [BY_ARGUMENTS] : names)
    .map((name) => name === BY_ARGUMENTS ? {} : { scenario: nameIn(folder, tool, name) });
  await force(tool, steps, forcing, project, io);
  return EXIT.done;
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
  if (![ANY_TOOL, ANY_REQUEST].includes(tool)) requireTool(readFixtures(project), tool);
  const step = { fault: /^\d+$/.test(known) ? Number(known) : known };
  await force(tool, [step], forcing, project, io);
  return EXIT.done;
}

/** Lets all tools, or one, follow their match rules again. */
export async function reset(
  tool: string | undefined,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (tool !== undefined) return await clear(tool, project, io);
  const removed = await remove(project, Object.keys, io);
  io.out(
    removed === 0 ? "Nothing was forced." : `Cleared ${count(removed, "forced scenario")}.`,
  );
  return EXIT.done;
}

/** The scenario's name as the file has it; for `*`, as one of the files has it. */
function nameIn(folder: Folder, tool: string, name: string): string {
  if (tool !== ANY_TOOL) return requireScenario(requireTool(folder, tool), name).name;
  for (const fixture of folder.fixtures.values()) {
    const found = findScenario(fixture, name);
    if (found !== undefined) return found.name;
  }
  const names = [...folder.fixtures.values()].flatMap(({ scenarios }) =>
    scenarios.map((one) => one.name)
  );
  throw new CliError(
    `no tool has a scenario \`${name}\`${didYouMean(name, names)}\n` +
      `See: ${programName()} scenarios --find ${name}`,
  );
}

/** Writes an entry, and says what it does. */
async function force(
  tool: string,
  steps: readonly JsonObject[],
  { delay, times }: Forcing,
  project: Project,
  io: Io,
): Promise<void> {
  refuseNoFile(project);
  const isCounted = steps.length > 1 || times !== undefined;
  const whole = steps.map((step, index) => ({
    ...step,
    ...(delay !== undefined && { delay }),
    ...(times !== undefined && index === steps.length - 1 && { times }),
    // A new time makes it a new entry, so that servers begin to count again.
    ...(isCounted && index === 0 && { at: new Date().toISOString() }),
  }));
  const entry = whole.length === 1 ? shortest(whole[0]!) : whole.map(shortest);
  await changeOverrides(project.overridesPath, (entries) => {
    entries[tool] = entry;
  }, (message) => io.err(`Warning: ${message}`));
  const text = entryText(parseOverrides(JSON.stringify({ [tool]: entry })).entries.get(tool)!);
  const last = times === undefined && steps.length > 1 ? "; one a call, the last one stays" : "";
  const who = tool === ANY_TOOL
    ? "Every tool without an entry of its own"
    : tool === ANY_REQUEST
    ? "Every request"
    : tool;
  const isScenario = steps.every((step) => step.scenario !== undefined);
  io.out(`${who}${isScenario ? " is forced into" : ":"} ${text}${last}.`);
}

/** A step as people write it. */
function shortest(step: JsonObject): JsonValue {
  const names = Object.keys(step);
  if (names.length === 0) return null;
  return names.length === 1 && step.scenario !== undefined ? step.scenario : step;
}

/** Lists what is forced, and how far it is where that counts. */
function list(project: Project, io: Io): ExitCode {
  const { overridesPath, callsPath } = project;
  const overrides = readOverrides(overridesPath);
  const folder = readFixtures(project);
  const tools = knownTools(folder);
  const paint = paintFor(io, "out");
  const rows = [...overrides.entries].flatMap(([key, entry]) => {
    const fixture = folder.fixtures.get(key);
    return isForcing(entry, fixture) && unknownTool(key, tools.keys()) === undefined
      ? [[
        paint("name", plain(key)),
        paint("notice", entryText(entry, fixture)),
        paint("quiet", progressText(key, entry, overrides, callsPath)),
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

async function clear(tool: string, project: Project, io: Io): Promise<ExitCode> {
  // An entry may outlive its tool, so it is looked for before the tool is.
  const choose = (entries: JsonObject) => Object.hasOwn(entries, tool) ? [tool] : [];
  const removed = await remove(project, choose, io);
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

/** Removes the entries that `choose` names. Where there are none, nothing is written. */
async function remove(
  project: Project,
  choose: (entries: JsonObject) => string[],
  io: Io,
): Promise<number> {
  const { overridesPath } = project;
  refuseNoFile(project);
  const now = entriesOf(overridesPath);
  if (now !== undefined && choose(now).length === 0) return 0;
  let removed = 0;
  await changeOverrides(overridesPath, (entries) => {
    const names = choose(entries);
    removed = names.length;
    for (const name of names) delete entries[name];
  }, (message) => io.err(`Warning: ${message}`));
  return removed;
}

/** The entries of an overrides file; `undefined` when it cannot be used, which changing it tells. */
function entriesOf(path: string): JsonObject | undefined {
  try {
    const text = Deno.readTextFileSync(path);
    return text.trim() === "" ? {} : parseOverridesObject(text);
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? {} : undefined;
  }
}

/** Refuses a path that leads to no file, before a lock is written beside it. */
function refuseNoFile({ overridesPath }: Project): void {
  let what: string;
  try {
    const { isFile, isDirectory } = Deno.statSync(overridesPath);
    if (isFile) return;
    what = isDirectory ? "a folder" : "a pipe or a device";
  } catch {
    // There is none yet; writing makes it, or says why it cannot.
    return;
  }
  throw new CliError(
    `${overridesPath} is ${what}, where the file of what is forced should be.\n` +
      "Name a file with --overrides.",
  );
}
