/**
 * Text, put together late. Pieces that stand in many texts can be encoded beforehand, which spares
 * most of what sending a long text costs.
 */
export type Pieces = string | readonly (string | Encoded)[];

/** A piece with its UTF-8. */
interface Encoded {
  readonly text: string;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** Beyond Latin-1 the JavaScript engine encodes text some thirty times as slowly as within. */
const BEYOND_LATIN_1 = /[\u0100-\uffff]/;
/** Shorter texts are not worth it. */
const SHORTEST = 1000;

/**
 * Tells whether a text would take long to encode.
 *
 * @param text The text.
 * @returns Whether its parts should be encoded beforehand.
 */
export function isCostly(text: string): boolean {
  return text.length >= SHORTEST && BEYOND_LATIN_1.test(text);
}

/**
 * Encodes a piece that will stand in many texts, if that is worth it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { asString, encodedOnce } from "./pieces.ts";
 *
 * assert(encodedOnce("café") === "café");
 * assert(asString(encodedOnce("مطعم".repeat(200))) === "مطعم".repeat(200));
 * ```
 *
 * @param text The piece, of whole characters.
 * @returns The piece.
 */
export function encodedOnce(text: string): Pieces {
  if (!BEYOND_LATIN_1.test(text)) return text;
  return [{ text, bytes: encoder.encode(text) }];
}

/**
 * Puts pieces together.
 *
 * @param parts The parts in order.
 * @returns All of them as one.
 */
export function joined(...parts: readonly Pieces[]): Pieces {
  let text = "";
  for (const part of parts) {
    if (typeof part !== "string") return parts.flat();
    text += part;
  }
  return text;
}

/**
 * Tells what text begins with.
 *
 * @param pieces The text.
 * @param start One character.
 * @returns Whether the text begins with it.
 */
export function startsWith(pieces: Pieces, start: string): boolean {
  if (typeof pieces === "string") return pieces.startsWith(start);
  const first = pieces.find((piece) => piece !== "") ?? "";
  return (typeof first === "string" ? first : first.text).startsWith(start);
}

/**
 * Writes pieces as a string.
 *
 * @param pieces The pieces.
 * @returns The text.
 */
export function asString(pieces: Pieces): string {
  if (typeof pieces === "string") return pieces;
  return pieces.map((piece) => typeof piece === "string" ? piece : piece.text).join("");
}

/** Where bodies are put together. */
const scratch = new Uint8Array(1024 * 1024);

/**
 * Writes pieces as the body of a response.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { asBody, encodedOnce, joined } from "./pieces.ts";
 *
 * const text = "مطعم".repeat(200);
 * assert(await new Response(asBody(joined("<", encodedOnce(text), ">"))).text() === `<${text}>`);
 * ```
 *
 * @param pieces The pieces.
 * @returns The body. It is good until the next call, and a `Response` copies it.
 */
export function asBody(pieces: Pieces): string | Uint8Array<ArrayBuffer> {
  if (typeof pieces === "string") return pieces;
  let end = 0;
  let plain = "";
  for (const piece of [...pieces, { text: "", bytes: NOTHING }]) {
    if (typeof piece === "string") {
      plain += piece;
      continue;
    }
    // One call for all that stands between two pieces.
    const { read, written } = encoder.encodeInto(plain, scratch.subarray(end));
    end += written;
    if (read < plain.length || piece.bytes.length > scratch.length - end) return asString(pieces);
    scratch.set(piece.bytes, end);
    end += piece.bytes.length;
    plain = "";
  }
  return scratch.subarray(0, end);
}

const NOTHING = new Uint8Array();
