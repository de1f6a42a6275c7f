/**
 * Writes a word as a shell reads it, in quotation marks where it needs them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { shellWord } from "./shell_word.ts";
 *
 * assert(shellWord("--tools", false) === "--tools");
 * assert(shellWord("/my tools", false) === "'/my tools'");
 * assert(shellWord("C:\\my tools", true) === '"C:\\my tools"');
 * ```
 *
 * @param word The word.
 * @param windows Whether for PowerShell and cmd, rather than a shell of Unix.
 * @returns The word, ready to paste.
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
