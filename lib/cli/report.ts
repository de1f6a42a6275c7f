import { FixtureError } from "../fixture/problem.ts";
import { count } from "./count.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import type { Io } from "./io.ts";
import { plain } from "../plain.ts";
import { paintFor } from "./style.ts";

/**
 * Tells the user of an error, in a line or two and without a stack trace.
 *
 * @param error What was thrown.
 * @param io The streams.
 * @returns The exit code it ends with.
 */
export function report(error: unknown, io: Io): ExitCode {
  if (error instanceof FixtureError) {
    error.message.split("\n").map(plain).forEach(io.err);
    complain(`${count(error.problems.length, "problem")} in the tool files, above.`, io);
    return EXIT.failed;
  }
  complain(error instanceof Error ? error.message : String(error), io);
  return error instanceof CliError ? error.code : EXIT.failed;
}

/**
 * Writes an error.
 *
 * @param message What is wrong, and on a second line what to do.
 * @param io The streams.
 */
export function complain(message: string, io: Io): void {
  const [first = "", ...rest] = message.split("\n").map(plain);
  io.err(`${paintFor(io, "err")("bad", "careem-mcp:")} ${first}`);
  rest.forEach(io.err);
}
