import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { plain } from "../plain.ts";
import { didYouMean } from "../suggest.ts";
import { parseDuration } from "../template/duration.ts";

/** The failures that can be forced beside scenarios; what a client sees of each: docs/CLI.md. */
export const FAULTS = [
  "hang",
  "drop",
  "lost-session",
  "unauthorized",
  "404",
  "429",
  "500",
  "502",
  "503",
  "504",
  "cut",
] as const;

/** One of {@linkcode FAULTS}. */
export type Fault = typeof FAULTS[number];

/** What is to become of one call, or of several; empty means "by its arguments". */
export interface Step {
  /** The scenario that answers. */
  readonly scenario?: string;
  /** The failure that comes in place of an answer. */
  readonly fault?: Fault;
  /** How long the call waits first. */
  readonly delayMs?: number;
  /** How many calls this holds for. */
  readonly times?: number;
  /** When it was set; a later time starts the counting anew. */
  readonly at?: string;
}

/** What is forced for one key of the file. */
export interface Entry {
  /** One a call; the last one stays, unless it has `times`. */
  readonly steps: readonly Step[];
  /** The entry's JSON, by which a change of it shows. */
  readonly text: string;
}

/** Something in an overrides file that forces nothing. */
export interface OverridesProblem {
  /** The entry's key; absent when the file as a whole cannot be used. */
  readonly key?: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** What an overrides file comes to. */
export interface Overrides {
  /** By tool name; `*` is for all tools without an entry, `/` for every request of a client. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly problems: readonly OverridesProblem[];
}

/** The key of the entry for all tools that have none of their own. */
export const ANY_TOOL = "*";
/** The key of the entry for every request of a client, whatever its method. */
export const ANY_REQUEST = "/";

/** Nothing is forced. */
export const NO_OVERRIDES: Overrides = { entries: new Map(), problems: [] };

/** A timer cannot wait much longer, and nobody does. */
export const LONGEST_DELAY_MS = 24 * 60 * 60 * 1000;

const MEMBERS = ["scenario", "fault", "delay", "times", "at"];

/**
 * Reads an overrides file. Whatever cannot be used forces nothing: a slip must never break a call.
 * It is told, since whoever made it meant something.
 *
 * Format: docs/CLI.md, The overrides file.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseOverrides } from "./overrides.ts";
 *
 * const { entries, problems } = parseOverrides('{"ride_book": ["no-captains", {"fault": 503}]}');
 * assert.deepEqual(entries.get("ride_book")?.steps, [{ scenario: "no-captains" }, { fault: "503" }]);
 * assert(problems.length === 0 && parseOverrides("{oops").problems.length === 1);
 * ```
 *
 * @returns What is forced, and what is not although the file says so.
 */
export function parseOverrides(text: string): Overrides {
  if (text.trim() === "") return NO_OVERRIDES;
  const values = parseOverridesObject(text);
  if (values === undefined) {
    return { entries: new Map(), problems: [{ message: fileProblem(text) }] };
  }
  const entries = new Map<string, Entry>();
  const problems: OverridesProblem[] = [];
  for (const [key, value] of Object.entries(values)) {
    const report = (message: string) =>
      problems.push({ key, message: `\`${plain(key)}\`: ${message}` });
    const steps = readEntry(key, value, report);
    if (steps.length > 0) entries.set(key, { steps, text: JSON.stringify(value) });
  }
  return { entries, problems };
}

/**
 * Parses an overrides file for editing, where every entry is kept as it is.
 *
 * @returns The object it holds, or `undefined` when it holds anything else.
 */
export function parseOverridesObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The entry that a tool obeys.
 *
 * @param overrides What is forced.
 * @returns Its own entry, else the one for all tools that have none.
 */
export function entryFor({ entries }: Overrides, tool: string): Entry | undefined {
  return entries.get(tool) ?? entries.get(ANY_TOOL);
}

/**
 * The step for one call.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { stepAt } from "./overrides.ts";
 *
 * const steps = [{ scenario: "late", times: 2 }, { scenario: "there" }];
 * assert.deepEqual([0, 1, 2, 9].map((nth) => stepAt(steps, nth).scenario), ["late", "late", "there", "there"]);
 * assert.deepEqual(stepAt([{ fault: "503", times: 2 }], 2), {});
 * ```
 *
 * @param steps An entry's steps.
 * @param nth How many calls came before, since the entry is as it is.
 * @returns The step; an empty one when the entry has ended.
 */
export function stepAt(steps: readonly Step[], nth: number): Step {
  let end = 0;
  for (const step of steps) {
    end += step.times ?? (step === steps.at(-1) ? Infinity : 1);
    if (nth < end) return step;
  }
  return {};
}

/** What is wrong with a file that is no JSON object. */
function fileProblem(text: string): string {
  const wrong = text.includes("\u0000") || text.includes("\uFFFD")
    ? "is not saved as UTF-8"
    : /^\s*(?:\/[/*]|#)/m.test(text)
    ? "is not a JSON object, which has no comments"
    : /,\s*[}\]]/.test(text)
    ? "is not a JSON object, which has no comma before its end"
    : "is not a JSON object";
  return `${wrong}, so nothing is forced; mend or delete it`;
}

type Report = (message: string) => unknown;

function readEntry(key: string, value: JsonValue, report: Report): Step[] {
  if (!Array.isArray(value)) {
    const step = readStep(key, value, report);
    return step === undefined ? [] : [step];
  }
  if (value.length === 0) report("an empty list forces nothing; name a scenario or remove it");
  // A place that cannot be used is still a place: those after it keep theirs.
  return value.map((one) => readStep(key, one, report) ?? {});
}

/** Reads one step; `undefined`, and the reason is reported, when it cannot be understood. */
function readStep(key: string, value: JsonValue, report: Report): Step | undefined {
  if (value === null) return {};
  const step = typeof value === "string"
    ? { scenario: value }
    : isJsonObject(value)
    ? readObject(value)
    : 'write a scenario\'s name, {"scenario" or "fault": …, "delay": …, "times": …} or a list of these';
  if (typeof step === "string") {
    report(`${step}; as it is, it forces nothing`);
    return undefined;
  }
  if (key === ANY_REQUEST && step.scenario !== undefined) {
    report(
      `\`${ANY_REQUEST}\` is for requests, which have no scenario; give it a fault or a delay`,
    );
    return undefined;
  }
  return step;
}

/** Reads the object form of a step; a text says what is wrong with it. */
function readObject(value: JsonObject): Step | string {
  const { scenario, fault, delay, times, at } = value;
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    return `\`${plain(unknown)}\` is none of ${MEMBERS.join(", ")}${didYouMean(unknown, MEMBERS)}`;
  }
  if (scenario !== undefined && fault !== undefined) {
    return "a scenario and a fault cannot both answer; keep one of them";
  }
  if (scenario !== undefined && typeof scenario !== "string") {
    return "the scenario's name must be a string";
  }
  const kind = fault === undefined ? undefined : FAULTS.find((one) => one === String(fault));
  if (fault !== undefined && (kind === undefined || typeof fault === "object")) {
    const text = plain(JSON.stringify(fault));
    return `the fault ${text} is none of ${FAULTS.join(", ")}${didYouMean(String(fault), FAULTS)}`;
  }
  const delayMs = delay === undefined ? undefined : readDelay(delay);
  if (delay !== undefined && delayMs === undefined) {
    return `the delay ${
      JSON.stringify(delay)
    } is no duration such as "800ms" or "3s", of 24h at most`;
  }
  if (times !== undefined && !(Number.isSafeInteger(times) && Number(times) > 0)) {
    return "`times` must be a whole number above zero";
  }
  if (at !== undefined && typeof at !== "string") return "`at` must be a string";
  return {
    ...(scenario !== undefined && { scenario }),
    ...(kind !== undefined && { fault: kind }),
    ...(delayMs !== undefined && { delayMs }),
    ...(times !== undefined && { times: Number(times) }),
    ...(at !== undefined && { at }),
  };
}

function readDelay(delay: JsonValue): number | undefined {
  const nanoseconds = typeof delay === "string" ? parseDuration(delay) : undefined;
  if (nanoseconds === undefined) return undefined;
  const milliseconds = Number(nanoseconds) / 1e6;
  return milliseconds <= LONGEST_DELAY_MS ? milliseconds : undefined;
}
