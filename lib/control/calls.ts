import { basename, dirname, extname, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { reasonOf } from "../reason.ts";
import { Refusal } from "../refusal.ts";
import { isWaiting } from "./open_call.ts";
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

/** What ends a line of a journal. */
export const LINE_END = "\n".charCodeAt(0);

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
  return [...newestCalls(path)].reverse();
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
 * Reads a journal from its end, as much of it as is asked for.
 *
 * @param part Only lines that hold this are looked at.
 * @yields The calls of {@linkcode readCalls}, the newest first.
 */
export function* newestCalls(path: string, part = ""): Generator<Call> {
  /** Ends of calls that waited; each has its place where the wait began. */
  const ended = new Map<string, Call>();
  const seen = new Set<string>();
  for (const file of [path, olderPath(path)]) {
    for (const json of newestLines(file)) {
      const line = json.includes(part) ? parseLine(json) : undefined;
      // Lines that move to the older file meanwhile are read twice.
      if (line === undefined || seen.has(line.id)) continue;
      if (!line.pending && isWaiting(line)) {
        ended.set(line.id, line);
        continue;
      }
      seen.add(line.id);
      yield ended.get(line.id) ?? line;
      ended.delete(line.id);
    }
  }
  // Where a wait began is not in the journal any more.
  yield* [...ended.values()];
}

/** Opens a journal; `undefined` where there is no file. To open a pipe might take for ever. */
export function openIfThere(path: string): Deno.FsFile | undefined {
  try {
    return Deno.statSync(path).isFile ? Deno.openSync(path) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** How much of a file is read at a time, in bytes. */
const CHUNK = 256 * 1024;

/** The lines of a file, the last one first; none where there is no file. */
function* newestLines(path: string): Generator<string> {
  using file = openIfThere(path);
  if (file === undefined) return;
  /** The beginning of what was read, which may be the end of a line. */
  let rest = new Uint8Array();
  for (let end = file.statSync().size; end > 0;) {
    const start = Math.max(0, end - CHUNK);
    const bytes = new Uint8Array(end - start + rest.length);
    file.seekSync(start, Deno.SeekMode.Start);
    file.readSync(bytes.subarray(0, end - start));
    bytes.set(rest, end - start);
    const first = start === 0 ? 0 : bytes.indexOf(LINE_END) + 1;
    rest = bytes.slice(0, first);
    if (start > 0 && first === 0) rest = bytes;
    else yield* new TextDecoder().decode(bytes.subarray(first)).split("\n").reverse();
    end = start;
  }
}

/** Which calls are meant. */
export interface CallFilter {
  readonly tool?: string | undefined;
  readonly scenario?: string | undefined;
  /** A part of the client's name. */
  readonly client?: string | undefined;
  readonly session?: string | undefined;
  /** A part of the tool, the scenario, the client, the problem or the arguments. */
  readonly text?: string | undefined;
  /** Only those from this time on. */
  readonly since?: string | undefined;
  readonly errors?: boolean | undefined;
}

/** Makes a filter of calls. */
export function matching(
  { tool, scenario, client, session, text, since = "", errors = false }: CallFilter,
): (call: Call) => boolean {
  const holds = (part: string | undefined, ...texts: (string | undefined)[]): boolean =>
    part === undefined || texts.some((one) => one?.toLowerCase().includes(part.toLowerCase()));
  return (call) =>
    (tool === undefined || call.tool === tool) &&
    (scenario === undefined || call.scenario?.toLowerCase() === scenario.toLowerCase()) &&
    holds(client, call.client?.name ?? "") &&
    (session === undefined || call.session === session) &&
    call.time >= since &&
    (!errors || isFailed(call)) &&
    (text === undefined ||
      holds(text, call.tool, call.scenario, call.client?.name, call.problem, argumentsText(call)));
}

/** Whether a call was answered with an error, or not at all. */
export function isFailed(call: Call): boolean {
  const { isError, problem, fault } = call;
  return isError === true || problem !== undefined || fault !== undefined ||
    errorOf(call) !== undefined;
}

/** The error that an answer tells in its own words, as most tools do, without being marked as one. */
export function errorOf({ result }: Call): string | undefined {
  const structured = isJsonObject(result) ? result.structuredContent : undefined;
  const error = isJsonObject(structured) ? structured.error : undefined;
  return typeof error === "string" ? error : undefined;
}

/** A call's arguments as JSON; ends in `…` where the journal has the beginning alone. */
export function argumentsText({ arguments: args, argumentsCutFrom }: Call): string {
  return argumentsCutFrom === undefined ? JSON.stringify(args ?? {}) : `${String(args)}…`;
}

/**
 * Deletes a journal.
 *
 * @returns Whether there was one.
 * @throws {Error} When a file of it cannot be deleted; says which.
 */
export function clearCalls(path: string): boolean {
  let isThere = false;
  for (const file of [path, olderPath(path)]) {
    try {
      Deno.removeSync(file);
      isThere = true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw new Refusal("conflict", `${file} cannot be deleted: ${reasonOf(error)}.`);
    }
  }
  return isThere;
}

/** Reads whole lines of a journal; what is no call is passed over. */
export function parseLines(text: string): Call[] {
  return text.split("\n").flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): Call | undefined {
  try {
    const value = JSON.parse(line);
    const isCall = isJsonObject(value) && typeof value.id === "string" &&
      typeof value.tool === "string" && typeof value.time === "string";
    return isCall ? value as unknown as Call : undefined;
  } catch {
    return undefined;
  }
}
