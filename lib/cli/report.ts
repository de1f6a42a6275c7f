import { CommanderError } from "commander";
import { FixtureError } from "../fixture/problem.ts";
import { Refusal } from "../refusal.ts";
import { commandLine, programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { count, plain } from "../plain.ts";
import { paintFor } from "./style.ts";

/** Tells the user of an error, in a line or two and without a stack trace. */
export function report(error: unknown, command: string | undefined, io: Io): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    const help = [programName(), ...(command === undefined ? [] : [command]), "--help"].join(" ");
    // Commander has printed help since no command was given, and that is enough.
    if (error.code !== "commander.help") {
      complain(`${usageMessage(error.message)}\nSee: ${help}`, io);
    }
    return EXIT.usage;
  }
  if (error instanceof FixtureError) {
    error.message.split("\n").map(plain).forEach(io.err);
    complain(`${count(error.problems.length, "problem")} in the tool files, above.`, io);
    return EXIT.failed;
  }
  if (error instanceof Refusal) {
    const see = error.see === undefined ? "" : `\nSee: ${commandLine(error.see)}`;
    complain(error.message + see, io);
    return error.kind === "usage" ? EXIT.usage : EXIT.failed;
  }
  complain(error instanceof Error ? error.message : String(error), io);
  return error instanceof CliError ? error.code : EXIT.failed;
}

function complain(message: string, io: Io): void {
  const [first = "", ...rest] = message.split("\n").map(plain);
  io.err(`${paintFor(io, "err")("bad", "careem-mcp:")} ${first}`);
  rest.forEach(io.err);
}

/** Commander's words, in this program's form. */
function usageMessage(text: string): string {
  return text
    .replace(/^error: /, "")
    .replace(/\n\(Did you mean one of (.*)\?\)$/, (_, words: string) => {
      const guesses = words.split(", ").map((word) => `\`${word}\``);
      const last = guesses.pop();
      return `, did you mean ${guesses.join(", ")} or ${last}?`;
    })
    .replace(/\n\(Did you mean (.*)\?\)$/, ", did you mean `$1`?")
    .replaceAll(/'([^'\n]*)'/g, "`$1`");
}
