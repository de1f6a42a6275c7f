import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/json.ts";
import { OWN_PROJECT, programCommand } from "../support/program.ts";

/** The program over stdio, with the test at both ends of it. */
export interface StdioProgram extends AsyncDisposable {
  readonly child: Deno.ChildProcess;
  /** Sends text as it is. */
  write(text: string): Promise<void>;
  /** Sends a message as a line. */
  send(message: JsonObject): Promise<void>;
  /** The next line of the output, parsed; `undefined` at its end. */
  read(): Promise<JsonObject | undefined>;
  /** Ends the input. */
  endInput(): Promise<void>;
  /** Stops reading the output: from now on nobody does. */
  closeOutput(): Promise<void>;
}

/**
 * Starts the program over stdio.
 *
 * @param options Flags, another command than the program's own, and what to do with stderr.
 * @returns The program; disposing of it ends it.
 */
export function startStdio(
  options: { flags?: string[]; command?: string[]; stderr?: "piped" | "inherit" | "null" } = {},
): StdioProgram {
  const { flags = [], command: words = programCommand(), stderr = "null" } = options;
  const [command = "", ...args] = words;
  const child = new Deno.Command(command, {
    args: [...args, "start", "--stdio", ...flags],
    env: OWN_PROJECT,
    stdin: "piped",
    stdout: "piped",
    stderr,
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const encoder = new TextEncoder();
  let buffer = "";
  const write = (text: string): Promise<void> => writer.write(encoder.encode(text));
  return {
    child,
    write,
    send: (message) => write(`${JSON.stringify(message)}\n`),
    async read() {
      while (!buffer.includes("\n")) {
        const { done, value } = await reader.read();
        if (done) {
          assert.equal(buffer, "", "the output ends with a whole line");
          return undefined;
        }
        buffer += value;
      }
      const end = buffer.indexOf("\n");
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 1);
      return JSON.parse(line);
    },
    endInput: () => writer.close(),
    closeOutput: () => reader.cancel(),
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      await Promise.allSettled([writer.abort(), reader.cancel(), child.status]);
    },
  };
}
