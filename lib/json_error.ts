import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";

/** Where a text stops being JSON, and why. */
export interface JsonError {
  readonly message: string;
  /** Offset into the text, in UTF-16 code units; the text's length when it ends too early. */
  readonly offset: number;
}

/**
 * Explains why `JSON.parse` refused a text. The runtime's own message has no position in many
 * cases, so a second parser that keeps one is asked, on this path only.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { locateJsonError } from "./json_error.ts";
 *
 * assert(locateJsonError('{"a" 1}').offset === 5);
 * ```
 *
 * @param text A text that `JSON.parse` refuses.
 * @returns What is wrong and where.
 */
export function locateJsonError(text: string): JsonError {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  if (first === undefined) return { message: "not valid JSON", offset: 0 };
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])[A-Z]/g, (c) => ` ${c}`);
  return { message: `not valid JSON: ${words.toLowerCase()}`, offset: first.offset };
}
