import { checkOverridesFile } from "../check/check_project.ts";
import { newestCalls } from "../control/calls.ts";
import {
  countedSince,
  delayText,
  entryText,
  isForcing,
  progressText,
} from "../control/entry_text.ts";
import { force, letGo } from "../control/force.ts";
import type { Entry, Overrides, Step } from "../control/overrides.ts";
import { readOverrides } from "../control/overrides_file.ts";
import { unknownTool } from "../control/overrides_problems.ts";
import { isJsonObject, own } from "../json.ts";
import { plain } from "../plain.ts";
import { Refusal } from "../refusal.ts";
import { finishAside, type Steps } from "../steps.ts";
import { knownTools } from "../store/folder.ts";
import type { Call } from "../control/calls.ts";
import type { ApiRequest, Context } from "./context.ts";

/** What is forced now. */
export interface Forced {
  readonly entries: readonly {
    readonly key: string;
    readonly steps: readonly {
      readonly scenario?: string;
      readonly fault?: string;
      readonly delay?: string;
      readonly times?: number;
    }[];
    /** The steps in words. */
    readonly text: string;
    /** How far a server is in it, where it counts. */
    readonly progress?: string;
  }[];
  /** What the file forces in vain. */
  readonly problems: readonly { readonly message: string; readonly line: number }[];
}

/** Tells what is forced, and how far that is. */
export async function showForced(_request: unknown, context: Context): Promise<Forced> {
  const { files, library } = context;
  const folder = await library.folder();
  const overrides = readOverrides(files.overridesPath);
  const names = [...knownTools(folder).keys()];
  const shown = [...overrides.entries].filter(([key, entry]) =>
    isForcing(entry, folder.fixtures.get(key)) && unknownTool(key, names) === undefined
  );
  const since = sinceOf(shown);
  const calls = since === undefined
    ? []
    : await finishAside(callsSince(since, newestCalls(files.callsPath)));
  return {
    entries: shown.map(([key, entry]) => ({
      key,
      steps: entry.steps.map(shownStep),
      text: entryText(entry, folder.fixtures.get(key)),
      ...progressOf(key, entry, overrides, calls),
    })),
    problems: checkOverridesFile(files.overridesPath, folder)
      .map(({ message, line }) => ({ message, line })),
  };
}

function shownStep(
  { scenario, fault, delayMs, times }: Step,
): Forced["entries"][number]["steps"][number] {
  return {
    ...(scenario !== undefined && { scenario }),
    ...(fault !== undefined && { fault }),
    ...(delayMs !== undefined && { delay: delayText(delayMs) }),
    ...(times !== undefined && { times }),
  };
}

function sinceOf(entries: readonly (readonly [string, Entry])[]): string | undefined {
  return entries.flatMap(([key, entry]) => countedSince(key, entry) ?? []).sort()[0];
}

function* callsSince(since: string, newest: Iterable<Call>): Steps<Call[]> {
  const calls: Call[] = [];
  for (const call of newest) {
    yield;
    if (call.time < since) break;
    calls.push(call);
  }
  return calls.reverse();
}

function progressOf(
  key: string,
  entry: Entry,
  overrides: Overrides,
  calls: readonly Call[],
): { progress?: string } {
  const progress = progressText(key, entry, overrides, calls);
  return progress === "" ? {} : { progress };
}

/** Forces a tool, or all, or every request. */
export async function putForced(request: ApiRequest, context: Context): Promise<Forced> {
  const { params: [key = ""], body } = request;
  const steps = own(body, "steps");
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isJsonObject)) {
    throw new Refusal(
      "usage",
      '`steps` must be a list such as [{"scenario": "…", "delay": "3s"}, {"fault": 503, "times": 2}]',
    );
  }
  const folder = await context.library.folder();
  await force(context.files.overridesPath, key, steps, folder, context.note);
  return await showForced(request, context);
}

/** Lets go all that is forced, or what is forced for one key. */
export async function deleteForced(request: ApiRequest, context: Context): Promise<Forced> {
  const { params: [key] } = request;
  const removed = await letGo(context.files.overridesPath, key, context.note);
  if (key !== undefined && removed === 0) {
    throw new Refusal("missing", `nothing is forced for \`${plain(key)}\``, ["scenario"]);
  }
  return await showForced(request, context);
}
