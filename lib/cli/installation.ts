import { posix, win32 } from "node:path";

/** What is to be known of how this program was started. */
export interface Installation {
  /** Whether it is the compiled executable. */
  readonly standalone: boolean;
  /** The path of the running executable: this program's, or Deno's. */
  readonly executable: string;
  /** The folder of `main.ts`. */
  readonly home: string;
  readonly windows: boolean;
}

/** A command that starts the program. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The command that starts this installation from anywhere: the executable itself, or the Deno that
 * runs now. A desktop client starts it with hardly a PATH, on which the launcher script may find no
 * Deno; and Windows cannot start the script by its name.
 */
export function launchOf(installation: Installation, args: readonly string[]): Launch {
  const { standalone, executable, home, windows } = installation;
  if (standalone) return { command: executable, args };
  const { join } = windows ? win32 : posix;
  const deno = ["run", "--quiet", "--no-prompt", "--frozen", "--config"];
  const files = [join(home, "deno.json"), "--permission-set", join(home, "main.ts")];
  return { command: executable, args: [...deno, ...files, ...args] };
}

/** The launcher script tells in this variable how it was called. */
const LAUNCHER = "CAREEM_MCP_LAUNCHER";

/**
 * What to type to run this program, for hints that are to be pasted: the launcher script as it was
 * called, or the executable's name.
 */
export function programName(
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string {
  return shellWord(env(LAUNCHER) || "careem-mcp");
}

/** Words a command line of this program for pasting. */
export function commandLine(args: readonly string[]): string {
  return [programName(), ...args.map((arg) => shellWord(arg))].join(" ");
}

/**
 * Writes a word as a shell reads it, in quotation marks where it needs them; on Windows both cmd and
 * PowerShell.
 */
export function shellWord(
  word: string,
  windows: boolean = Deno.build.os === "windows",
): string {
  return windows ? quoteWindows(word) : quotePosix(word);
}

function quotePosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** As both PowerShell and cmd read it; file names there hold no quotation marks. */
function quoteWindows(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
