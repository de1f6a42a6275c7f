import type { Fixture } from "../fixture/fixture.ts";
import { count, plain } from "../plain.ts";
import { findScenario } from "../scenario/select.ts";
import type { Call } from "./calls.ts";
import {
  ANY_REQUEST,
  ANY_TOOL,
  type Entry,
  type Overrides,
  type OverridesProblem,
  type Step,
  stepAt,
} from "./overrides.ts";

/**
 * Says what an entry of the overrides file does: `preparing, on-the-way`, `fault 503 (2 times)`.
 *
 * @param fixture The tool's fixture, where there is one; names are shown as it has them.
 */
export function entryText({ steps }: Entry, fixture?: Fixture): string {
  return steps.map((step) => stepText(step, fixture)).join(", ");
}

function stepText({ scenario, fault, delayMs, times }: Step, fixture?: Fixture): string {
  const answer = scenario !== undefined
    ? plain((fixture && findScenario(fixture, scenario)?.name) ?? scenario)
    : fault === undefined
    ? "by arguments"
    : `fault ${fault}`;
  const delay = delayMs === undefined ? "" : ` after ${delayText(delayMs)}`;
  return `${answer}${delay}${times === undefined ? "" : ` (${count(times, "time")})`}`;
}

/** Writes a delay as the file has it: `800ms`, `3s`. */
export function delayText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds}ms` : `${milliseconds / 1000}s`;
}

/**
 * Whether an entry changes anything.
 *
 * @param fixture The tool's fixture, where there is one: a scenario that it does not have is none.
 */
export function isForcing(entry: Entry | undefined, fixture?: Fixture): entry is Entry {
  return entry?.steps.some(({ scenario, fault, delayMs }) =>
    fault !== undefined || delayMs !== undefined ||
    (scenario !== undefined &&
      (fixture === undefined || findScenario(fixture, scenario) !== undefined))
  ) ?? false;
}

/** Words a problem of the overrides file. */
export function problemText(path: string, { key, message }: OverridesProblem): string {
  return key === undefined ? `${path} ${message}` : `${path}: ${message}`;
}

/** Since when calls count for an entry; `undefined` where none does, or nothing tells. */
export function countedSince(key: string, { steps }: Entry): string | undefined {
  return key === ANY_REQUEST ? undefined : steps.find(({ at }) => at !== undefined)?.at;
}

/**
 * Says how far a server is in an entry that counts, as far as the journal tells: `1 call so far`.
 *
 * @param journal The calls since {@linkcode countedSince}, or more, the oldest first.
 * @returns The words, or "" where nothing counts, or where it is not known since when.
 */
export function progressText(
  key: string,
  entry: Entry,
  overrides: Overrides,
  journal: readonly Call[],
): string {
  const since = countedSince(key, entry);
  if (since === undefined) return "";
  const obeys = ({ tool }: Call): boolean =>
    key === ANY_TOOL ? !overrides.entries.has(tool) : tool === key;
  const calls = journal.filter((call) => call.time >= since && obeys(call));
  // Each server counts for itself; the one that was called last is shown.
  const pid = calls.at(-1)?.pid;
  const made = calls.filter((call) => call.pid === pid).length;
  const { times: _times, ...next } = stepAt(entry.steps, made);
  return `${count(made, "call")} so far; next: ${stepText(next)}`;
}
