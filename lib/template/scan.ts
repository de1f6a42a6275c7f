import { type Expression, ExpressionError, parseExpression } from "./expression.ts";
import {
  type PlaceholderSegment,
  type Template,
  TemplateError,
  type TextSegment,
} from "./template.ts";

/**
 * Scans a JSON template once: finds its placeholders and decides for each whether it stands inside
 * a JSON string, by tracking unescaped quotation marks (docs/SPEC.md, section 5).
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
    const expression = expressionOf(source.slice(open + 2, close).trim());
    return { kind: "placeholder", expression, inString, offset: open, length: close + 2 - open };
  } catch (error) {
    if (error instanceof ExpressionError) throw new TemplateError(error.message, open);
    throw error;
  }
}

/** How many expressions are remembered; a folder of thousands of scenarios has some hundreds. */
const MOST_KNOWN = 2_000;
const known = new Map<string, Expression>();

/** An expression, read once however many templates have it. */
function expressionOf(text: string): Expression {
  let expression = known.get(text);
  if (expression === undefined) {
    expression = parseExpression(text);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, expression);
  }
  return expression;
}

/** Whether the end of `text` is inside a string, given whether its start is. */
function endsInString(text: string, startsInString: boolean): boolean {
  let inString = startsInString;
  let escape = text.indexOf("\\");
  for (let index = 0;; index++) {
    // Searching for the few characters that count is much faster than looking at each.
    const quote = text.indexOf('"', index);
    if (escape !== -1 && escape < index) escape = text.indexOf("\\", index);
    if (inString && escape !== -1 && (escape < quote || quote === -1)) {
      index = escape + 1;
    } else {
      if (quote === -1) return inString;
      inString = !inString;
      index = quote;
    }
  }
}

/** Whether text inside a string ends in a backslash that would swallow what is inserted next. */
function endsInEscape(text: string): boolean {
  let backslashes = 0;
  while (text.at(-1 - backslashes) === "\\") backslashes++;
  return backslashes % 2 === 1;
}
