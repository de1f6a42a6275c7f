import type { Call } from "../control/calls.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { matches } from "../scenario/match.ts";
import { matchText } from "../scenario/match_text.ts";
import { requireTool } from "../store/lookup.ts";
import { readArguments } from "./call_arguments.ts";
import { callRows, journalOf } from "./calls.ts";
import { readFixtures } from "./fixtures.ts";
import { programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { count } from "../plain.ts";
import type { Project } from "./project.ts";

/** How a tool should have been called. */
export interface Expectation {
  readonly times?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** A rule as in a match block, as JSON or as `key=value`. */
  readonly args?: string;
  readonly scenario?: string;
  /** Within the last so many milliseconds. */
  readonly since?: number;
  /** Since the call of this id. */
  readonly after?: string;
}

/** How many of the calls that came instead are shown at most. */
const MOST_SHOWN = 5;

/**
 * Checks in the journal that a tool was called as it should have been. A call that still waits
 * counts, too.
 *
 * @returns The exit code: failed when it was not.
 */
export function verify(tool: string, expected: Expectation, project: Project, io: Io): ExitCode {
  const { times, atLeast, atMost } = expected;
  if (times !== undefined && (atLeast ?? atMost) !== undefined) {
    throw wrongUsage("--times says it all; leave --at-least and --at-most out.");
  }
  const least = times ?? atLeast ?? (atMost === undefined ? 1 : 0);
  const most = times ?? atMost ?? Infinity;
  if (least > most) throw wrongUsage("--at-least is more than --at-most.");
  const rule = expected.args === undefined ? undefined : readRule(expected.args);
  const all = journalOf(project);
  refuseUnknown(tool, all, project);

  const recent = recentOf(all, expected);
  const ofTool = recent.filter((call) => call.tool === tool);
  const fitting = ofTool.filter((call) => fits(call, rule, expected.scenario));
  const what = [
    `\`${tool}\``,
    ...(rule === undefined ? [] : [`with ${matchText(rule)}`]),
    ...(expected.scenario === undefined ? [] : [`answered by ${expected.scenario}`]),
  ].join(" ");
  const came = `was called ${count(fitting.length, "time")}`;
  if (fitting.length >= least && fitting.length <= most) {
    io.out(`${what} ${came}.`);
    return EXIT.done;
  }
  io.err(`careem-mcp: ${what} ${came}, and should have been ${timesText(least, most)}.`);
  // Too many: those that fit. Too few: those that nearly did.
  const [title, shown] = fitting.length > most
    ? ["These came:", fitting]
    : ofTool.length > fitting.length
    ? ["The nearest that came:", ofTool.filter((call) => !fitting.includes(call))]
    : ["What came:", recent];
  if (shown.length === 0) {
    io.err(`No call came${recent === all ? "" : " in that time"} (${project.callsPath}).`);
  } else {
    io.err(title);
    callRows(shown.slice(-MOST_SHOWN), io).forEach((row) => io.err(`  ${row}`));
    if (shown.length > MOST_SHOWN) {
      io.err(`  and ${shown.length - MOST_SHOWN} before; see: ${programName()} calls`);
    }
  }
  return EXIT.failed;
}

function wrongUsage(message: string): CliError {
  return new CliError(`${message}\nSee: ${programName()} verify --help`, EXIT.usage);
}

function readRule(text: string): JsonObject {
  const rule = readArguments([text], { type: "object" });
  if (isJsonObject(rule)) return rule;
  throw wrongUsage("--args is no rule; write it as in a match block: {…}");
}

/** Refuses a tool that does not exist, of which `--at-most 0` would always hold. */
function refuseUnknown(tool: string, calls: readonly Call[], project: Project): void {
  if (calls.some((call) => call.tool === tool)) return;
  try {
    requireTool(readFixtures(project), tool);
  } catch (error) {
    throw error instanceof Refusal ? new Refusal("usage", error.message, error.see) : error;
  }
}

function recentOf(all: readonly Call[], { since, after }: Expectation): readonly Call[] {
  if (since !== undefined && after !== undefined) {
    throw wrongUsage("--since and --after exclude each other.");
  }
  if (since !== undefined) {
    const from = new Date(Date.now() - since).toISOString();
    return all.filter(({ time }) => time >= from);
  }
  if (after === undefined) return all;
  const at = all.findIndex(({ id }) => id === after);
  if (at === -1) {
    throw new CliError(`--after: there is no call \`${after}\`\nSee: ${programName()} calls`, 2);
  }
  return all.slice(at + 1);
}

function fits(call: Call, rule: JsonObject | undefined, scenario: string | undefined): boolean {
  return (rule === undefined || matches(rule, call.arguments ?? {})) &&
    (scenario === undefined || call.scenario?.toLowerCase() === scenario.toLowerCase());
}

function timesText(least: number, most: number): string {
  if (least === most) return count(least, "time");
  if (most === Infinity) return `${count(least, "time")} at least`;
  return least === 0 ? `${count(most, "time")} at most` : `${least} to ${count(most, "time")}`;
}
