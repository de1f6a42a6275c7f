import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { FixtureError } from "../fixture/problem.ts";
import { loadFolder, readFolder } from "./folder.ts";
import type { FixtureStore } from "./store.ts";

/** A file younger than this may still be in the middle of being saved. */
const SETTLING_MS = 25;
/** How long a call waits for a file to settle, in all. */
const PATIENCE_MS = 250;
const PAUSE_MS = 10;
/** The coarsest timestamps in use (FAT): within this time an edit may leave no trace. */
const COARSEST_TIMESTAMP_MS = 2_000;

/** What tells one state of a file from another. */
interface Stamp {
  readonly mtime: number;
  readonly ctime: number;
  readonly size: number;
  readonly inode: number;
}

/** A parsed file, and the state it was read in. */
interface Entry {
  readonly fixture: Fixture;
  readonly stamp: Stamp;
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
  const fixtures = loadFolder(directory);
  const entries = new Map<string, Entry>();
  const paths = new Map([...fixtures].map(([tool, { path }]) => [tool, path]));

  /** The file moved or went away: another file of the folder may hold the tool by now. */
  const findAgain = (tool: string): Fixture => {
    const path = paths.get(tool)!;
    const found = readFolder(directory).fixtures.get(tool);
    if (found === undefined) {
      const message = `gone, and no other file here defines the tool \`${tool}\``;
      throw new FixtureError([{ path, line: 1, message }]);
    }
    paths.set(tool, found.path);
    return found;
  };

  return {
    fixtures,
    read(tool) {
      const path = paths.get(tool)!;
      const known = entries.get(tool);
      const stamp = stampOf(path);
      if (stamp === undefined) return findAgain(tool);
      if (known?.trusted && sameStamp(known.stamp, stamp)) return known.fixture;
      return readSettled(path, tool).then((entry) => {
        entries.set(tool, entry);
        return entry.fixture;
      });
    },
  };
}

/** Reads a file when nobody is writing it, or after a while even so. */
async function readSettled(path: string, tool: string): Promise<Entry> {
  const deadline = Date.now() + PATIENCE_MS;
  while (true) {
    const before = stampOf(path);
    const started = Date.now();
    const outcome = attempt(path, tool);
    const after = stampOf(path);
    const age = before === undefined ? 0 : started - Math.max(before.mtime, before.ctime);
    // A time in the future says nothing, and waiting would not change that.
    const settling = age >= 0 && age < SETTLING_MS;
    const whole = before !== undefined && after !== undefined && sameStamp(before, after);
    if ((whole && !settling) || Date.now() > deadline) {
      if (outcome instanceof Error) throw outcome;
      return { fixture: outcome, stamp: before!, trusted: whole && isTrusted(before, age) };
    }
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
  }
}

function attempt(path: string, tool: string): Fixture | Error {
  try {
    const fixture = parseFixture(Deno.readTextFileSync(path), path);
    if (fixture.tool === tool) return fixture;
    const message = `defines the tool \`${fixture.tool}\` now; the server knows it as \`${tool}\``;
    return new FixtureError([{ path, line: 1, message }]);
  } catch (error) {
    if (error instanceof FixtureError) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new FixtureError([{ path, line: 1, message: `cannot be read: ${reason}` }]);
  }
}

/** Whether the file was old enough, for the grain of its timestamps, when it was read. */
function isTrusted({ mtime }: Stamp, age: number): boolean {
  const coarse = mtime % 1000 === 0;
  return age >= (coarse ? COARSEST_TIMESTAMP_MS : SETTLING_MS);
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
