import type { JsonValue } from "../json.ts";
import type { Selection } from "../scenario/select.ts";

/** One answered call, as the developer's log shows it (BUILD.md §5). */
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
 * JSON: `{"time", "tool", "scenario", "forced", "args", "problem"?}`. JSON text escapes control
 * characters, so whatever a client sends, a call is one line.
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
 * @param format The format.
 * @param write Takes one line, without its line end.
 * @param clock The current time.
 * @returns The log.
 */
export function createLog(
  format: LogFormat,
  write: (line: string) => void,
  clock: () => Date = () => new Date(),
): Log {
  return format === "json" ? jsonLog(write, clock) : textLog(write, clock);
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
      write(
        `${stamp()} ${tool} ${selection?.scenario.name ?? "-"}${forced} ${JSON.stringify(args)}`,
      );
      for (const line of problem?.split("\n") ?? []) write(`         ${escapeControls(line)}`);
    },
    note: (message) => write(`${stamp()} ${message}`),
  };
}

function jsonLog(write: (line: string) => void, clock: () => Date): Log {
  const emit = (entry: object) => write(JSON.stringify({ time: clock().toISOString(), ...entry }));
  return {
    call: ({ tool, selection, args, problem }) =>
      emit({
        tool,
        scenario: selection?.scenario.name ?? null,
        forced: selection?.reason === "forced",
        args,
        problem,
      }),
    note: (message) => emit({ message }),
  };
}

/** A problem may quote what the client sent; escaped, that cannot forge a line or a colour. */
function escapeControls(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (char) => JSON.stringify(char).slice(1, -1));
}
