/**
 * How a cursor begins: what Go's gob encoding says of the type `struct pageToken { LastUID string }`.
 */
const PAGE_TOKEN = bytesOf(
  "227f0301010970616765546f6b656e01ff8000010101074c617374554944010c000000",
);
/** How the value begins: the type's number. */
const TYPE_NUMBER = bytesOf("ff80");
/** The number of the field `LastUID`, and what ends a value. */
const FIELD = 1;
const END = 0;

/**
 * Writes the cursor of the page after an entry as the Go SDK does: `last` is what that is sorted by.
 *
 * Source: go-sdk, `encodeCursor` (mcp/server.go), and https://pkg.go.dev/encoding/gob.
 */
export function encodeCursor(last: string): string {
  const text = new TextEncoder().encode(last);
  const field = text.length === 0 ? [] : [FIELD, ...encodeUint(text.length), ...text];
  const value = [...TYPE_NUMBER, ...field, END];
  const bytes = [...PAGE_TOKEN, ...encodeUint(value.length), ...value];
  const binary = bytes.map((byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_");
}

/** Reads what {@linkcode encodeCursor} was given; `undefined` when it gives out no such cursor. */
export function decodeCursor(cursor: string): string | undefined {
  const last = lastIn(cursor);
  return last !== undefined && encodeCursor(last) === cursor ? last : undefined;
}

function lastIn(cursor: string): string | undefined {
  try {
    const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const [, valueAt] = decodeUint(bytes, PAGE_TOKEN.length);
    const fieldAt = valueAt + TYPE_NUMBER.length;
    if (bytes[fieldAt] !== FIELD) return "";
    const [length, textAt] = decodeUint(bytes, fieldAt + 1);
    const text = bytes.subarray(textAt, textAt + length);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    return undefined;
  }
}

/** An unsigned number: below 128 itself, else its bytes after their negated count. */
function encodeUint(value: number): number[] {
  if (value < 128) return [value];
  const digits: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [256 - digits.length, ...digits];
}

/** The number at a position, and the position after it. */
function decodeUint(bytes: Uint8Array, at: number): [value: number, next: number] {
  const first = bytes[at] ?? 0;
  if (first < 128) return [first, at + 1];
  const next = at + 1 + (256 - first);
  return [bytes.subarray(at + 1, next).reduce((value, byte) => value * 256 + byte, 0), next];
}

function bytesOf(hex: string): number[] {
  return hex.match(/../g)!.map((byte) => parseInt(byte, 16));
}
