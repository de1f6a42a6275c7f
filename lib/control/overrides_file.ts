import { dirname } from "node:path";
import type { JsonObject } from "../json.ts";
import { reasonOf } from "../reason.ts";
import { replaceFile } from "../store/replace_file.ts";
import { stampOf } from "../store/stamp.ts";
import { type Reading, settled } from "../store/settled.ts";
import { NO_OVERRIDES, type Overrides, parseOverrides, parseOverridesObject } from "./overrides.ts";

/** How long a change waits for another to end. */
const LOCK_PATIENCE_MS = 5_000;

/** After so many looks a server has started, and what makes the next ones cheap may take its time. */
const LOOKS_OF_START = 20;

/** The overrides file cannot be changed; the message says why and what to do. */
export class OverridesFileError extends Error {
  override readonly name = "OverridesFileError";
}

/** What reading the file gave. */
interface OverridesReading extends Reading {
  readonly overrides: Overrides;
}

/**
 * Reads the overrides file once. A file that is not there forces nothing; one that cannot be used
 * forces nothing either, and says so as a problem.
 *
 * @param path The file.
 * @returns What it comes to.
 */
export function readOverrides(path: string): Overrides {
  return read(path).overrides;
}

/**
 * Makes a reader for calls, which looks at the overrides file anew each time it is called. A file
 * that is just being saved is given a moment, so that a call obeys the old text or the new one.
 *
 * @param path The file.
 * @returns The reader; it returns the same object as long as the file's text is the same.
 */
export function overridesReader(path: string): () => Overrides | Promise<Overrides> {
  let known = read(path);
  let looks = 0;
  const look = (): OverridesReading => {
    const now = read(path, known);
    // What was there before is no save in progress.
    return now.text === known.text ? { ...known, whole: true } : now;
  };
  const use = (reading: OverridesReading): Overrides => {
    known = reading;
    return reading.overrides;
  };
  /** Mostly there is no file, and to hear that from an error takes a fifth of a call. */
  const isMissing = (): boolean => ++looks > LOOKS_OF_START && !fs().existsSync(path);
  return () => {
    if (known.text === undefined && isMissing()) return NO_OVERRIDES;
    const reading = settled(look);
    return reading instanceof Promise ? reading.then(use) : use(reading);
  };
}

/** The runtime makes this module in some 10 ms, which no start waits for. */
function fs(): typeof import("node:fs") {
  // deno-lint-ignore no-process-global -- to import it would load it at the start, too
  return process.getBuiltinModule("node:fs");
}

function read(path: string, known?: OverridesReading): OverridesReading {
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      const stamp = stampOf(dirname(path));
      return { text: undefined, stamp, whole: false, overrides: NO_OVERRIDES };
    }
    const message = `cannot be read, so nothing is forced: ${reasonOf(error)}`;
    const overrides = { entries: new Map(), problems: [{ message }] };
    return { text: message, stamp: stampOf(path), whole: false, overrides };
  }
  if (text === known?.text) return known;
  const overrides = parseOverrides(text);
  // The beginning of a JSON object is none, so what can be used is whole.
  const whole = overrides !== NO_OVERRIDES &&
    overrides.problems.every(({ key }) => key !== undefined);
  return { text, stamp: whole ? undefined : stampOf(path), whole, overrides };
}

/** Whoever reads a pipe waits for its writer, who may never come. */
function readRegularFile(path: string): string {
  if (isSpecial(path)) throw new Error("it is a pipe or a device, and no file");
  return Deno.readTextFileSync(path);
}

function isSpecial(path: string): boolean {
  const { isFile, isDirectory } = Deno.statSync(path);
  return !isFile && !isDirectory;
}

/**
 * Changes the overrides file: reads it, lets `change` edit the entries, and writes the result whole.
 * A lock beside the file lets concurrent writers wait for each other, so none loses what another
 * wrote. The folder is created if missing.
 *
 * @param path The file.
 * @param change Edits the entries in place.
 * @param warn Is told when the change has to do without a lock.
 * @throws {OverridesFileError} When the file holds anything but a JSON object, which is left as it
 * is, or when it cannot be written, in which case the old content stays.
 */
export async function changeOverrides(
  path: string,
  change: (entries: JsonObject) => void,
  warn: (message: string) => void = () => {},
): Promise<void> {
  try {
    Deno.mkdirSync(dirname(path), { recursive: true });
    using _lock = await lockBeside(path, warn);
    const text = readIfThere(path);
    const entries = text.trim() === "" ? {} : parseOverridesObject(text);
    if (entries === undefined) {
      throw new OverridesFileError(
        `${path} is not a JSON object, so it was left as it is.\n` +
          `Mend it, or delete it to start afresh.`,
      );
    }
    change(entries);
    replaceFile(path, `${JSON.stringify(entries, null, 2)}\n`);
  } catch (error) {
    if (error instanceof OverridesFileError) throw error;
    throw new OverridesFileError(
      `${path} cannot be written: ${reasonOf(error)}.\n` +
        `Mend that, or name another file with --overrides.`,
    );
  }
}

/** A file that is there and cannot be read is an error: writing would lose what it holds. */
function readIfThere(path: string): string {
  try {
    return readRegularFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Locks a file beside the overrides; `undefined` where locks are not to be had. */
async function lockBeside(
  path: string,
  warn: (message: string) => void,
): Promise<Deno.FsFile | undefined> {
  const lockPath = `${path}.lock`;
  const file = openLock(lockPath);
  if (file === undefined) return undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    patience = setTimeout(() => resolve("late"), LOCK_PATIENCE_MS);
  });
  const locked = file.lock(true);
  try {
    if (await Promise.race([locked, late]) === "late") {
      // It may get the lock yet, and must let it go then.
      locked.catch(() => {}).finally(() => file.close());
      throw new OverridesFileError(heldLock(path, lockPath));
    }
    file.truncateSync();
    file.writeSync(new TextEncoder().encode(String(Deno.pid)));
    return file;
  } catch (error) {
    if (error instanceof OverridesFileError) throw error;
    file.close();
    // Some network file systems have no locks; what two writers do at once may be lost there.
    warn(`${lockPath} cannot be locked (${reasonOf(error)}), so change one thing at a time.`);
    return undefined;
  } finally {
    clearTimeout(patience);
  }
}

function openLock(lockPath: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(lockPath, { create: true, write: true });
  } catch (error) {
    const owner = ownerOf(lockPath);
    // In a folder that cannot be written to, the file itself may be one that can.
    if (owner === undefined) return undefined;
    throw new OverridesFileError(
      `${lockPath}${owner} cannot be opened: ${reasonOf(error)}.\n` +
        "Delete it, or name another file with --overrides.",
    );
  }
}

/** To whom a file belongs, in words; `undefined` when there is none. */
function ownerOf(path: string): string | undefined {
  try {
    const { uid } = Deno.statSync(path);
    return uid === null ? "" : `, which belongs to the user ${uid},`;
  } catch {
    return undefined;
  }
}

/** Whoever has the lock wrote its process into it, which other systems let nobody read. */
function heldLock(path: string, lockPath: string): string {
  let holder = "another program";
  try {
    const pid = Deno.readTextFileSync(lockPath);
    if (/^\d+$/.test(pid)) holder = `the process ${pid}`;
  } catch {
    // It stays unnamed.
  }
  return `${path} was not changed: ${holder} has held ${lockPath} for ` +
    `${LOCK_PATIENCE_MS / 1000} seconds.\nEnd that, and try again.`;
}
