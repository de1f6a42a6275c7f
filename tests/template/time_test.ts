import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDuration } from "../../lib/template/duration.ts";
import { parseExpression } from "../../lib/template/expression.ts";
import { formatTime, shiftTime } from "../../lib/template/time.ts";

/** The instant that a `now…` expression means at a given time, to the millisecond. */
function instantOf(expression: string, now: number): string {
  const parsed = parseExpression(expression);
  assert(parsed.kind === "now");
  return new Date(shiftTime(now, parsed.offset, parsed.round)).toISOString();
}

/**
 * What Go's `now.Add(offset).Truncate(round)` gives, printed by a Go program: the current time, then
 * what follows `now` and the outcome.
 */
const TRUNCATED: Readonly<Record<string, readonly (readonly [suffix: string, instant: string])[]>> =
  {
    "2026-10-05T11:59:59.999Z": [
      ["@20m", "2026-10-05T11:40:00.000Z"],
      ["+2h@20m", "2026-10-05T13:40:00.000Z"],
      ["-2h@20m", "2026-10-05T09:40:00.000Z"],
      ["@7m", "2026-10-05T11:54:00.000Z"],
      ["+1h30m@7m", "2026-10-05T13:25:00.000Z"],
      ["@168h", "2026-10-05T00:00:00.000Z"],
      ["+168h@168h", "2026-10-12T00:00:00.000Z"],
      ["@24h", "2026-10-05T00:00:00.000Z"],
      ["@1.5h", "2026-10-05T10:30:00.000Z"],
      ["@90s", "2026-10-05T11:58:30.000Z"],
      ["@250ms", "2026-10-05T11:59:59.750Z"],
      ["@13h", "2026-10-05T09:00:00.000Z"],
    ],
    "2026-10-05T12:00:00.000Z": [
      ["@20m", "2026-10-05T12:00:00.000Z"],
      ["+2h@20m", "2026-10-05T14:00:00.000Z"],
      ["-2h@20m", "2026-10-05T10:00:00.000Z"],
      ["@7m", "2026-10-05T11:54:00.000Z"],
      ["@7s", "2026-10-05T11:59:57.000Z"],
      ["@168h", "2026-10-05T00:00:00.000Z"],
      ["@2562047h", "1754-08-30T18:00:00.000Z"],
      ["-2562047h", "1734-06-26T13:00:00.000Z"],
      ["+2562047h", "2319-01-15T11:00:00.000Z"],
      ["@0.3ms", "2026-10-05T12:00:00.000Z"],
      ["@2.5s", "2026-10-05T12:00:00.000Z"],
    ],
    "2026-10-05T12:00:00.001Z": [
      ["+0.9ms", "2026-10-05T12:00:00.001Z"],
      ["-0.1ms", "2026-10-05T12:00:00.000Z"],
    ],
    "2026-10-04T19:53:20.500Z": [
      ["@20m", "2026-10-04T19:40:00.000Z"],
      ["+2h@20m", "2026-10-04T21:40:00.000Z"],
      ["@7m", "2026-10-04T19:48:00.000Z"],
      ["+1h30m@7m", "2026-10-04T21:19:00.000Z"],
      ["@168h", "2026-09-28T00:00:00.000Z"],
      ["+168h@168h", "2026-10-05T00:00:00.000Z"],
      ["@24h", "2026-10-04T00:00:00.000Z"],
      ["@1.5h", "2026-10-04T19:30:00.000Z"],
      ["@90s", "2026-10-04T19:52:30.000Z"],
      ["@250ms", "2026-10-04T19:53:20.500Z"],
      ["@13h", "2026-10-04T07:00:00.000Z"],
    ],
    "2026-12-31T22:10:30.000Z": [
      ["@20m", "2026-12-31T22:00:00.000Z"],
      ["+2h@20m", "2027-01-01T00:00:00.000Z"],
      ["-2h@20m", "2026-12-31T20:00:00.000Z"],
      ["@7m", "2026-12-31T22:09:00.000Z"],
      ["+1h30m@7m", "2026-12-31T23:40:00.000Z"],
      ["@168h", "2026-12-28T00:00:00.000Z"],
      ["+168h@168h", "2027-01-04T00:00:00.000Z"],
    ],
    "2027-01-01T00:00:00.000Z": [
      ["@20m", "2027-01-01T00:00:00.000Z"],
      ["-2h@20m", "2026-12-31T22:00:00.000Z"],
      ["@7m", "2026-12-31T23:54:00.000Z"],
      ["+1h30m@7m", "2027-01-01T01:25:00.000Z"],
      ["@168h", "2026-12-28T00:00:00.000Z"],
      ["@13h", "2026-12-31T14:00:00.000Z"],
    ],
    "2024-02-29T12:34:56.789Z": [
      ["@20m", "2024-02-29T12:20:00.000Z"],
      ["@7m", "2024-02-29T12:28:00.000Z"],
      ["+1h30m@7m", "2024-02-29T13:59:00.000Z"],
      ["@168h", "2024-02-26T00:00:00.000Z"],
      ["+168h@168h", "2024-03-04T00:00:00.000Z"],
      ["@90s", "2024-02-29T12:34:30.000Z"],
      ["@250ms", "2024-02-29T12:34:56.750Z"],
      ["@13h", "2024-02-29T09:00:00.000Z"],
    ],
    "1970-01-01T00:00:00.000Z": [
      ["@20m", "1970-01-01T00:00:00.000Z"],
      ["@7m", "1969-12-31T23:59:00.000Z"],
      ["@168h", "1969-12-29T00:00:00.000Z"],
      ["@13h", "1969-12-31T15:00:00.000Z"],
    ],
    "1969-12-31T23:59:59.999Z": [
      ["@20m", "1969-12-31T23:40:00.000Z"],
      ["+2h@20m", "1970-01-01T01:40:00.000Z"],
      ["@7m", "1969-12-31T23:59:00.000Z"],
      ["+1h30m@7m", "1970-01-01T01:23:00.000Z"],
      ["@250ms", "1969-12-31T23:59:59.750Z"],
      ["-0.1ms", "1969-12-31T23:59:59.998Z"],
    ],
    "0001-01-01T00:00:01.000Z": [
      ["", "0001-01-01T00:00:01.000Z"],
      ["@7m", "0001-01-01T00:00:00.000Z"],
      ["@168h", "0001-01-01T00:00:00.000Z"],
    ],
  };

/**
 * An instant, then its date, weekday and time of day as Go prints them in Asia/Dubai. The day's
 * label is written by hand.
 */
const SHOWN: readonly (readonly [instant: string, dubai: string, daylabel: string])[] = [
  ["2026-10-05T12:00:00.000Z", "2026-10-05 Monday 16:00", "Mon, 5th Oct"],
  ["2026-10-09T00:20:00.000Z", "2026-10-09 Friday 04:20", "Fri, 9th Oct"],
  ["2026-10-04T19:59:59.999Z", "2026-10-04 Sunday 23:59", "Sun, 4th Oct"],
  ["2026-10-04T20:00:00.000Z", "2026-10-05 Monday 00:00", "Mon, 5th Oct"],
  ["2026-12-31T19:59:59.000Z", "2026-12-31 Thursday 23:59", "Thu, 31st Dec"],
  ["2026-12-31T20:00:00.000Z", "2027-01-01 Friday 00:00", "Fri, 1st Jan"],
  ["2024-02-28T20:00:00.000Z", "2024-02-29 Thursday 00:00", "Thu, 29th Feb"],
  ["2024-02-29T20:00:00.000Z", "2024-03-01 Friday 00:00", "Fri, 1st Mar"],
  ["2025-02-28T20:00:00.000Z", "2025-03-01 Saturday 00:00", "Sat, 1st Mar"],
  ["2100-02-28T20:00:00.000Z", "2100-03-01 Monday 00:00", "Mon, 1st Mar"],
  ["1970-01-01T00:00:00.000Z", "1970-01-01 Thursday 04:00", "Thu, 1st Jan"],
  ["1969-12-31T19:59:59.500Z", "1969-12-31 Wednesday 23:59", "Wed, 31st Dec"],
];

const ORDINALS =
  ("1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th 13th 14th 15th 16th 17th 18th 19th 20th " +
    "21st 22nd 23rd 24th 25th 26th 27th 28th 29th 30th 31st").split(" ");

Deno.test("an instant is shifted and rounded as Go does it", async (t) => {
  for (const [now, rows] of Object.entries(TRUNCATED)) {
    await t.step(now, () => {
      for (const [suffix, instant] of rows) {
        assert.equal(instantOf(`now${suffix}`, Date.parse(now)), instant, `now${suffix}`);
      }
    });
  }
});

Deno.test("a rounded instant is the last multiple, counted from the year 1", () => {
  const yearOne = BigInt(Date.parse("0001-01-01T00:00:00Z")) * 1_000_000n;
  const milliseconds = fc.integer({ min: -4e12, max: 8e12 });
  // Steps of whole milliseconds, so that nothing is lost when the outcome is one.
  const steps = fc.integer({ min: 1, max: 2_000_000_000 }).map((ms) => BigInt(ms) * 1_000_000n);
  const offsets = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });
  fc.assert(
    fc.property(milliseconds, offsets, steps, (now, offset, step) => {
      const rounded = BigInt(shiftTime(now, offset, step)) * 1_000_000n;
      const exact = BigInt(now) * 1_000_000n + offset;
      assert.equal((rounded - yearOne) % step, 0n);
      assert(rounded <= exact && exact < rounded + step, `${rounded} ${exact}`);
    }),
  );
});

Deno.test("an instant that is not rounded keeps its milliseconds and drops what is finer", () => {
  const milliseconds = fc.integer({ min: -4e12, max: 8e12 });
  fc.assert(
    fc.property(milliseconds, fc.integer({ min: -1e9, max: 1e9 }), (now, microseconds) => {
      const shifted = shiftTime(now, BigInt(microseconds) * 1000n);
      assert.equal(shifted, now + Math.floor(microseconds / 1000));
    }),
  );
});

Deno.test("an instant is shown in UTC with whole seconds, or in Dubai's words", () => {
  for (const [instant, dubai, daylabel] of SHOWN) {
    const ms = Date.parse(instant);
    assert.equal(formatTime(ms), instant.replace(/\.\d+Z$/, "Z"));
    const formats = ["date", "weekday", "hhmm"] as const;
    assert.equal(formats.map((format) => formatTime(ms, format)).join(" "), dubai, instant);
    assert.equal(formatTime(ms, "daylabel"), daylabel, instant);
  }
});

Deno.test("every day of a month has its ordinal", () => {
  assert.equal(ORDINALS.length, 31);
  const weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
  for (const [index, ordinal] of ORDINALS.entries()) {
    const label = formatTime(Date.UTC(2026, 9, index + 1, 12), "daylabel");
    assert.equal(label, `${weekdays[index % 7]}, ${ordinal} Oct`);
  }
});

Deno.test("every month has its name", () => {
  const labels = Array.from(
    { length: 12 },
    (_, month) => formatTime(Date.UTC(2026, month, 15), "daylabel").split(" ").at(-1),
  );
  assert.equal(labels.join(" "), "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec");
});

Deno.test("Dubai's time is the runtime's own for Asia/Dubai", () => {
  const formatter = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Asia/Dubai",
    weekday: "long",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1930), max: Date.UTC(2200) }), (ms) => {
      const parts = new Map(formatter.formatToParts(ms).map(({ type, value }) => [type, value]));
      const date = `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
      assert.equal(formatTime(ms, "date"), date);
      assert.equal(formatTime(ms, "weekday"), parts.get("weekday"));
      assert.equal(formatTime(ms, "hhmm"), `${parts.get("hour")}:${parts.get("minute")}`);
    }),
  );
});

Deno.test("no duration in reach of a template leads out of the calendar", () => {
  const longest = parseDuration("2562047h47m16.854775807s")!;
  const now = Date.UTC(2026, 9, 5);
  for (const ms of [shiftTime(now, longest), shiftTime(now, -longest, longest)]) {
    assert.match(formatTime(ms), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.match(formatTime(ms, "date"), /^\d{4}-\d\d-\d\d$/);
  }
});
