/** Nanoseconds of each unit a duration may use. */
const UNITS: Readonly<Record<string, bigint>> = {
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** The largest duration Go can hold: an int64 of nanoseconds, some 292 years. */
const LONGEST = 2n ** 63n - 1n;

const DURATION = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ms|s|m|h))+$/;
const PART = /(\d*)(?:\.(\d*))?(ms|s|m|h)/g;

/**
 * Parses a duration in Go's syntax without a sign, limited to the units `ms s m h`: `15m`, `1h30m`,
 * `1.5h`, `.5h` (docs/SPEC.md, section 5; Go's `time.ParseDuration`).
 *
 * @returns Nanoseconds, or `undefined` when `text` is not such a duration or exceeds some 292 years.
 */
export function parseDuration(text: string): bigint | undefined {
  if (text === "0") return 0n;
  if (!DURATION.test(text)) return undefined;
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.matchAll(PART)) {
    const nanoseconds = UNITS[unit]!;
    total += BigInt(whole || "0") * nanoseconds;
    total += fractionOf(fraction, nanoseconds);
  }
  return total <= LONGEST ? total : undefined;
}

/**
 * A fraction of a unit, in whole nanoseconds. Like Go, it takes as many digits as an int64 holds
 * and multiplies them as floating point numbers.
 */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next > LONGEST) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}
