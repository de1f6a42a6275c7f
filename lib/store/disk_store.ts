import { dirname } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { FixtureError } from "../fixture/problem.ts";
import { findToolFile, loadEach, problemsOf } from "./folder.ts";
import { type Reading, settled } from "./settled.ts";
import { isTrusted, sameStamp, type Stamp, stampOf } from "./stamp.ts";
import type { FixtureStore, FoundTool } from "./store.ts";

/** A file younger than this may still be in the middle of being saved. */
const FRESH_MS = 25;

/** What reading a tool's file gave. */
interface FileReading extends Reading {
  readonly outcome: Fixture | FixtureError;
  /** Whether every later edit is sure to give another stamp. */
  readonly trusted: boolean;
}

/**
 * A store over a folder that people edit while the server runs. Every call sees the file as it is:
 * its times and size are looked at each time, and it is read again unless nothing can have changed.
 *
 * @throws {FixtureError} When a file cannot be used at start.
 */
export function openDiskStore(directory: string): FixtureStore {
  let scenarioCount = 0;
  // A call reads its file anew, so the scenarios found now, most of a folder's memory, are let go.
  // So is the text they were cut from: a name cut from it would keep all of it, unlike one from JSON.
  const fixtures = loadEach(directory, ({ path, definition, scenarios }): FoundTool => {
    scenarioCount += scenarios.length;
    return { tool: definition.name, path, definition };
  });
  const movedTo = new Map<string, string>();
  const known = new Map<string, { fixture: Fixture; stamp: Stamp }>();

  /** Looks where the tool was at the start, then where it was found last, then everywhere. */
  const look = (tool: string): FileReading => {
    const home = fixtures.get(tool)!.path;
    const moved = movedTo.get(tool);
    const there = readFile(home, tool) ?? (moved && readFile(moved, tool));
    if (there) return there;
    const found = findToolFile(directory, tool);
    if (found !== undefined) movedTo.set(tool, found);
    return (found && readFile(found, tool)) || gone(home, tool);
  };

  return {
    fixtures,
    scenarioCount,
    read(tool) {
      const before = known.get(tool);
      if (before && sameStamp(stampOf(fixtures.get(tool)!.path), before.stamp)) {
        return before.fixture;
      }
      known.delete(tool);
      const use = ({ outcome, stamp, trusted }: FileReading): Fixture => {
        if (outcome instanceof FixtureError) throw outcome;
        if (trusted) known.set(tool, { fixture: outcome, stamp: stamp! });
        return outcome;
      };
      const reading = settled(() => look(tool));
      return reading instanceof Promise ? reading.then(use) : use(reading);
    },
  };
}

/** Reads a file; `undefined` when it is not there or defines another tool. */
function readFile(path: string, tool: string): FileReading | undefined {
  const now = Date.now();
  const stamp = stampOf(path);
  if (stamp === undefined) return undefined;
  let text: string | undefined;
  let outcome: Fixture | FixtureError;
  try {
    text = Deno.readTextFileSync(path);
    outcome = parseFixture(text, path);
  } catch (error) {
    outcome = new FixtureError(problemsOf(error, path));
  }
  if (!(outcome instanceof FixtureError) && outcome.tool !== tool) return undefined;
  // A time in the future says nothing, and waiting would not change that.
  const age = Date.now() - (stampOf(path)?.modified ?? 0);
  const whole = !(outcome instanceof FixtureError) && !(age >= 0 && age < FRESH_MS);
  return { text, stamp, whole, outcome, trusted: whole && isTrusted(stamp, now) };
}

function gone(path: string, tool: string): FileReading {
  const message =
    `the tool \`${tool}\` is not defined here any more, nor in another file; put it back`;
  return {
    text: undefined,
    stamp: stampOf(dirname(path)),
    whole: false,
    trusted: false,
    outcome: new FixtureError([{ path, line: 1, message }]),
  };
}
