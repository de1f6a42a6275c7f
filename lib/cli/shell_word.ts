/**
 * Writes a word as a shell reads it, in quotation marks where it needs them.
 *
 * @param windows Whether for PowerShell and cmd, rather than a shell of Unix.
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
