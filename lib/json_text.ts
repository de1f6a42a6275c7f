import { asString, type Pieces } from "./pieces.ts";

/**
 * A JSON value that is already written, as {@linkcode writeJson} would write it: what is put together
 * from parts that stand in many answers need not be built as a value first.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { JsonText, writeJson } from "./json_text.ts";
 *
 * assert(writeJson(new JsonText('{"a":1}')) === writeJson({ a: 1 }));
 * ```
 */
export class JsonText {
  /** @param pieces The value's JSON. */
  constructor(readonly pieces: Pieces) {}

  /** The value's JSON. */
  get text(): string {
    return asString(this.pieces);
  }
}

/**
 * Writes a value for clients, unless it is written already.
 *
 * @param value The value, or its JSON.
 * @returns The JSON, in one line for any reader.
 */
export function writeJson(value: unknown): string {
  return value instanceof JsonText ? value.text : escapeLineEnds(JSON.stringify(value));
}

const LINE_ENDS = ["\u2028", "\u2029", "\u0085"];

/**
 * Escapes what Unicode has for line ends beside the ASCII ones. Go's encoder escapes the first two,
 * and Python clients end a line of a stream at any of them.
 *
 * @param json Some JSON, or a part of one inside a string.
 * @returns The same value in one line for any reader.
 */
export function escapeLineEnds(json: string): string {
  // Mostly there is none, and three searches for a character are much faster than one for a set.
  if (!LINE_ENDS.some((end) => json.includes(end))) return json;
  return json.replace(
    /[\u2028\u2029\u0085]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
