import type { CommanderError } from "commander";
import { EXIT, type ExitCode } from "./failure.ts";
import { programName } from "./installation.ts";
import type { Io } from "./io.ts";
import { complain } from "./report.ts";

/**
 * Tells the user what is wrong with the command line, in commander's words made this program's.
 *
 * @param error What commander threw.
 * @param command The command it concerns, if the user named one.
 * @param io The streams.
 * @returns The exit code it ends with.
 */
export function reportUsage(error: CommanderError, command: string | undefined, io: Io): ExitCode {
  if (error.exitCode === 0) return EXIT.done;
  const help = [programName(), ...(command === undefined ? [] : [command]), "--help"].join(" ");
  // Help that was shown for want of a command says all there is to say.
  if (error.code !== "commander.help") {
    complain(`${usageMessage(error.message)}\nSee: ${help}`, io);
  }
  return EXIT.usage;
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
