import { stripVTControlCharacters } from "node:util";

const GAP = "  ";
/** A column is never made narrower than this, however narrow the terminal. */
const NARROWEST = 8;

/**
 * Lays rows of cells, painted or not, out in columns that fit a width. Where they do not, the widest
 * columns give way first and their cells end in `…`; the first one never does, since it holds the names
 * that people need. Without a width nothing is cut, as a script wants it.
 */
export function layOut(rows: readonly (readonly string[])[], width = Infinity): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const natural = Array.from(
    { length: count },
    (_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
  const widths = shrink(natural, width - GAP.length * (count - 1));
  return rows.map((row) =>
    row.map((cell, column) => {
      const fitted = truncate(cell, widths[column]!);
      return fitted + " ".repeat(Math.max(0, widths[column]! - displayWidth(fitted)));
    }).join(GAP).trimEnd()
  );
}

/** Cuts a text to a width, with `…` where something is missing; a painted one loses its paint. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of SEGMENTS.segment(stripVTControlCharacters(text))) {
    used += segmentWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The columns a text takes in a terminal: paint takes none, wide characters take two. */
export function displayWidth(text: string): number {
  const bare = stripVTControlCharacters(text);
  // deno-lint-ignore no-control-regex -- the range is ASCII, whole
  if (/^[\x00-\x7f]*$/.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of SEGMENTS.segment(bare)) width += segmentWidth(segment);
  return width;
}

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;

function segmentWidth(segment: string): number {
  return WIDE.test(segment) ? 2 : 1;
}

/** Takes what is too much from the widest columns but the first, one column at a time. */
function shrink(natural: readonly number[], room: number): number[] {
  const [first = 0, ...widths] = natural;
  let excess = first + widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.lastIndexOf(widest)]!--;
    excess--;
  }
  return [first, ...widths];
}
