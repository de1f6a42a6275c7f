import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import type { JsonValue } from "./json.ts";
import { Refusal } from "./refusal.ts";

/** Where a text stops being JSON, and why. */
export interface JsonError {
  readonly message: string;
  /** Offset into the text, in UTF-16 code units; the text's length when it ends too early. */
  readonly offset: number;
}

/**
 * Explains why `JSON.parse` refused a text. The runtime's own message has no position in many
 * cases, so a second parser that keeps one is asked, on this path only.
 */
export function locateJsonError(text: string): JsonError {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  if (first === undefined) return { message: "not valid JSON", offset: 0 };
  return { message: `not valid JSON: ${wordsFor(first, text)}`, offset: first.offset };
}

/** What is wrong, for the commonest mistakes in words that say what to do. */
function wordsFor({ error, offset }: ParseError, text: string): string {
  const code = printParseErrorCode(error);
  if (code === "InvalidCommentToken") return "comments are not allowed";
  if (/['‘’“”]/.test(text.charAt(offset))) return "strings stand between straight double quotes";
  if (/[}\]]/.test(text.charAt(offset)) && /,\s*$/.test(text.slice(0, offset))) {
    return "a comma too many before it";
  }
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Tells in which line of a text (1-based) an offset in UTF-16 code units is. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/**
 * Parses a JSON text that somebody gave.
 *
 * @param what What it is, for the message.
 * @throws {Refusal} When it is not JSON; says where.
 */
export function parseJson(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    const { message, offset } = locateJsonError(text);
    const before = text.slice(0, offset).split("\n");
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    throw new Refusal("usage", `${what}: ${message} at ${place}`);
  }
}
