import { dirname, resolve } from "node:path";

/** How many symbolic links may lead on to another, as in Linux. */
const MOST_LINKS = 40;

/**
 * Writes a file whole: beside its place first, then renamed over it, so that a reader sees the old
 * content or the new and a failure leaves the old. Through a symbolic link it writes the file the
 * link leads to. The file keeps its permissions. Folders are made as needed.
 *
 * @throws {Error} When it cannot be written, in the system's words.
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const target = destinationOf(path);
  // Whoever else can write to the folder could put a link under a name that can be guessed.
  const temporary = `${target}.${crypto.randomUUID()}.tmp`;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  Deno.mkdirSync(dirname(target), { recursive: true });
  try {
    Deno.writeFileSync(temporary, bytes, { createNew: true });
    keepMode(target, temporary);
    Deno.renameSync(temporary, target);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It may never have been made; the first error is the one to tell.
    }
    // A file that is mounted by itself, as in containers, can be overwritten but not replaced.
    if ((error as { code?: unknown }).code !== "EBUSY") throw error;
    Deno.writeFileSync(target, bytes);
  }
}

/** Where a path leads through symbolic links, also if nothing is there yet. */
function destinationOf(path: string): string {
  let destination = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const next = linkAt(destination);
    if (next === undefined) return destination;
    destination = resolve(realFolder(dirname(destination)), next);
  }
  throw new Error(`Too many levels of symbolic links: ${path}`);
}

/** From where a relative link leads: `..` is the folder above the real one. */
function realFolder(folder: string): string {
  try {
    return Deno.realPathSync(folder);
  } catch {
    return folder;
  }
}

function linkAt(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}

/** Gives a new file the permissions of the one whose place it takes. */
function keepMode(target: string, temporary: string): void {
  if (Deno.build.os === "windows") return;
  let mode;
  try {
    mode = Deno.statSync(target).mode;
  } catch {
    // There is none.
  }
  if (mode) Deno.chmodSync(temporary, mode & 0o777);
}
