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
