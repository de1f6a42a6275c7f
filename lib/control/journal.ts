import { dirname } from "node:path";
import { reasonOf } from "../reason.ts";
import { type Call, olderPath } from "./calls.ts";

/** How long lines are gathered: a write takes longer than a call, and an answer goes first. */
const GATHERING_MS = 10;
/** A file that has grown to this is set aside. */
const MOST_BYTES = 8 * 1024 * 1024;
/** The most characters of arguments, of a result or of a problem that are written. */
const MOST_TEXT = 64 * 1024;
/** The most characters of a name. */
const MOST_NAME = 2_000;
/** From so many characters on that wait to be written, results are left out. */
const MUCH_WAITING = 1024 * 1024;
/** What comes when so many wait is lost: nobody can say how long the disk will take. */
const MOST_WAITING = 4 * MUCH_WAITING;

/** A call to be written; its result is JSON already, as text or as UTF-8. */
export type WrittenCall = Omit<Call, "result"> & { readonly result?: string | Uint8Array };

/** Where a server writes down what it was called with. Nothing here waits, and nothing fails. */
export interface Journal {
  /** An id for a new call. */
  id(): string;

  /** Takes one line. */
  write(call: WrittenCall): void;

  /** Waits until all lines are written, or for so many milliseconds. */
  flush(patienceMs: number): Promise<void>;
}

/**
 * Opens a journal of calls, one JSON object a line, which several servers may write at once: lines
 * are added with one write of whole ones, so none is torn. A file of 8 MB becomes `calls.1.jsonl`.
 *
 * Lines are made and written some milliseconds after the call, so that no answer waits for them.
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
 * @returns The journal.
 */
export function openJournal(path: string, note: (message: string) => void): Journal {
  const prefix = Date.now().toString(36) + Deno.pid.toString(36);
  let count = 0;
  let gathered: WrittenCall[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting = "";
  let writing: Promise<void> | undefined;
  let isTold = false;
  /** What a failed write left may be the half of a line, which this ends. */
  let start = "";

  const tell = (reason: string): void => {
    if (!isTold) note(`the journal ${path} is not written: ${reason}`);
    isTold = true;
  };
  const writeWaiting = async (): Promise<void> => {
    while (waiting !== "") {
      const text = start + waiting;
      waiting = "";
      try {
        await append(path, text);
        start = "";
      } catch (error) {
        tell(reasonOf(error));
        start = "\n";
      }
    }
    writing = undefined;
  };
  const endGathering = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const call of gathered) {
      if (waiting.length < MOST_WAITING) waiting += lineOf(call, waiting.length < MUCH_WAITING);
      else tell("too many calls wait to be written");
    }
    gathered = [];
    if (waiting !== "") writing ??= writeWaiting();
  };

  return {
    id: () => `${prefix}-${(++count).toString(36)}`,
    write(call) {
      gathered.push(call);
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

/** Writes a call's line, without its result where there is no room. */
function lineOf(call: WrittenCall, hasRoom: boolean): string {
  const { arguments: args, result, tool, problem, client, ...rest } = call;
  const head = JSON.stringify({
    ...rest,
    ...(client !== undefined && {
      client: { name: cut(client.name, MOST_NAME), version: cut(client.version, MOST_NAME) },
    }),
    tool: cut(tool, MOST_NAME),
    ...(problem !== undefined && { problem: cut(problem, MOST_TEXT) }),
  });
  const parts = [
    ...(args === undefined ? [] : bounded("arguments", JSON.stringify(args))),
    ...(result === undefined
      ? []
      : hasRoom
      ? bounded("result", result)
      : [`"resultCutFrom":${result.length}`]),
  ];
  return `${[head.slice(0, -1), ...parts].join(",")}}\n`;
}

/** A member that is JSON already; of what is too long the beginning, as a string. */
function bounded(name: string, json: string | Uint8Array): string[] {
  const beginning = json.slice(0, MOST_TEXT);
  const text = typeof beginning === "string" ? beginning : new TextDecoder().decode(beginning);
  if (json.length <= MOST_TEXT) return [`"${name}":${text}`];
  return [`"${name}":${JSON.stringify(text)}`, `"${name}CutFrom":${json.length}`];
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

async function append(path: string, text: string): Promise<void> {
  const there = await statIfThere(path);
  if (there !== undefined && !there.isFile) throw new Error("it is no file");
  if (there !== undefined && there.size >= MOST_BYTES) await setAside(path);
  try {
    // What it holds is for the person alone who runs the server.
    await Deno.writeTextFile(path, text, { append: true, ...(!there && { mode: 0o600 }) });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { append: true, mode: 0o600 });
  }
}

/** Makes room for a new file. Of two servers that do this at once, the second finds it done. */
async function setAside(path: string): Promise<void> {
  try {
    using lock = await Deno.open(`${path}.lock`, { create: true, write: true, mode: 0o600 });
    await lock.lock(true);
    const there = await statIfThere(path);
    if (there !== undefined && there.size >= MOST_BYTES) await Deno.rename(path, olderPath(path));
  } catch {
    // Then the file grows on, and the next line tries again.
  }
}

async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
