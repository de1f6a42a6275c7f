import {
  argumentsText,
  type Call,
  type CallFilter,
  clearCalls,
  isFailed,
  matching,
  mergeCalls,
  readCalls,
} from "../control/calls.ts";
import { followCalls } from "../control/follow_calls.ts";
import { plain } from "../plain.ts";
import { reasonOf } from "../reason.ts";
import { matchText } from "../scenario/match_text.ts";
import { programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import type { Project } from "./project.ts";
import { type Paint, paintFor } from "./style.ts";
import { didYouMean } from "../suggest.ts";
import { layOut } from "./table.ts";

/** The flags of `calls`. */
export interface CallsFlags extends Omit<CallFilter, "since" | "errors"> {
  /** Only those of the last so many milliseconds. */
  readonly since?: number;
  readonly errors?: true;
  /** Only the last so many. */
  readonly limit?: number;
  readonly follow?: true;
  readonly json?: true;
}

/** How many calls a terminal shows unless --limit says otherwise. */
const USUAL_LIMIT = 20;

/**
 * Lists the calls in the journal, shows one, or begins a new journal.
 *
 * @param action `show` or `clear`; lists without one.
 */
export async function calls(
  action: string | undefined,
  id: string | undefined,
  filter: CallsFlags,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  if (action === "show") return show(id, filter, project, io);
  if (action === "clear") return clear(project, io);
  if (action !== undefined) {
    throw new CliError(
      `unknown action \`${action}\`${didYouMean(action, ["show", "clear"])}\n` +
        `Write: ${programName()} calls, calls show <id> or calls clear`,
      EXIT.usage,
    );
  }
  return filter.follow ? await follow(filter, project, io) : list(filter, project, io);
}

/** Reads the journal of a project, its oldest call first. */
export function journalOf({ callsPath }: Project): Call[] {
  try {
    return readCalls(callsPath);
  } catch (error) {
    throw new CliError(
      `${callsPath} cannot be read: ${reasonOf(error)}.\nMend that, or name another with --calls.`,
    );
  }
}

function list(filter: CallsFlags, project: Project, io: Io): ExitCode {
  const all = journalOf(project);
  const shown = lastOf(all.filter(filterOf(filter)), filter, io);
  if (all.length === 0) {
    io.err(`No calls in ${project.callsPath}. Servers write it as they answer.`);
  }
  write(shown, filter, io);
  return EXIT.done;
}

async function follow(filter: CallsFlags, project: Project, io: Io): Promise<ExitCode> {
  const isMeant = filterOf(filter);
  let isFirst = true;
  for await (const lines of followCalls(project.callsPath)) {
    // A call that waits has two lines: it is shown when it comes and when it ends.
    const news = isFirst ? mergeCalls(lines) : lines;
    const meant = news.filter(isMeant);
    write(isFirst ? lastOf(meant, filter, io) : meant, filter, io);
    isFirst = false;
  }
  return EXIT.done;
}

function lastOf(calls: readonly Call[], { limit, json }: CallsFlags, io: Io): readonly Call[] {
  const usual = io.outIsTerminal && !json ? USUAL_LIMIT : Infinity;
  return calls.slice(-(limit ?? usual));
}

function filterOf({ since, ...flags }: CallsFlags): (call: Call) => boolean {
  const from = since === undefined ? {} : { since: new Date(Date.now() - since).toISOString() };
  return matching({ ...flags, ...from });
}

function write(calls: readonly Call[], { json }: CallsFlags, io: Io): void {
  if (json) calls.forEach((call) => io.out(JSON.stringify(call)));
  else callRows(calls, io).forEach(io.out);
}

/** Lays calls out for people, one a line. */
export function callRows(calls: readonly Call[], io: Io): string[] {
  const paint = paintFor(io, "out");
  const rows = calls.map((call) => [
    paint("quiet", `${timeOf(call)}  ${call.id}`),
    paint("name", plain(call.tool)),
    howText(call, paint),
    plain(argumentsText(call)),
  ]);
  return layOut(rows, io.outIsTerminal ? io.columns : undefined);
}

function timeOf({ time }: Call): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toTimeString().slice(0, 8);
}

function howText(call: Call, paint: Paint): string {
  const { scenario, why, fault, ms, pending } = call;
  const answer = fault === undefined ? scenario ?? why ?? "-" : `fault ${fault}`;
  const forced = why === "forced" && fault === undefined ? " (forced)" : "";
  const time = pending ? "waits" : ms === undefined ? "" : `${Math.round(ms)}ms`;
  return `${paint(isFailed(call) ? "bad" : "notice", plain(answer) + forced)} ${time}`.trimEnd();
}

function show(
  id: string | undefined,
  { json }: CallsFlags,
  project: Project,
  io: Io,
): ExitCode {
  if (id === undefined) {
    throw new CliError(`\`calls show\` needs an id; see: ${programName()} calls`, EXIT.usage);
  }
  const call = journalOf(project).find((one) => one.id === id);
  if (call === undefined) {
    throw new CliError(`there is no call \`${id}\`\nSee: ${programName()} calls`);
  }
  if (json) io.out(JSON.stringify(call));
  else showText(call, paintFor(io, "out")).forEach(io.out);
  return EXIT.done;
}

function showText(call: Call, paint: Paint): string[] {
  const { client, delayMs, isError } = call;
  const rows: [string, string | undefined][] = [
    ["time", `${call.time}${call.ms === undefined ? "" : `, ${Math.round(call.ms)} ms`}`],
    ["client", client && [client.name, client.version].filter((text) => text !== "").join(" ")],
    ["session", [call.transport, call.session].filter((text) => text !== undefined).join(" ")],
    ["server", `process ${call.pid}`],
    ["scenario", call.scenario],
    ["why", [call.why, call.rule && matchText(call.rule)].filter(Boolean).join(": ")],
    ["fault", call.fault],
    ["delay", delayMs === undefined ? undefined : `${delayMs} ms`],
    ["isError", isError === undefined ? undefined : String(isError)],
    ["problem", call.problem],
    ["", call.pending && "It still waits, or its server ended meanwhile."],
  ];
  return [
    `${paint("title", plain(call.tool))}  ${paint("quiet", call.id)}`,
    ...layOut(
      rows.filter(([, text]) => text !== undefined && text !== "")
        .map(([name, text]) => [paint("quiet", `  ${name}`), plain(text!)]),
    ),
    ...block("arguments", call.arguments, call.argumentsCutFrom, paint),
    ...block("result", call.result, call.resultCutFrom, paint),
  ];
}

function block(
  name: string,
  value: Call["result"],
  cutFrom: number | undefined,
  paint: Paint,
): string[] {
  if (value === undefined && cutFrom === undefined) return [];
  const isCut = cutFrom === undefined ? "" : ` (the beginning of ${cutFrom} characters)`;
  const lines = value === undefined
    ? []
    : cutFrom !== undefined
    ? [String(value)]
    : JSON.stringify(value, null, 2).split("\n");
  return ["", paint("title", name) + isCut, ...lines.map(plain)];
}

function clear({ callsPath }: Project, io: Io): ExitCode {
  io.out(clearCalls(callsPath) ? "The journal is cleared." : "There is no journal.");
  return EXIT.done;
}
