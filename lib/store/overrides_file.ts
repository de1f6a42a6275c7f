import { dirname } from "node:path";
import type { JsonObject } from "../json.ts";
import { type Overrides, parseOverridesObject, readOverrides } from "../scenario/overrides.ts";

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
  let text = "";
  let overrides = NONE;
  return () => {
    const current = tryRead(path);
    if (current === undefined) return NONE;
    if (current !== text) {
      text = current;
      overrides = readOverrides(current);
    }
    return overrides;
  };
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new OverridesFileError(
      `${path} cannot be written: ${reason}\n` +
        `Make its folder writable, or name another file with --overrides.`,
    );
  }
}

/**
 * Writes beside the file and renames: readers see the old content or the new, never half. Where the
 * file is a symbolic link, what it points at is replaced and the link stays.
 */
function replaceFile(link: string, text: string): void {
  const path = realPathOf(link);
  const temporary = `${path}.${Deno.pid}.tmp`;
  try {
    Deno.writeTextFileSync(temporary, text);
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It may never have been made; the first error is the one to tell.
    }
    throw error;
  }
}

function realPathOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
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
