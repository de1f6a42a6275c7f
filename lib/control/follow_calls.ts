import { type Call, LINE_END, olderPath, openIfThere, parseLines } from "./calls.ts";

/** How often a follower looks for new lines. */
const POLL_MS = 200;

/** What came since the last look. */
export interface News {
  /** The lines, in order; a call that waits has two. */
  readonly lines: Call[];
  /** How many came before those and were left out. */
  readonly skipped: number;
  /** Whether the journal was deleted or emptied first. */
  readonly cleared: boolean;
}

/** How much of the news a look takes: the newest lines up to both. */
export interface NewsLimit {
  readonly lines: number;
  readonly bytes: number;
}

const ALL: NewsLimit = { lines: Infinity, bytes: Infinity };

/** Follows a journal while servers write it, also when it is cleared or begun anew. */
export interface Follower {
  /** What came since the last look. Lines whose end has not come are left for the next. */
  look(limit?: NewsLimit): News;
  close(): void;
}

/**
 * Begins to follow a journal.
 *
 * @param from Whether the first look gives what is there now, or what comes from now on.
 */
export function followJournal(path: string, from: "start" | "end"): Follower {
  let followed = openFollowed(path);
  if (followed !== undefined && from === "end") followed.position = followed.file.statSync().size;
  return {
    look(limit = ALL) {
      const lines: Call[] = [];
      let skipped = 0;
      let cleared = false;
      const readOn = (): void => {
        const news = readFollowed(followed!, limit);
        lines.push(...news.lines);
        skipped += news.skipped;
        cleared ||= news.cleared;
      };
      if (followed !== undefined) readOn();
      const fate = followed && fateOf(followed, path);
      if (followed !== undefined && fate !== "kept") {
        // Something may have been written just before.
        readOn();
        followed.file.close();
        followed = undefined;
        cleared ||= fate === "deleted";
      }
      if (followed === undefined && (followed = openFollowed(path)) !== undefined) readOn();
      return { lines, skipped, cleared };
    },
    close: () => followed?.file.close(),
  };
}

/**
 * Follows a journal for as long as it is asked to.
 *
 * @yields First the lines that are there, then new ones, as often as is looked.
 */
export async function* followCalls(path: string, pollMs = POLL_MS): AsyncGenerator<Call[]> {
  const follower = followJournal(path, "start");
  let lines = olderLines(path);
  try {
    while (true) {
      yield [...lines, ...follower.look().lines];
      lines = [];
      await new Promise((resume) => setTimeout(resume, pollMs));
    }
  } finally {
    follower.close();
  }
}

function olderLines(path: string): Call[] {
  const older = openFollowed(olderPath(path));
  if (older === undefined) return [];
  using _closed = older.file;
  return readFollowed(older, ALL).lines;
}

/** A journal that is being followed. */
interface Followed {
  readonly file: Deno.FsFile;
  /** How much of it was read, which ends with a line. */
  position: number;
}

function openFollowed(path: string): Followed | undefined {
  try {
    const file = openIfThere(path);
    return file && { file, position: 0 };
  } catch {
    return undefined;
  }
}

function readFollowed(followed: Followed, limit: NewsLimit): News {
  const { file } = followed;
  const { size } = file.statSync();
  const cleared = size < followed.position;
  if (cleared) followed.position = 0;
  const bytes = new Uint8Array(size - followed.position);
  file.seekSync(followed.position, Deno.SeekMode.Start);
  const read = bytes.length === 0 ? 0 : file.readSync(bytes) ?? 0;
  const end = bytes.subarray(0, read).lastIndexOf(LINE_END) + 1;
  followed.position += end;
  const start = startOfNewest(bytes.subarray(0, end), limit);
  let skipped = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1 && at < start; skipped++) {
    at = bytes.indexOf(LINE_END, at + 1);
  }
  const lines = parseLines(new TextDecoder().decode(bytes.subarray(start, end)));
  return { lines, skipped, cleared };
}

/** Where the newest lines begin that are within the limit. */
function startOfNewest(bytes: Uint8Array, { lines, bytes: most }: NewsLimit): number {
  if (lines === Infinity && most === Infinity) return 0;
  let start = bytes.length;
  for (let count = 0; start > 0 && count < lines; count++) {
    const before = bytes.lastIndexOf(LINE_END, start - 2) + 1;
    if (bytes.length - before > most) break;
    start = before;
  }
  return start;
}

/** What became of the file that is followed: it is in its place, was set aside, or is gone. */
function fateOf({ file, position }: Followed, path: string): "kept" | "set aside" | "deleted" {
  const here = file.statSync();
  const isHere = (there: Deno.FileInfo): boolean =>
    there.ino === here.ino && there.dev === here.dev;
  try {
    const there = Deno.statSync(path);
    if (isHere(there) && there.size >= position) return "kept";
  } catch {
    // It is not in its place.
  }
  try {
    return isHere(Deno.statSync(olderPath(path))) ? "set aside" : "deleted";
  } catch {
    return "deleted";
  }
}
