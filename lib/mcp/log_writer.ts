/** The most characters that may wait for someone to read them; what comes then is left out. */
const MOST_WAITING = 1024 * 1024;

/**
 * How long lines are gathered before they are written. A write wakes another thread, which takes
 * longer than most calls and would come before the answer; nobody sees a hundredth of a second.
 */
const GATHERING_MS = 10;
/** So many characters are written without gathering more. */
const ENOUGH = 64 * 1024;

/** Writes lines without ever keeping the caller waiting. */
export interface LogWriter {
  /** Takes one line, without its line end. */
  line(text: string): void;

  /** Waits until all lines are written, or for so many milliseconds. */
  flush(patienceMs: number): Promise<void>;
}

/**
 * Makes a writer for the log. Nobody may be reading it: a client that starts the program and does
 * not look at its standard error, a terminal that is halted. A server that waited for them would
 * stop answering. So lines are written aside, and left out when too many wait.
 *
 * Lines that come close together are written together, since a write takes longer than most calls.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLogWriter } from "./log_writer.ts";
 *
 * const written: string[] = [];
 * const log = openLogWriter((text) => Promise.resolve(void written.push(text)));
 * log.line("a");
 * log.line("b");
 * await log.flush(1000);
 * assert.deepEqual(written, ["a\nb\n"]);
 * ```
 *
 * @param write Writes text; what it fails to write is lost.
 * @param note Words a line about the log itself.
 */
export function openLogWriter(
  write: (text: string) => Promise<void>,
  note: (message: string) => string = (message) => `(${message})`,
): LogWriter {
  let waiting = "";
  let leftOut = 0;
  let writing: Promise<void> | undefined;
  let flushing = false;
  let endGathering = (): void => {};

  const gather = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHERING_MS);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const writeWaiting = async (): Promise<void> => {
    while (waiting !== "" || leftOut > 0) {
      if (!flushing && waiting.length < ENOUGH) await gather();
      const lost = `${leftOut} ${leftOut === 1 ? "line" : "lines"} left out: not read in time`;
      const text = waiting + (leftOut > 0 ? `${note(lost)}\n` : "");
      waiting = "";
      leftOut = 0;
      await write(text).catch(() => {});
    }
    writing = undefined;
  };
  return {
    line(text) {
      if (waiting !== "" && waiting.length + text.length > MOST_WAITING) leftOut++;
      else waiting += `${text}\n`;
      if (writing === undefined) writing = writeWaiting();
      else if (waiting.length >= ENOUGH) endGathering();
    },
    async flush(patienceMs) {
      flushing = true;
      endGathering();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<void>((resolve) => timer = setTimeout(resolve, patienceMs));
      await Promise.race([writing, patience]);
      clearTimeout(timer);
      flushing = false;
    },
  };
}
