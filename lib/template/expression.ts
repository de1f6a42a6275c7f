import { parseDuration } from "./duration.ts";

/** How a `now` expression shows its time; without one, RFC 3339 in UTC with whole seconds. */
export type TimeFormat = "date" | "weekday" | "hhmm" | "daylabel";

/** What stands between `{{` and `}}` (the table of docs/SPEC.md, section 5). Durations are nanoseconds. */
export type Expression =
  | { readonly kind: "args"; readonly path: readonly string[] }
  | {
    readonly kind: "now";
    readonly offset: bigint;
    readonly round?: bigint;
    readonly format?: TimeFormat;
  }
  | { readonly kind: "unix" | "unixms"; readonly offset: bigint }
  | { readonly kind: "uuid" }
  | { readonly kind: "rand"; readonly min: number; readonly max: number };

/** An expression that is not in the table. The message names it and says what would do. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

const TIME = /^(now|unixms|unix)(?:([+-])([^@|]*))?(?:@([^|]*))?(?:\|(.*))?$/;
const RAND = /^rand:(.*)$/;
const RANGE = /^(\d+)-(\d+)$/;
const FORMATS: readonly string[] = ["date", "weekday", "hhmm", "daylabel"] satisfies TimeFormat[];

/**
 * Parses the text of a placeholder.
 *
 * Source: docs/SPEC.md, section 5.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseExpression } from "./expression.ts";
 *
 * assert(parseExpression("now+2h@20m|hhmm").kind === "now");
 * ```
 *
 * @param text The expression, without the braces and the spaces beside them.
 * @throws {ExpressionError} When it is not in the table.
 */
export function parseExpression(text: string): Expression {
  try {
    return parsed(text);
  } catch (error) {
    const tight = text.replace(/\s*([.+\-@|:])\s*/g, "$1");
    if (tight === text || !isExpression(tight)) throw error;
    throw new ExpressionError(`\`${text}\` has spaces inside; write \`${tight}\` without them`);
  }
}

function isExpression(text: string): boolean {
  try {
    parsed(text);
    return true;
  } catch {
    return false;
  }
}

function parsed(text: string): Expression {
  if (text === "uuid") return { kind: "uuid" };
  if (text.startsWith("args.")) return parseArgs(text);
  const rand = RAND.exec(text);
  if (rand) return parseRand(text, rand[1]!);
  const time = TIME.exec(text);
  if (time) return parseTime(text, time);
  throw new ExpressionError(
    `unknown expression \`${text}\`; use args.<path>, now, unix, unixms, uuid or rand:MIN-MAX`,
  );
}

function parseArgs(text: string): Expression {
  const path = text.split(".").slice(1);
  if (path.some((key) => key === "" || /\s/.test(key))) {
    throw new ExpressionError(`\`${text}\` has an empty or spaced key; write args.key.key`);
  }
  return { kind: "args", path };
}

function parseRand(text: string, range: string): Expression {
  const [, low, high] = RANGE.exec(range) ?? [];
  const min = Number(low);
  const max = Number(high);
  if (low === undefined || min > max || !Number.isSafeInteger(max)) {
    throw new ExpressionError(
      `\`${text}\` needs two non-negative integers, the smaller first: rand:MIN-MAX`,
    );
  }
  return { kind: "rand", min, max };
}

function parseTime(text: string, match: RegExpExecArray): Expression {
  const [, base, sign, shift, rounding, format] = match;
  const distance = shift === undefined ? 0n : duration(text, shift);
  const offset = sign === "-" ? -distance : distance;
  if (base !== "now") {
    if (rounding !== undefined || format !== undefined) {
      throw new ExpressionError(`\`${text}\`: ${base} takes ±duration only, no @ and no |format`);
    }
    return { kind: base as "unix" | "unixms", offset };
  }
  if (format !== undefined && !FORMATS.includes(format)) {
    throw new ExpressionError(
      `\`${text}\` has an unknown format; use |date, |weekday, |hhmm or |daylabel`,
    );
  }
  return {
    kind: "now",
    offset,
    ...(rounding !== undefined && { round: step(text, rounding) }),
    ...(format !== undefined && { format: format as TimeFormat }),
  };
}

function duration(text: string, value: string): bigint {
  const nanoseconds = parseDuration(value);
  if (nanoseconds === undefined) {
    throw new ExpressionError(
      `\`${text}\` has the bad duration "${value}"; write it like 15m, 1h30m or 90s`,
    );
  }
  return nanoseconds;
}

function step(text: string, value: string): bigint {
  const nanoseconds = duration(text, value);
  if (nanoseconds === 0n) {
    throw new ExpressionError(`\`${text}\` rounds to nothing; give @ a duration above zero`);
  }
  return nanoseconds;
}
