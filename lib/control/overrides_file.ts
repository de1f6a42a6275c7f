import { dirname } from "node:path";
import type { JsonObject } from "../json.ts";
import { reasonOf } from "../reason.ts";
import { type Overrides, parseOverridesObject, readOverrides } from "./overrides.ts";
import { exists } from "../store/exists.ts";
import { replaceFile } from "../store/replace_file.ts";
import { PATIENCE_MS, pause, SETTLING_MS } from "../store/_settling.ts";

const NONE: Overrides = new Map();

/** The overrides file cannot be changed; the message says why and what to do. */
export class OverridesFileError extends Error {
  override readonly name = "OverridesFileError";
}

/**
 * Makes a reader that looks at the overrides file anew each time it is called (BUILD.md §6). A
 * missing, unreadable or invalid file means "no overrides".
 *
 * @param path The file.
 * @returns The reader.
 */
export function overridesReader(path: string): () => Overrides {
  const read = foundReader(path);
  return () => {
    const found = read();
    return typeof found === "string" ? NONE : found;
  };
}

/**
 * Makes a reader like that of {@linkcode overridesReader} for calls: a file that is just being saved
 * is given a moment to become whole, so that a call during a save obeys the old or the new text.
 *
 * @param path The file.
 * @returns The reader.
 */
export function patientOverridesReader(path: string): () => Overrides | Promise<Overrides> {
  const read = foundReader(path);
  const folder = dirname(path);
  /** What tells whether anything has happened: the file, or where there is none, its folder. */
  const witness = (found: "missing" | "unusable") => found === "missing" ? folder : path;

  // How that looked when the file was found to be no overrides for good.
  const first = read();
  let none = typeof first === "string" ? stampOf(witness(first)) : undefined;
  const readSettled = async (seen: "missing" | "unusable"): Promise<Overrides> => {
    const deadline = Date.now() + PATIENCE_MS;
    let before = stampOf(witness(seen));
    while (true) {
      await pause();
      const found = read();
      if (typeof found !== "string") return found;
      const stamp = stampOf(witness(found));
      const age = Date.now() - stamp.modified;
      if (sameStamp(stamp, before) && !(age >= 0 && age < SETTLING_MS)) {
        none = stamp;
        return NONE;
      }
      if (Date.now() > deadline) return NONE;
      before = stamp;
    }
  };
  return () => {
    const found = read();
    // The beginning of a JSON object is none, so what can be used is whole.
    if (typeof found !== "string") return found;
    return none !== undefined && isStill(none, witness(found)) ? NONE : readSettled(found);
  };
}

/** Makes a reader that tells a file which is missing from one which holds no JSON object. */
function foundReader(path: string): () => Overrides | "missing" | "unusable" {
  let text: string | undefined;
  let known: Overrides | "unusable" = "unusable";
  return () => {
    // Every call asks, and mostly there is no file: to hear that from an error takes ten times as long.
    if (!exists(path)) return "missing";
    const current = tryRead(path);
    if (current === undefined) return "unusable";
    if (current !== text) {
      text = current;
      known = parseOverridesObject(text) ? readOverrides(text) : "unusable";
    }
    return known;
  };
}

/** What tells one state of a file or folder from another. */
interface Stamp {
  readonly modified: number;
  readonly size: number;
}

/** The stamp of what is not there. */
const NOTHING: Stamp = { modified: 0, size: 0 };

function stampOf(path: string): Stamp {
  try {
    const { mtime, size } = Deno.statSync(path);
    return { modified: mtime?.getTime() ?? 0, size };
  } catch {
    return NOTHING;
  }
}

/** Whether a file or folder is as it was. */
function isStill(stamp: Stamp, path: string): boolean {
  return stamp === NOTHING ? !exists(path) : sameStamp(stamp, stampOf(path));
}

function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.modified === b.modified && a.size === b.size;
}

/**
 * Changes the overrides file: reads it, lets `change` edit the entries, writes the result to a
 * temporary file and renames that over it. A lock beside the file lets concurrent writers wait for
 * each other, so none loses what another wrote. The folder is created if missing.
 *
 * @param path The file.
 * @param change Edits the entries in place.
 * @throws {OverridesFileError} When the file holds anything but a JSON object, which is left as it
 * is, or when it cannot be written, in which case the old content stays.
 */
export function changeOverrides(path: string, change: (entries: JsonObject) => void): void {
  try {
    Deno.mkdirSync(dirname(path), { recursive: true });
    using lock = Deno.openSync(`${path}.lock`, { create: true, write: true });
    lock.lockSync(true);
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
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function tryRead(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
