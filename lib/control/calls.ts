import { basename, dirname, extname, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Fault } from "./overrides.ts";

/** Why a call was answered as it was. */
export type Why =
  | "forced"
  | "rule"
  | "default"
  | "invalid"
  | "unknown-tool"
  | "fault"
  | "error";

/** Who calls: what a session knows of its client. */
export interface Caller {
  readonly transport?: "http" | "sse" | "stdio";
  readonly session?: string;
  readonly client?: { readonly name: string; readonly version: string };
}

/** One call, as a line of the journal has it (docs/CLI.md, The journal). */
export interface Call extends Caller {
  /** Short, and unique among all servers of a project. */
  readonly id: string;
  /** When it came: RFC 3339 with milliseconds. */
  readonly time: string;
  readonly pid: number;
  readonly tool: string;
  /** Defaults applied, unless the call failed before. */
  readonly arguments?: JsonValue;
  readonly scenario?: string;
  readonly why?: Why;
  /** The rule that the arguments matched. */
  readonly rule?: JsonObject;
  readonly fault?: Fault;
  readonly delayMs?: number;
  /** What the client got. */
  readonly result?: JsonValue;
  readonly isError?: boolean;
  /** What was wrong, for the developer. */
  readonly problem?: string;
  /** From its coming to its end. */
  readonly ms?: number;
  /** Whether it still waited when this was written; another line of the same id tells the end. */
  readonly pending?: true;
  /** How long the JSON was, in characters or bytes, of which `arguments` holds the beginning, as a string. */
  readonly argumentsCutFrom?: number;
  /** The same of `result`, which is left out where there were too many calls at once. */
  readonly resultCutFrom?: number;
}

/** How often a follower looks for new lines. */
const POLL_MS = 200;

/** Where the older part of a journal is. */
export function olderPath(path: string): string {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}.1${extension}`);
}

/**
 * Reads a journal, its older part included. Lines that are not whole are passed over.
 *
 * @returns The calls in the order in which they were first written, each in its latest state.
 */
export function readCalls(path: string): Call[] {
  // In this order, lines that move to the older file meanwhile are read twice rather than missed.
  const [newer, older] = [path, olderPath(path)].map((file) => parseLines(readIfThere(file)));
  return mergeCalls([...older!, ...newer!]);
}

/**
 * Puts the lines of each call together.
 *
 * @returns One of each id, in the order of the first ones; an end outdoes a wait.
 */
export function mergeCalls(lines: readonly Call[]): Call[] {
  const calls = new Map<string, Call>();
  for (const line of lines) {
    if (!line.pending || !calls.has(line.id)) calls.set(line.id, line);
  }
  return [...calls.values()];
}

/**
 * Follows a journal while servers write it, also when it is cleared or begun anew.
 *
 * @yields First the lines that are there, then new ones, as often as is looked.
 */
export async function* followCalls(path: string, pollMs = POLL_MS): AsyncGenerator<Call[]> {
  let followed = openFollowed(path);
  let lines = parseLines(readIfThere(olderPath(path)));
  try {
    while (true) {
      if (followed !== undefined) lines.push(...readOn(followed));
      if (followed !== undefined && isReplaced(followed, path)) {
        // Something may have been written just before.
        lines.push(...readOn(followed));
        followed.file.close();
        followed = undefined;
      }
      if (followed === undefined && (followed = openFollowed(path)) !== undefined) continue;
      yield lines;
      lines = [];
      await new Promise((resume) => setTimeout(resume, pollMs));
    }
  } finally {
    followed?.file.close();
  }
}

/** A journal that is being followed. */
interface Followed {
  readonly file: Deno.FsFile;
  /** How much of it was read. */
  position: number;
  /** What was read of a line whose end has not come. */
  rest: string;
  decoder: TextDecoder;
}

function openFollowed(path: string): Followed | undefined {
  try {
    return { file: Deno.openSync(path), position: 0, rest: "", decoder: new TextDecoder() };
  } catch {
    return undefined;
  }
}

function readOn(followed: Followed): Call[] {
  const { file } = followed;
  const { size } = file.statSync();
  // It was emptied.
  if (size < followed.position) {
    Object.assign(followed, { position: 0, rest: "", decoder: new TextDecoder() });
    file.seekSync(0, Deno.SeekMode.Start);
  }
  const bytes = new Uint8Array(Math.max(0, size - followed.position));
  const read = bytes.length === 0 ? 0 : file.readSync(bytes) ?? 0;
  followed.position += read;
  const text = followed.rest +
    followed.decoder.decode(bytes.subarray(0, read), { stream: true });
  const end = text.lastIndexOf("\n") + 1;
  followed.rest = text.slice(end);
  return parseLines(text.slice(0, end));
}

/** Whether another file, or none, is in the place of the one that is followed. */
function isReplaced({ file, position }: Followed, path: string): boolean {
  try {
    const [there, here] = [Deno.statSync(path), file.statSync()];
    return there.ino !== here.ino || there.dev !== here.dev || there.size < position;
  } catch {
    return true;
  }
}

function parseLines(text: string): Call[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value = JSON.parse(line);
      const isCall = isJsonObject(value) && typeof value.id === "string" &&
        typeof value.tool === "string" && typeof value.time === "string";
      return isCall ? [value as unknown as Call] : [];
    } catch {
      return [];
    }
  });
}

function readIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
