import { FixtureError } from "../fixture/problem.ts";
import { readRecording } from "../produce/recording.ts";
import { reasonOf } from "../reason.ts";
import { readFolder } from "../store/folder.ts";
import { systemEnvironment } from "../template/environment.ts";
import { planImport, type RecordedCall } from "./import_plan.ts";
import {
  confirmRenames,
  describeImport,
  importJson,
  readRename,
  refuseVain,
  reportMisfits,
  reportRecording,
} from "./import_report.ts";
import { refuseExisting, wayBack, writeImport } from "./import_write.ts";
import { commandLine, programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import type { Project } from "./project.ts";
import { noListIn, toolsIn } from "./tools_list.ts";

/** The flags of `import`. */
export interface ImportFlags {
  /** Delete the files of tools that are not in the list. */
  readonly prune?: true;
  /** Say what would change, and change nothing. */
  readonly dryRun?: true;
  /** Arguments that have another name: `old=new`, or `tool.old=new`. */
  readonly rename?: readonly string[];
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
  if (sources.length > 2) {
    throw new CliError(
      "Give one file, or the two of a recording: the requests and the answers.",
      EXIT.usage,
    );
  }
  const texts = await Promise.all(sources.map((source) => readSource(source, io)));
  const source = sources.join(" and ").replace(/^-$/, "standard input");
  const { exchanges, lists, errors } = readRecording(texts);
  const calls = exchanges.filter((one): one is RecordedCall => one.tool !== undefined);
  const isRecording = texts.length > 1 || calls.length > 0;
  const list = lists.length === 0 ? undefined : toolsIn(lists, source);
  if (list === undefined && calls.length === 0) {
    throw isRecording ? new CliError(NOTHING_RECORDED) : noListIn(texts[0]!, source);
  }
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
  const writing = {
    literal: flags.literal ?? false,
    time: timeOf(sources),
    environment: systemEnvironment,
  };
  const brought = { tools, partial, calls, writing, fixtures, directory: project.toolsDirectory };
  const asked = (flags.rename ?? []).map((text) => readRename(text, fixtures));
  let plan = planImport(brought, asked);
  refuseVain(asked, plan, fixtures);
  if (!sources.includes("-") && !flags.dryRun && !flags.json) {
    const confirmed = confirmRenames(plan, io);
    if (confirmed.length > 0) plan = planImport(brought, [...asked, ...confirmed]);
  }
  plan.created.forEach(({ path }) => refuseExisting(path));

  const saved = flags.dryRun ? undefined : writeImport(plan, flags.prune ?? false, project);
  if (flags.json) io.out(JSON.stringify(importJson(plan, saved), null, 2));
  else describeImport(plan, flags, partial, project, io).forEach(io.out);
  if (list?.partial) io.err("careem-mcp: the list goes on in further pages that were not saved.");
  if (isRecording) reportRecording(plan, errors, io);
  if (!flags.json) reportMisfits(plan, io);
  if (saved !== undefined) io.err(wayBack(saved, project));
  return EXIT.done;
}

const NOTHING_RECORDED = "There are neither tools nor answered calls in this recording.\n" +
  "Give the two files that tee wrote, the requests and the answers (docs/RECORDING.md).";

/** When the last of the files was written, which is when the recording ended. */
function timeOf(sources: readonly string[]): number {
  try {
    return Math.max(...sources.map((source) => Deno.statSync(source).mtime!.getTime()));
  } catch {
    return Date.now();
  }
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
