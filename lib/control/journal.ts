import { dirname } from "node:path";
import { reasonOf } from "../reason.ts";
import { encode, type WireJson } from "../wire_json.ts";
import { type Call, olderPath } from "./calls.ts";

/**
 * How long calls are gathered before they are put into lines and written. One by one, that would
 * come before the answer, and take a tenth of what 32 clients can call.
 */
const GATHERING_MS = 20;
/** A file that has grown to this is set aside. */
const MOST_BYTES = 8 * 1024 * 1024;
/** The most of arguments, of a result or of a problem that is written, in characters or bytes. */
const MOST_TEXT = 64 * 1024;
/** The most characters of a name. */
const MOST_NAME = 2_000;
/** So many bytes of results may come at once, and so many in a second; more are left out. */
const MOST_RESULTS = 2 * 1024 * 1024;
/** What comes while so many bytes wait to be written is lost: the disk may take any time. */
const MOST_WAITING = 4 * 1024 * 1024;

/** A call to be written; what is not known may be left undefined. */
export type WrittenCall =
  & Pick<Call, "id" | "time" | "pid" | "tool">
  & { readonly [Name in Exclude<keyof Call, "result">]?: Call[Name] | undefined };

/** Where a server writes down what it was called with. Nothing here waits, and nothing fails. */
export interface Journal {
  /** An id for a new call. */
  id(): string;

  /** Takes one line; neither the call nor its result may be changed afterwards. */
  write(call: WrittenCall, result?: WireJson): void;

  /** Waits until all lines are written, or for so many milliseconds. */
  flush(patienceMs: number): Promise<void>;
}

/**
 * Opens a journal of calls, one JSON object a line, which several servers may write at once: lines
 * are added with one write of whole ones, so none is torn. A file of 8 MB becomes `calls.1.jsonl`.
 *
 * Lines are written aside, some milliseconds after the call, so that no answer waits for the disk.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readCalls } from "./calls.ts";
 * import { openJournal } from "./journal.ts";
 *
 * const path = `${Deno.makeTempDirSync()}/calls.jsonl`;
 * const journal = openJournal(path, assert.fail);
 * journal.write({ id: journal.id(), time: new Date().toISOString(), pid: Deno.pid, tool: "ride_book" });
 * await journal.flush(1000);
 * assert(readCalls(path)[0]?.tool === "ride_book");
 * ```
 *
 * @param path The file; its folder is created if missing.
 * @param note Is told, once, when the file cannot be written to.
 */
export function openJournal(path: string, note: (message: string) => void): Journal {
  const prefix = Date.now().toString(36) + Deno.pid.toString(36);
  let count = 0;
  let gathered: { readonly call: WrittenCall; readonly result: WireJson | undefined }[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: (string | Uint8Array)[] = [];
  let waitingSize = 0;
  const results = new Allowance(MOST_RESULTS);
  let writing: Promise<void> | undefined;
  let isTold = false;
  /** Whether a failed write may have left the half of a line. */
  let isTorn = false;

  const tell = (reason: string): void => {
    if (!isTold) note(`the journal ${path} is not written: ${reason}`);
    isTold = true;
  };
  const wait = (part: string | Uint8Array): void => {
    waitingSize += part.length;
    const last = waiting.length - 1;
    // Texts are encoded together, which is faster.
    if (typeof part === "string" && typeof waiting[last] === "string") waiting[last] += part;
    else waiting.push(part);
  };
  const writeWaiting = async (): Promise<void> => {
    while (waitingSize > 0) {
      const bytes = encode([isTorn ? "\n" : "", ...waiting]);
      waiting = [];
      waitingSize = 0;
      try {
        await append(path, bytes);
        isTorn = false;
      } catch (error) {
        tell(reasonOf(error));
        isTorn = true;
      }
    }
    writing = undefined;
  };
  const endGathering = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const { call, result } of gathered) {
      if (waitingSize < MOST_WAITING) lineOf(call, result, results).forEach(wait);
      else tell("too many calls wait to be written");
    }
    gathered = [];
    if (waitingSize > 0) writing ??= writeWaiting();
  };

  return {
    id: () => `${prefix}-${(++count).toString(36)}`,
    write(call, result) {
      gathered.push({ call, result });
      timer ??= setTimeout(endGathering, GATHERING_MS);
    },
    async flush(patienceMs) {
      endGathering();
      let patience: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => patience = setTimeout(resolve, patienceMs));
      await Promise.race([writing, late]);
      clearTimeout(patience);
    },
  };
}

/** So much at once, and so much in a second. */
class Allowance {
  private left: number;
  private since = performance.now();

  constructor(private readonly most: number) {
    this.left = most;
  }

  /** Takes some of it, if there is as much. */
  take(amount: number): boolean {
    const now = performance.now();
    this.left = Math.min(this.most, this.left + this.most * (now - this.since) / 1000);
    this.since = now;
    if (amount > this.left) return false;
    this.left -= amount;
    return true;
  }
}

/** A line of the journal, in parts. */
function lineOf(call: WrittenCall, result: WireJson | undefined, results: Allowance): WireJson {
  const whole = JSON.stringify(call);
  const known = whole.length <= MOST_TEXT ? whole : JSON.stringify(shortened(call));
  const start = known.slice(0, -1);
  if (result === undefined) return [start, "}\n"];
  const length = lengthOf(result);
  if (!results.take(Math.min(length, MOST_TEXT))) return [start, `,"resultCutFrom":${length}}\n`];
  if (length <= MOST_TEXT) return [start, ',"result":', ...result, "}\n"];
  const beginning = JSON.stringify(beginningOf(result));
  return [start, `,"result":${beginning},"resultCutFrom":${length}}\n`];
}

function shortened(call: WrittenCall): object {
  const { tool, problem, client, arguments: args } = call;
  const json = JSON.stringify(args) ?? "";
  return {
    ...call,
    tool: cut(tool, MOST_NAME),
    client: client &&
      { name: cut(client.name, MOST_NAME), version: cut(client.version, MOST_NAME) },
    problem: problem && cut(problem, MOST_TEXT),
    ...(json.length > MOST_TEXT && {
      arguments: json.slice(0, MOST_TEXT),
      argumentsCutFrom: json.length,
    }),
  };
}

/** The beginning of what is too long. */
function beginningOf(json: WireJson): string {
  let beginning = "";
  for (const part of json) {
    const piece = part.slice(0, MOST_TEXT - beginning.length);
    beginning += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  }
  return beginning;
}

function lengthOf(json: WireJson): number {
  return json.reduce((sum, { length }) => sum + length, 0);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** Adds to the file at a path. It is closed in between: others clear it, and may unmount its disk. */
async function append(path: string, bytes: Uint8Array): Promise<void> {
  const there = statIfThere(path);
  // To open a pipe might take for ever.
  if (there !== undefined && !there.isFile) throw new Error("it is no file");
  if (there !== undefined && there.size >= MOST_BYTES) await setAside(path);
  using file = await openFile(path);
  if (await file.write(bytes) < bytes.length) throw new Error("no space is left on the device");
}

/** Opens the file to add to it. What it holds is for the person alone who runs the server. */
async function openFile(path: string): Promise<Deno.FsFile> {
  const options = { append: true, create: true, mode: 0o600 };
  try {
    return await Deno.open(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await Deno.mkdir(dirname(path), { recursive: true });
    return await Deno.open(path, options);
  }
}

/** Sets a full file aside. Of two servers that do this at once, the second finds it done. */
async function setAside(path: string): Promise<void> {
  try {
    using lock = await Deno.open(`${path}.lock`, { create: true, write: true, mode: 0o600 });
    await lock.lock(true);
    const there = statIfThere(path);
    if (there !== undefined && there.size >= MOST_BYTES) await Deno.rename(path, olderPath(path));
  } catch {
    // Then the file grows on, and the next line tries again.
  }
}

function statIfThere(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
