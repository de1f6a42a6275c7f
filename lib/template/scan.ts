import { ExpressionError, parseExpression } from "./expression.ts";
import {
  type PlaceholderSegment,
  type Template,
  TemplateError,
  type TextSegment,
} from "./template.ts";

/**
 * Scans a JSON template once: finds its placeholders and decides for each whether it stands inside
 * a JSON string, by tracking unescaped quotation marks (BUILD.md §2, Placeholders).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { scanTemplate } from "./scan.ts";
 *
 * const { segments } = scanTemplate('{"id": "ride {{args.rideId}}"}');
 * assert(segments.length === 3);
 * ```
 *
 * @param source The template's text.
 * @returns Its segments; an empty template has none.
 * @throws {TemplateError} When a placeholder is not closed or its expression is unknown.
 */
export function scanTemplate(source: string): Template {
  const segments: (TextSegment | PlaceholderSegment)[] = [];
  let inString = false;
  let position = 0;
  while (position < source.length) {
    const open = source.indexOf("{{", position);
    const text = source.slice(position, open === -1 ? source.length : open);
    if (text !== "") segments.push({ kind: "text", text });
    if (open === -1) break;
    inString = endsInString(text, inString);
    if (inString && endsInEscape(text)) {
      throw new TemplateError("a `\\` stands before `{{`; write `\\\\` for a backslash", open);
    }
    const placeholder = readPlaceholder(source, open, inString);
    segments.push(placeholder);
    position = open + placeholder.length;
  }
  return { segments };
}

function readPlaceholder(source: string, open: number, inString: boolean): PlaceholderSegment {
  const close = source.indexOf("}}", open + 2);
  const line = source.indexOf("\n", open);
  if (close === -1 || (line !== -1 && line < close)) {
    throw new TemplateError("`{{` is not closed with `}}` on its line", open);
  }
  try {
    const expression = parseExpression(source.slice(open + 2, close).trim());
    return { kind: "placeholder", expression, inString, offset: open, length: close + 2 - open };
  } catch (error) {
    if (error instanceof ExpressionError) throw new TemplateError(error.message, open);
    throw error;
  }
}

/** Whether the end of `text` is inside a string, given whether its start is. */
function endsInString(text: string, startsInString: boolean): boolean {
  let inString = startsInString;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '"') inString = !inString;
    else if (char === "\\" && inString) index++;
  }
  return inString;
}

/** Whether text inside a string ends in a backslash that would swallow what is inserted next. */
function endsInEscape(text: string): boolean {
  return /\\*$/.exec(text)![0].length % 2 === 1;
}
