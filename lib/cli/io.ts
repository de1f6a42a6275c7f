/** The program's way to the world outside, passed in so that tests can look. */
export interface Io {
  /** Writes one line to standard output. */
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
}

/** The real standard streams and environment. */
export const systemIo: Io = {
  out: (line) => writeLine(Deno.stdout, line),
  err: (line) => writeLine(Deno.stderr, line),
  readInput: () => new Response(Deno.stdin.readable).text(),
  env: (name) => Deno.env.get(name),
  get outIsTerminal() {
    return Deno.stdout.isTerminal();
  },
  get errIsTerminal() {
    return Deno.stderr.isTerminal();
  },
  get columns() {
    try {
      return Deno.consoleSize().columns;
    } catch {
      return 80;
    }
  },
};

/** Writes a line whole. A reader that went away (`| head`, a closed terminal) is no error. */
function writeLine(stream: { writeSync(bytes: Uint8Array): number }, line: string): void {
  let bytes = new TextEncoder().encode(`${line}\n`);
  try {
    while (bytes.byteLength > 0) bytes = bytes.subarray(stream.writeSync(bytes));
  } catch {
    // Nobody is there to be told.
  }
}
