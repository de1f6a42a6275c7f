import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { FixtureError } from "../fixture/problem.ts";
import { reasonOf } from "../reason.ts";
import { PATIENCE_MS, pause, SETTLING_MS } from "./_settling.ts";
import { findToolFile, loadEach } from "./folder.ts";
import type { FixtureStore, FoundTool } from "./store.ts";

/** The coarsest grain of modification times in use (FAT). */
const COARSE_MTIME_MS = 2_000;
/** The runtime tells the time of a file's last change of any kind in whole seconds. */
const CTIME_MS = 1_000;

/** What tells one state of a file from another. */
interface Stamp {
  readonly mtime: number;
  readonly ctime: number;
  readonly size: number;
  readonly inode: number;
}

/** What reading a file gave. */
interface Reading {
  /** The file's text, or why it cannot be read. */
  readonly text: string;
  readonly outcome: Fixture | FixtureError;
  readonly stamp: Stamp;
  /** Whether nobody was writing the file, as far as can be told. */
  readonly settled: boolean;
  /** Whether any later edit is sure to change the stamp. */
  readonly trusted: boolean;
}

/**
 * A store over a folder that people edit while the server runs. Every call sees the file as it is:
 * its metadata is looked at each time, and it is read again unless nothing can have changed.
 *
 * A file that is just being saved is given a moment to become whole, so that a call during a save
 * gets the old or the new answer rather than half of one.
 *
 * @param directory The folder.
 * @returns The store.
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
  const paths = new Map([...fixtures].map(([tool, { path }]) => [tool, path]));
  const known = new Map<string, { fixture: Fixture; stamp: Stamp }>();

  const readNow = async (tool: string): Promise<Fixture> => {
    const deadline = Date.now() + PATIENCE_MS;
    let before: Reading | undefined;
    while (true) {
      const late = Date.now() > deadline;
      const reading = readFile(paths.get(tool)!, tool) ?? search(tool);
      if (reading === undefined) {
        if (late) throw gone(paths.get(tool)!, tool);
      } else if (isBelievable(reading, before, late)) {
        const { outcome, stamp, trusted } = reading;
        if (outcome instanceof FixtureError) throw outcome;
        if (trusted) known.set(tool, { fixture: outcome, stamp });
        return outcome;
      } else if (late) {
        // Whatever was read of a file that changes all the time may be a part of it.
        throw restless(paths.get(tool)!);
      }
      before = reading;
      await pause();
    }
  };

  /** The file is gone or defines another tool: another one of the folder may hold this one now. */
  const search = (tool: string): Reading | undefined => {
    const path = findToolFile(directory, tool);
    if (path === undefined) return undefined;
    paths.set(tool, path);
    return readFile(path, tool);
  };

  return {
    fixtures,
    scenarioCount,
    read(tool) {
      const entry = known.get(tool);
      if (entry !== undefined) {
        const stamp = stampOf(paths.get(tool)!);
        if (stamp !== undefined && sameStamp(entry.stamp, stamp)) return entry.fixture;
        known.delete(tool);
      }
      return readNow(tool);
    },
  };
}

/**
 * Whether to answer by what was read. A fault is believed at the second look: a file that is being
 * truncated can be empty for a moment before its time tells.
 */
function isBelievable(reading: Reading, before: Reading | undefined, late: boolean): boolean {
  const usable = !(reading.outcome instanceof FixtureError);
  return (reading.settled && usable) ||
    ((reading.settled || late) && reading.text === before?.text);
}

/** Reads a file; `undefined` when it is not there or defines another tool. */
function readFile(path: string, tool: string): Reading | undefined {
  const stamp = stampOf(path);
  if (stamp === undefined) return undefined;
  const started = Date.now();
  const text = tryRead(path);
  const outcome = text instanceof FixtureError ? text : parseText(text, path);
  if (!(outcome instanceof FixtureError) && outcome.tool !== tool) return undefined;
  const after = stampOf(path);
  const whole = after !== undefined && sameStamp(stamp, after);
  const age = started - stamp.mtime;
  // A time in the future says nothing, and waiting would not change that.
  const settled = whole && !(age >= 0 && age < SETTLING_MS);
  const trusted = settled && isTrusted(stamp, started);
  return { text: String(text), outcome, stamp, settled, trusted };
}

function tryRead(path: string): string | FixtureError {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    return new FixtureError([{ path, line: 1, message: `cannot be read: ${reasonOf(error)}` }]);
  }
}

function parseText(text: string, path: string): Fixture | FixtureError {
  try {
    return parseFixture(text, path);
  } catch (error) {
    if (error instanceof FixtureError) return error;
    throw error;
  }
}

/** Whether every edit after the reading falls into another tick of the file's timestamps. */
function isTrusted({ mtime, ctime }: Stamp, started: number): boolean {
  const grain = mtime % 1000 === 0 ? COARSE_MTIME_MS : SETTLING_MS;
  return started - mtime >= grain && started - ctime >= CTIME_MS + SETTLING_MS;
}

function stampOf(path: string): Stamp | undefined {
  try {
    const { mtime, ctime, size, ino } = Deno.statSync(path);
    return {
      mtime: mtime?.getTime() ?? Number.NaN,
      ctime: ctime?.getTime() ?? mtime?.getTime() ?? Number.NaN,
      size,
      inode: ino ?? 0,
    };
  } catch {
    return undefined;
  }
}

/** A stamp without times (`NaN`) equals none, not even itself: such a file is always read. */
function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.mtime === b.mtime && a.ctime === b.ctime && a.size === b.size && a.inode === b.inode;
}

function gone(path: string, tool: string): FixtureError {
  const message =
    `the tool \`${tool}\` is not defined here any more, nor in another file; put it back`;
  return new FixtureError([{ path, line: 1, message }]);
}

function restless(path: string): FixtureError {
  const message = `is being written again and again; it is read when it has been left alone`;
  return new FixtureError([{ path, line: 1, message }]);
}
