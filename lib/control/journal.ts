import { dirname } from "node:path";
import { reasonOf } from "../reason.ts";
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

/** JSON in parts of whole characters, some of them encoded already. */
export type JsonParts = readonly (string | Uint8Array)[];

/** A call to be written; its result is JSON already, and what is not known may be left undefined. */
export type WrittenCall =
  & Pick<Call, "id" | "time" | "pid" | "tool">
  & { readonly [Name in Exclude<keyof Call, "result">]?: Call[Name] | undefined }
  & { readonly result?: JsonParts | undefined };

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
 * @returns The journal.
 */
export function openJournal(path: string, note: (message: string) => void): Journal {
  const prefix = Date.now().toString(36) + Deno.pid.toString(36);
  let count = 0;
  let gathered: WrittenCall[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Bytes();
  const results = new Allowance(MOST_RESULTS);
  let writing: Promise<void> | undefined;
  let isTold = false;
  /** Whether a failed write may have left the half of a line. */
  let isTorn = false;

  const tell = (reason: string): void => {
    if (!isTold) note(`the journal ${path} is not written: ${reason}`);
    isTold = true;
  };
  const writeWaiting = async (): Promise<void> => {
    while (waiting.size > 0) {
      try {
        await append(path, waiting.take(isTorn ? "\n" : ""));
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
    for (const call of gathered) {
      if (waiting.size < MOST_WAITING) putLine(waiting, call, results);
      else tell("too many calls wait to be written");
    }
    gathered = [];
    if (waiting.size > 0) writing ??= writeWaiting();
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

/** Puts a line together of text and of what is UTF-8 already, which is not encoded again. */
class Bytes {
  private readonly encoder = new TextEncoder();
  private parts: Uint8Array[] = [];
  private text = "";
  private encoded = 0;

  /** How much is in it; of text the characters. */
  get size(): number {
    return this.encoded + this.text.length;
  }

  put(part: string | Uint8Array): void {
    if (typeof part === "string") {
      this.text += part;
      return;
    }
    this.encodeText();
    this.parts.push(part);
    this.encoded += part.length;
  }

  /** Empties it. */
  take(start: string): Uint8Array {
    this.encodeText();
    const all = [this.encoder.encode(start), ...this.parts];
    const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const part of all) {
      bytes.set(part, end);
      end += part.length;
    }
    this.parts = [];
    this.encoded = 0;
    return bytes;
  }

  private encodeText(): void {
    const bytes = this.encoder.encode(this.text);
    this.text = "";
    if (bytes.length === 0) return;
    this.parts.push(bytes);
    this.encoded += bytes.length;
  }
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

function putLine(bytes: Bytes, call: WrittenCall, results: Allowance): void {
  const { arguments: args, result, ...rest } = call;
  bytes.put(JSON.stringify(isShort(rest) ? rest : shortened(rest)).slice(0, -1));
  if (args !== undefined) putMember(bytes, "arguments", [JSON.stringify(args)]);
  if (result !== undefined) {
    const hasRoom = results.take(Math.min(lengthOf(result), MOST_TEXT));
    if (hasRoom) putMember(bytes, "result", result);
    else bytes.put(`,"resultCutFrom":${lengthOf(result)}`);
  }
  bytes.put("}\n");
}

function isShort({ tool, problem = "", client }: WrittenCall): boolean {
  const names = tool.length +
    (client === undefined ? 0 : client.name.length + client.version.length);
  return names <= MOST_NAME && problem.length <= MOST_TEXT;
}

function shortened(call: WrittenCall): WrittenCall {
  const { tool, problem, client } = call;
  return {
    ...call,
    tool: cut(tool, MOST_NAME),
    ...(problem !== undefined && { problem: cut(problem, MOST_TEXT) }),
    ...(client !== undefined && {
      client: { name: cut(client.name, MOST_NAME), version: cut(client.version, MOST_NAME) },
    }),
  };
}

/** A member that is JSON already; of what is too long the beginning, as a string. */
function putMember(bytes: Bytes, name: string, json: JsonParts): void {
  bytes.put(`,"${name}":`);
  const length = lengthOf(json);
  if (length <= MOST_TEXT) return json.forEach((part) => bytes.put(part));
  let beginning = "";
  for (const part of json) {
    const room = MOST_TEXT - beginning.length;
    if (room <= 0) break;
    const piece = part.slice(0, room);
    beginning += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  }
  bytes.put(`${JSON.stringify(beginning)},"${name}CutFrom":${length}`);
}

function lengthOf(json: JsonParts): number {
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
