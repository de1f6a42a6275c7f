/**
 * Go's `fmt` verbs for JSON values, as the Go validator's messages use them.
 *
 * @see https://pkg.go.dev/fmt
 */

import type { JsonValue } from "../json.ts";

/**
 * Prints a value as Go's `%v` does where the value stands inside another or on its own in an
 * `any`: strings bare, `null` as `<nil>`, objects as `map[a:1 b:2]`.
 */
export function goValue(value: JsonValue): string {
  return printed(value, goNumber, String);
}

/**
 * Prints the value under validation as Go's `%v` does. The validator holds it as a
 * `reflect.Value`, which is invalid for `null`; in all else this is {@linkcode goValue}.
 */
export function goInstance(value: JsonValue): string {
  return value === null ? "<invalid reflect.Value>" : goValue(value);
}

/**
 * Prints an array as Go's `%s` does, which suits strings only and says so at each number and boolean.
 */
export function goStringVerb(value: readonly JsonValue[]): string {
  return printed(
    [...value],
    (number) => `%!s(float64=${goNumber(number)})`,
    (boolean) => `%!s(bool=${boolean})`,
  );
}

function printed(
  value: JsonValue,
  number: (value: number) => string,
  boolean: (value: boolean) => string,
): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return value;
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return boolean(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => printed(item, number, boolean)).join(" ")}]`;
  }
  const members = Object.entries(value)
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([key, member]) => `${key}:${printed(member, number, boolean)}`);
  return `map[${members.join(" ")}]`;
}

/**
 * Compares strings as Go does, by their UTF-8 bytes, which is the order of code points; JavaScript's
 * own order is that of UTF-16 units, which puts astral characters before U+E000.
 */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a.toWellFormed()], [...b.toWellFormed()]];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * Prints a number as Go's `%v` does: the shortest digits that read back, in exponent form when the
 * decimal exponent is below -4 or above 5.
 */
export function goNumber(number: number): string {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
  if (Object.is(number, -0)) return "-0";
  const [digits, exponent] = number.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power <= 5) return number.toString();
  return `${digits}e${power < 0 ? "-" : "+"}${Math.abs(power).toString().padStart(2, "0")}`;
}

/** Prints a number as Go's `big.Rat` does: the exact, reduced fraction of the double. */
export function goFraction(number: number): string {
  const { numerator, denominator } = exactFraction(number);
  return `${numerator}/${denominator}`;
}

/**
 * Prints a number as Go's `%f` does: six decimals, rounded half to even on the double's exact
 * value, and never an exponent.
 */
export function goFixed(number: number): string {
  const { numerator, denominator } = exactFraction(Math.abs(number));
  const scaled = numerator * 1_000_000n;
  const floor = scaled / denominator;
  const twiceRest = 2n * (scaled % denominator);
  const roundUp = twiceRest > denominator || (twiceRest === denominator && floor % 2n === 1n);
  const digits = (floor + (roundUp ? 1n : 0n)).toString().padStart(7, "0");
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Doubling a double is exact, so the first whole multiple gives the fraction already reduced. */
function exactFraction(number: number): { numerator: bigint; denominator: bigint } {
  // Go leaves the fraction at zero for a number that has none.
  if (!Number.isFinite(number)) return { numerator: 0n, denominator: 1n };
  let power = 0n;
  for (; !Number.isInteger(number); power++) number *= 2;
  return { numerator: BigInt(number), denominator: 1n << power };
}

let printable: RegExp | undefined;

/**
 * Go's `strconv.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space. These
 * classes take most of a millisecond to make, at whose first use a start is over.
 */
function isPrintable(char: string): boolean {
  printable ??= new RegExp("^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]$", "u");
  return printable.test(char);
}

/**
 * Quotes a string as Go's `%q` does (`strconv.Quote`): what is printable as it is, the rest escaped.
 */
export function goQuote(text: string): string {
  // A lone surrogate has become U+FFFD by the time Go has read it from JSON.
  return `"${Array.from(text.toWellFormed(), quoted).join("")}"`;
}

function quoted(character: string): string {
  if (character === "\x07") return "\\a";
  if (character === "\v") return "\\v";
  // JSON has the other short escapes, too.
  const json = JSON.stringify(character).slice(1, -1);
  if (json.length === 2 && json.startsWith("\\") || isPrintable(character)) return json;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Quotes a list of strings as Go's `%q` does. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}
