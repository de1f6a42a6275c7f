/**
 * What a terminal takes for more than a letter: control characters (C0, DEL, C1), Unicode's line
 * ends, and the marks that turn the direction of writing around.
 */
const CONTROLS =
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes a text from a file or a caller fit for one line of a terminal: control characters are shown
 * as JSON escapes, so they can neither break the line nor change its colours. JSON stays the same
 * JSON.
 */
export function plain(text: string): string {
  return text.replace(CONTROLS, (char) => {
    const escape = JSON.stringify(char).slice(1, -1);
    return escape.length > 1 ? escape : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Counts things in words: `1 tool`, `3 tools`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
