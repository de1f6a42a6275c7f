import { dirname, relative } from "node:path";
import { FixtureError } from "../fixture/problem.ts";
import { reasonOf } from "../reason.ts";
import { readFolder } from "../store/folder.ts";
import { type ImportPlan, planImport } from "./import_plan.ts";
import {
  aboutArguments,
  confirmRenames,
  importJson,
  readRename,
  refuseVain,
  reportMisfits,
} from "./import_report.ts";
import {
  callsOf,
  listedTools,
  planRecording,
  type RecordingPlan,
  reportRecording,
} from "./import_recording.ts";
import { plain } from "../plain.ts";
import { readRecording } from "../produce/recording.ts";
import { systemEnvironment } from "../template/environment.ts";
import { saveBefore, wayBack } from "./import_copy.ts";
import type { Wanted } from "../produce/renames.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { differenceText } from "./json_difference.ts";
import { commandLine, programName } from "./installation.ts";
import { isInside } from "./paths.ts";
import type { Project } from "./project.ts";
import { replaceFile } from "../store/replace_file.ts";
import { type Paint, paintFor } from "./style.ts";
import { readToolsList } from "./tools_list.ts";

/** The flags of `import`. */
export interface ImportFlags {
  /** Delete the files of tools that are not in the list. */
  readonly prune: boolean;
  /** Say what would change, and change nothing. */
  readonly dryRun: boolean;
  /** Arguments that have another name: `old=new`, or `tool.old=new`. */
  readonly rename?: readonly string[];
  /** Print JSON. */
  readonly json?: true;
  /** Write recorded answers as they are. */
  readonly literal?: true;
}

/**
 * Brings the tool files up to a saved `tools/list`: definitions are replaced verbatim, scenarios
 * and prose are kept, new tools get a file with a default scenario. Scenarios of the tools that
 * changed and no longer fit are listed on standard error.
 *
 * Of a recording, the calls become scenarios as well.
 *
 * @param sources The saved list, or `-` for standard input; or a recording, of one file or two.
 */
export async function importTools(
  sources: readonly string[],
  flags: ImportFlags,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (project.embedded) throw notToBeChanged(project);
  const texts = await readSources(sources, io);
  const source = sources.join(" and ").replace(/^-$/, "standard input");
  const recording = readRecording(texts);
  const calls = callsOf(recording);
  const isRecording = texts.length > 1 || calls.length > 0;
  const list = isRecording ? listedTools(recording, source) : readToolsList(texts[0]!, source);
  if (list === undefined && calls.length === 0) throw new CliError(NOTHING_RECORDED);
  // Without a list, nothing is known of the tools that were not called.
  const { tools, partial } = list ?? { tools: [], partial: true };
  if (partial && flags.prune) {
    throw new CliError(
      "The list goes on in further pages that were not saved, so --prune would delete too much.\n" +
        "Save all pages in one file, or leave --prune out.",
    );
  }
  const { fixtures, problems } = readFolder(project.toolsDirectory);
  // A tool whose file cannot be read would come in a second time.
  if (problems.length > 0) throw new FixtureError(problems);
  const draw = (wanted: readonly Wanted[]): ImportPlan =>
    planImport(tools, fixtures, project.toolsDirectory, Deno.readTextFileSync, wanted);
  const asked = (flags.rename ?? []).map((text) => readRename(text, fixtures));
  let whole = draw(asked);
  refuseVain(asked, whole, fixtures);
  const confirmed = sources.includes("-") || flags.dryRun || flags.json
    ? []
    : confirmRenames(whole, io);
  if (confirmed.length > 0) whole = draw([...asked, ...confirmed]);
  // Tools that are missing may be on the pages that were not saved.
  if (partial) whole = { ...whole, vanished: [] };
  if (list === undefined) whole = { ...whole, unchanged: fixtures.size };
  const recorded = planRecording(whole, fixtures, calls, {
    literal: flags.literal ?? false,
    time: timeOf(sources),
    environment: systemEnvironment,
  });
  const { plan } = recorded;
  for (const { path } of plan.created) refuseExisting(path);

  const changes = [...plan.updated, ...plan.created, ...(flags.prune ? plan.vanished : [])];
  const saved = flags.dryRun || changes.length === 0 ? undefined : carryOut(plan, flags, project);
  if (flags.json) io.out(JSON.stringify(importJson(plan, saved), null, 2));
  else describe(recorded, flags, partial, project, paintFor(io, "out")).forEach(io.out);
  if (list?.partial) io.err("careem-mcp: the list goes on in further pages that were not saved.");
  if (isRecording) reportRecording(recorded, recording.errors, io);
  if (!flags.json) reportMisfits(plan, io);
  if (saved !== undefined) io.err(wayBack(saved, project));
  return EXIT.done;
}

const NOTHING_RECORDED = "There are neither tools nor answered calls in this recording.\n" +
  "Give the two files that tee wrote, the requests and the answers (docs/RECORDING.md).";

async function readSources(sources: readonly string[], io: Io): Promise<string[]> {
  if (sources.length > 2) {
    throw new CliError(
      "Give one file, or the two of a recording: the requests and the answers.",
      EXIT.usage,
    );
  }
  return await Promise.all(sources.map((source) => readSource(source, io)));
}

/** When the last of the files was written, which is when the recording ended. */
function timeOf(sources: readonly string[]): number {
  const times = sources.map((source) => {
    try {
      return Deno.statSync(source).mtime?.getTime() ?? NaN;
    } catch {
      return NaN;
    }
  });
  const last = Math.max(...times);
  return Number.isNaN(last) ? Date.now() : last;
}

/** Words that the fixtures in use are not this project's to change. */
export function notToBeChanged({ packed, directory }: Project): CliError {
  return new CliError(
    packed
      ? "The tool files are the copy inside the executable, which cannot be changed.\n" +
        `Write them to disk first: ${programName()} eject`
      : `${directory} has no tools/, and those that come with careem-mcp are left as they are.\n` +
        `Write a copy to it first: ${commandLine(["eject", "--project", directory])}`,
  );
}

/** Reads a file that the user named, or standard input for `-`. */
export async function readSource(source: string, io: Io): Promise<string> {
  if (source === "-") return await io.readInput();
  try {
    return await Deno.readTextFile(source);
  } catch (error) {
    throw new CliError(`${source} cannot be read: ${reasonOf(error)}.`);
  }
}

function refuseExisting(path: string): void {
  try {
    Deno.lstatSync(path);
  } catch {
    return;
  }
  throw new CliError(`${path} is in the way of a new tool.\nMove it away, then import again.`);
}

/** Writes and deletes once all folders have proved writable; returns the copy of the old files. */
function carryOut(plan: ImportPlan, { prune }: ImportFlags, project: Project): string {
  const { toolsDirectory } = project;
  const { coherence } = plan;
  const written = [
    ...plan.updated,
    ...plan.created,
    ...(coherence === undefined ? [] : [coherence]),
  ];
  const deleted = prune ? plan.vanished : [];
  tryFolders([...written.map(({ path }) => linkedFile(path)), ...deleted.map(({ path }) => path)]);
  const saved = saveBefore(project);
  const undo: (() => void)[] = [];
  for (const { path, text } of written) {
    attempt(path, "written", undo, () => replaceFile(path, text));
  }
  for (const { path } of deleted) {
    attempt(path, "deleted", undo, () => Deno.removeSync(path));
  }
  for (const { path } of deleted) removeEmptied(dirname(path), toolsDirectory);
  return saved;
}

/** The file that a symbolic link leads to, which is the one that is written. */
function linkedFile(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** Tries every folder first: an import that fails halfway leaves old and new definitions. */
function tryFolders(paths: readonly string[]): void {
  for (const folder of new Set(paths.map((path) => folderThere(dirname(path))))) {
    try {
      Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".careem-mcp-" }));
    } catch (error) {
      throw new CliError(
        `${folder} cannot be written to: ${reasonOf(error)}.\n` +
          "Nothing was changed. Mend that and import again.",
      );
    }
  }
}

/** The folder itself, or the one that it is to be made in. */
function folderThere(folder: string): string {
  try {
    Deno.lstatSync(folder);
    return folder;
  } catch {
    return dirname(folder) === folder ? folder : folderThere(dirname(folder));
  }
}

/** Does one step; when it fails, takes back those before it. */
function attempt(path: string, verb: string, undo: (() => void)[], act: () => void): void {
  let before: Uint8Array | undefined;
  try {
    before = Deno.readFileSync(path);
  } catch {
    // There is none.
  }
  try {
    act();
    undo.push(() => before === undefined ? Deno.removeSync(path) : replaceFile(path, before));
  } catch (error) {
    const reason = `${path} cannot be ${verb}: ${reasonOf(error)}.`;
    try {
      undo.reverse().forEach((step) => step());
    } catch (failed) {
      throw new CliError(`${reason}\nNot all could be taken back: ${reasonOf(failed)}.`);
    }
    throw new CliError(`${reason}\nNothing was changed. Mend that and import again.`);
  }
}

/** Removes a folder that nothing is left in, and those around it, up to the folder of all tools. */
function removeEmptied(folder: string, toolsDirectory: string): void {
  if (relative(toolsDirectory, folder) === "" || !isInside(toolsDirectory, folder)) return;
  try {
    Deno.removeSync(folder);
  } catch {
    // It is not empty, or cannot be removed, and does no harm.
    return;
  }
  removeEmptied(dirname(folder), toolsDirectory);
}

function describe(
  { plan, tools }: RecordingPlan,
  { prune, dryRun }: ImportFlags,
  partial: boolean,
  project: Project,
  paint: Paint,
): string[] {
  const near = (path: string): string => relative(project.toolsDirectory, path);
  const { updated, created, vanished, unchanged } = plan;
  const added = (tool: string): string[] =>
    (tools.get(tool)?.added ?? []).map((name) => `  ${paint("good", `+ scenario ${plain(name)}`)}`);
  const gone = prune ? paint("bad", dryRun ? "delete" : "deleted") : "vanished";
  const roles = { "+": "good", "-": "bad", "~": "notice" } as const;
  const would = dryRun ? "would be " : "";
  return [
    ...updated.flatMap(({ path, differences, ...file }) => [
      `${paint("notice", dryRun ? "update" : "updated")}  ${near(path)}`,
      ...differences.map(differenceText).map((line) =>
        `  ${paint(roles[line[0] as keyof typeof roles], line)}`
      ),
      ...aboutArguments(file).map((line) => `  ${line}`),
      ...added(file.tool),
    ]),
    ...(plan.coherence === undefined
      ? []
      : [`${paint("notice", dryRun ? "update" : "updated")}  ${near(plan.coherence.path)}`]),
    ...created.flatMap(({ path, tool }) => [
      `${paint("good", dryRun ? "create" : "created")}  ${near(path)}`,
      ...added(tool),
    ]),
    ...vanished.map(({ path }) =>
      `${gone}  ${near(path)}${prune ? "" : " (kept; --prune deletes it)"}`
    ),
    [
      `${updated.length} ${would}updated`,
      `${created.length} ${would}created`,
      ...(partial ? [] : [`${vanished.length} ${prune ? `${would}deleted` : "vanished"}`]),
      `${unchanged} unchanged`,
    ].join(", "),
  ];
}
