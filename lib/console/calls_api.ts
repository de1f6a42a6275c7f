import { type Call, clearCalls, matching, newestCalls } from "../control/calls.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { plain } from "../plain.ts";
import { ruleOf } from "../produce/placement.ts";
import { Refusal } from "../refusal.ts";
import { type Mismatch, mismatches } from "../scenario/explain_mismatch.ts";
import { findScenario } from "../scenario/select.ts";
import { finishAside, type Steps } from "../steps.ts";
import type { ApiRequest, Context } from "./context.ts";
import { type CallSummary, placeOfFile, summaryOf } from "./views.ts";

/** How many calls a list has unless it is told, and at most. */
const USUAL_LIMIT = 200;
const MOST_LISTED = 1_000;

/** Lists calls of the journal, the newest first. */
export async function listCalls(
  { query }: ApiRequest,
  { files }: Context,
): Promise<{ calls: CallSummary[]; more: boolean }> {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const isMeant = matching({
    tool: text("tool"),
    scenario: text("scenario"),
    client: text("client"),
    session: text("session"),
    text: text("q"),
    errors: ["1", "true"].includes(query.get("errors") ?? ""),
  });
  const before = text("before");
  const limit = limitOf(query.get("limit"));
  const calls = await finishAside(
    choose(newestCalls(files.callsPath), isMeant, before, limit + 1),
  );
  return { calls: calls.slice(0, limit).map(summaryOf), more: calls.length > limit };
}

function limitOf(text: string | null): number {
  if (text === null) return USUAL_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return Math.min(limit, MOST_LISTED);
  throw new Refusal("usage", "`limit` must be a whole number above zero");
}

/** Takes as many calls as asked for, those before a call where one is named. */
function* choose(
  newest: Iterable<Call>,
  isMeant: (call: Call) => boolean,
  before: string | undefined,
  most: number,
): Steps<Call[]> {
  const chosen: Call[] = [];
  let isPast = before === undefined;
  for (const call of newest) {
    yield;
    if (isPast && isMeant(call)) chosen.push(call);
    isPast ||= call.id === before;
    if (chosen.length === most) break;
  }
  return chosen;
}

/** The call of an id, if it is in the journal. */
export async function callOf(id: string, { files }: Context): Promise<Call | undefined> {
  const [call] = await finishAside(
    choose(newestCalls(files.callsPath, id), (one) => one.id === id, undefined, 1),
  );
  return call;
}

/** A rule of a tool's file and what it makes of a call. */
interface TriedRule {
  readonly scenario: string;
  readonly line: number;
  readonly rule: JsonObject;
  readonly matched: boolean;
  /** Why it does not match. */
  readonly differences: readonly Mismatch[];
}

/** Shows all of a call, by the tool's file as it is now. */
export async function showCall(
  { params: [id = ""] }: ApiRequest,
  context: Context,
): Promise<unknown> {
  const call = await callOf(id, context);
  if (call === undefined) {
    throw new Refusal("missing", `there is no call \`${plain(id)}\` in the journal`, ["calls"]);
  }
  const { fixtures } = await context.library.folder();
  const fixture = fixtures.get(call.tool);
  const scenario = fixture && call.scenario !== undefined
    ? findScenario(fixture, call.scenario)
    : undefined;
  const args = isJsonObject(call.arguments) ? call.arguments : undefined;
  return {
    call,
    ...(fixture && scenario && {
      scenario: {
        name: scenario.name,
        prose: context.library.written(fixture).get(scenario)!.parts.prose,
        file: placeOfFile(fixture, context),
        line: scenario.line,
      },
    }),
    rules: fixture && args ? rulesTried(fixture, args) : [],
    commands: args === undefined ? {} : {
      call: context.commandLine(["call", call.tool, plain(JSON.stringify(args))]),
      verify: context.commandLine(["verify", call.tool, ...argsFlag(args)]),
    },
  };
}

/** The rules of a file down to the first that matches, and why those above it do not. */
function rulesTried({ scenarios }: Fixture, args: JsonObject): TriedRule[] {
  const tried: TriedRule[] = [];
  for (const { name, line, match } of scenarios) {
    if (match === undefined) continue;
    const differences = mismatches(match, args);
    const matched = differences.length === 0;
    tried.push({ scenario: name, line, rule: match, matched, differences });
    if (matched) break;
  }
  return tried;
}

/** Asks for just these arguments. */
function argsFlag(args: JsonObject): string[] {
  const rule = ruleOf(args, Object.keys(args).map((key) => [key]));
  return Object.keys(rule).length === 0 ? [] : ["--args", plain(JSON.stringify(rule))];
}

/** Begins a new journal. */
export function deleteCalls(_request: ApiRequest, { files }: Context): { cleared: boolean } {
  return { cleared: clearCalls(files.callsPath) };
}
