import { reasonOf } from "../reason.ts";

/** Exit codes of the program (docs/CLI.md). */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** One of {@linkcode EXIT}. */
export type ExitCode = typeof EXIT[keyof typeof EXIT];

/** An error for the person at the keyboard: one or two lines that say what to do. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(message: string, readonly code: ExitCode = EXIT.failed) {
    super(message);
  }
}

/** The width of a terminal that does not tell. */
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** How long to wait for a stream that takes no more at the moment. */
const RETRY_MS = 5;

/** The program's way to the world outside, passed in so that tests can look. */
export interface Io {
  /** Writes one line to standard output, or throws a {@linkcode CliError}. */
  out(line: string): void;
  /** Writes one line to standard error. */
  err(line: string): void;
  /** Reads standard input to its end, without a byte order mark. */
  readInput(): Promise<string>;
  /** An environment variable, `undefined` when it is not set. */
  env(name: string): string | undefined;
  /** Whether standard output is a terminal. */
  readonly outIsTerminal: boolean;
  /** Whether standard error is a terminal. */
  readonly errIsTerminal: boolean;
  /** Columns of the terminal, 80 when there is none. */
  readonly columns: number;
  /** Rows of the terminal, 24 when there is none. */
  readonly rows: number;
}

/** The real standard streams and environment. */
export const systemIo: Io = {
  out(line) {
    try {
      writeLine(Deno.stdout, line);
    } catch (error) {
      throw new CliError(`standard output cannot be written to: ${reasonOf(error)}`);
    }
  },
  err(line) {
    try {
      writeLine(Deno.stderr, line);
    } catch {
      // There is no other place to say so.
    }
  },
  readInput: () => new Response(Deno.stdin.readable).text(),
  env: (name) => Deno.env.get(name),
  get outIsTerminal() {
    return Deno.stdout.isTerminal();
  },
  get errIsTerminal() {
    return Deno.stderr.isTerminal();
  },
  get columns() {
    return consoleSize().columns || DEFAULT_COLUMNS;
  },
  get rows() {
    return consoleSize().rows || DEFAULT_ROWS;
  },
};

/** Some terminals, serial ones above all, do not know their size and say 0. */
function consoleSize(): { columns: number; rows: number } {
  try {
    return Deno.consoleSize();
  } catch {
    return { columns: 0, rows: 0 };
  }
}

/** Writes a line whole. A reader that has read enough and went away (`| head`) is no error. */
function writeLine(stream: { writeSync(bytes: Uint8Array): number }, line: string): void {
  let bytes = new TextEncoder().encode(`${line}\n`);
  while (bytes.byteLength > 0) {
    try {
      bytes = bytes.subarray(stream.writeSync(bytes));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) return;
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      // Another process made the stream non-blocking, and its reader is slow.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
