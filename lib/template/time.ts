import type { TimeFormat } from "./expression.ts";

/** Seconds from 0001-01-01T00:00:00Z to the Unix epoch: where Go's `Time.Truncate` counts from. */
const GO_EPOCH_SECONDS = 62_135_596_800n;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
const GO_EPOCH = GO_EPOCH_SECONDS * 1_000_000_000n;

/** Asia/Dubai has been UTC+4 without daylight saving since 1920, so no zone database is needed. */
const DUBAI_OFFSET_MS = 4 * 3_600_000;

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Shifts an instant and, if asked, rounds it down to a multiple of `round`, counted from year 1 as
 * Go's `Time.Truncate` does (docs/SPEC.md, section 5). Instants are milliseconds since the Unix
 * epoch, rounded down to whole ones; `offset` and `round` are nanoseconds, `round` above zero.
 */
export function shiftTime(nowMs: number, offset: bigint, round?: bigint): number {
  const instant = BigInt(nowMs) * NANOSECONDS_PER_MILLISECOND + offset + GO_EPOCH;
  const rounded = round === undefined ? instant : instant - modulo(instant, round);
  return Number(floorDivide(rounded - GO_EPOCH, NANOSECONDS_PER_MILLISECOND));
}

/**
 * Shows an instant (milliseconds since the Unix epoch) in a format, which is of Asia/Dubai; without
 * one, as RFC 3339 in UTC with whole seconds.
 */
export function formatTime(ms: number, format?: TimeFormat): string {
  const texts = shown[format ?? "utc"];
  const second = Math.floor(ms / 1000);
  const known = texts.get(second);
  if (known !== undefined) return known;
  const text = write(ms, format);
  if (texts.size >= MOST_SHOWN) texts.clear();
  texts.set(second, text);
  return text;
}

/** How many texts of a format to remember. */
const MOST_SHOWN = 1000;

/**
 * Texts by their whole second. Writing one takes longer than all else about a placeholder, a list of
 * slots has a hundred, and most of them are those of the call before.
 */
const shown: Readonly<Record<TimeFormat | "utc", Map<number, string>>> = {
  utc: new Map(),
  date: new Map(),
  weekday: new Map(),
  hhmm: new Map(),
  daylabel: new Map(),
};

function write(ms: number, format?: TimeFormat): string {
  if (format === undefined) return `${new Date(ms).toISOString().slice(0, -5)}Z`;
  const dubai = new Date(ms + DUBAI_OFFSET_MS);
  const iso = dubai.toISOString();
  const weekday = WEEKDAYS[dubai.getUTCDay()]!;
  switch (format) {
    case "date":
      return iso.slice(0, iso.indexOf("T"));
    case "weekday":
      return weekday;
    case "hhmm":
      return iso.slice(iso.indexOf("T") + 1, iso.indexOf("T") + 6);
    case "daylabel": {
      const day = dubai.getUTCDate();
      return `${weekday.slice(0, 3)}, ${day}${ordinal(day)} ${MONTHS[dubai.getUTCMonth()]}`;
    }
  }
}

/** The English ordinal suffix: 1st 2nd 3rd 4th … 11th 12th 13th … 21st. */
function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

function modulo(value: bigint, divisor: bigint): bigint {
  return ((value % divisor) + divisor) % divisor;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  return (value - modulo(value, divisor)) / divisor;
}
