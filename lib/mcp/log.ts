import type { JsonValue } from "../json.ts";
import { plain } from "../plain.ts";
import type { Selection } from "../scenario/select.ts";

/** One answered call, as the developer's log shows it. */
export interface CallRecord {
  readonly tool: string;
  /** The chosen scenario; absent when the call failed before one was chosen. */
  readonly selection: Selection | undefined;
  /** The arguments, defaults applied. */
  readonly args: JsonValue;
  /** Why the call failed, for the developer only; it may have several lines. */
  readonly problem?: string;
}

/** Where a server tells its developer what happened. Nothing here ever reaches a client. */
export interface Log {
  /** One call. */
  call(record: CallRecord): void;
  /** Anything else worth a line. */
  note(message: string): void;
}

/** How to write the log: for people, or one JSON object a line. */
export type LogFormat = "text" | "json";

/**
 * Makes a log that writes a line per call.
 *
 * Text: `HH:MM:SS <tool> <scenario>[ (forced)] <compact args>`, a problem on indented lines below.
 * JSON: `{"time", "tool", "scenario", "forced", "args", "problem"?}`. Control characters are escaped,
 * so that no client can forge a line, and what is very long is cut: in text with a note of how much
 * is left out, in JSON by `argsLeftOut` (characters of their JSON) in place of `args`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createLog } from "./log.ts";
 *
 * const lines: string[] = [];
 * const log = createLog("text", (line) => lines.push(line), () => new Date(0));
 * log.call({ tool: "ride_book", selection: undefined, args: {}, problem: "broken" });
 * assert(lines[0]?.endsWith("ride_book - {}"));
 * ```
 *
 * @param write Takes one line, without its line end.
 * @param clock The current time.
 */
export function createLog(
  format: LogFormat,
  write: (line: string) => void,
  clock: () => Date = () => new Date(),
): Log {
  return format === "json" ? jsonLog(write, clock) : textLog(write, clock);
}

/** The most characters of arguments, a name or a line of a problem that are written. */
const MOST_TEXT = 2_000;
/** The same where programs read the log. */
const MOST_JSON = 64 * 1024;

/**
 * Words a line about the log itself.
 *
 * @param format The log's format.
 * @param message What there is to say.
 * @returns The line, without its line end.
 */
export function aboutLog(format: LogFormat, message: string): string {
  return format === "json" ? jsonLine({ message }, new Date()) : `(${message})`;
}

function textLog(write: (line: string) => void, clock: () => Date): Log {
  let second = NaN;
  let time = "";
  const stamp = (): string => {
    const now = clock();
    const current = Math.floor(now.getTime() / 1000);
    // To write the local time takes longer than to write all the rest of a line.
    if (current !== second) time = now.toTimeString().slice(0, 8);
    second = current;
    return time;
  };
  return {
    call({ tool, selection, args, problem }) {
      const forced = selection?.reason === "forced" ? " (forced)" : "";
      const called = `${cut(tool, MOST_TEXT)} ${selection?.scenario.name ?? "-"}${forced}`;
      write(`${stamp()} ${plain(`${called} ${cut(JSON.stringify(args), MOST_TEXT)}`)}`);
      for (const line of problem?.split("\n") ?? []) {
        write(`         ${plain(cut(line, MOST_TEXT))}`);
      }
    },
    note: (message) => write(`${stamp()} ${plain(cut(message, MOST_TEXT))}`),
  };
}

function jsonLog(write: (line: string) => void, clock: () => Date): Log {
  const emit = (entry: object) => write(jsonLine(entry, clock()));
  return {
    call({ tool, selection, args, problem }) {
      const { length } = JSON.stringify(args);
      emit({
        tool: cut(tool, MOST_TEXT),
        scenario: selection?.scenario.name ?? null,
        forced: selection?.reason === "forced",
        ...(length > MOST_JSON ? { argsLeftOut: length } : { args }),
        problem: problem && cut(problem, MOST_JSON),
      });
    },
    note: (message) => emit({ message: cut(message, MOST_JSON) }),
  };
}

function jsonLine(entry: object, time: Date): string {
  return plain(JSON.stringify({ time: time.toISOString(), ...entry }));
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}… (${text.length - most} more characters)`;
}
