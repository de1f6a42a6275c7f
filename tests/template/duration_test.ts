import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDuration } from "../../lib/template/duration.ts";

/** Durations and their nanoseconds, as Go's `time.ParseDuration` gives them. */
const DURATIONS: readonly (readonly [text: string, nanoseconds: bigint])[] = [
  ["0s", 0n],
  ["00s", 0n],
  ["0h0m0s", 0n],
  ["5s", 5_000_000_000n],
  ["5.s", 5_000_000_000n],
  [".5s", 500_000_000n],
  ["1.0s", 1_000_000_000n],
  ["1.004s", 1_004_000_000n],
  ["1.0040s", 1_004_000_000n],
  ["100.00100s", 100_001_000_000n],
  ["14s", 14_000_000_000n],
  ["90s", 90_000_000_000n],
  ["10ms", 10_000_000n],
  ["250ms", 250_000_000n],
  ["1.5ms", 1_500_000n],
  ["0.1ms", 100_000n],
  ["0.000001ms", 1n],
  ["0.0000019ms", 1n],
  ["0.0000001ms", 0n],
  ["15m", 900_000_000_000n],
  ["0.7m", 42_000_000_000n],
  ["1h30m", 5_400_000_000_000n],
  ["30m1h", 5_400_000_000_000n],
  ["1.5h", 5_400_000_000_000n],
  [".5h", 1_800_000_000_000n],
  ["0.1h", 360_000_000_000n],
  ["1h1h", 7_200_000_000_000n],
  ["1m1ms", 60_001_000_000n],
  ["1ms1m", 60_001_000_000n],
  ["1h0.5m", 3_630_000_000_000n],
  ["10.5s4m", 250_500_000_000n],
  ["39h9m14.425s", 140_954_425_000_000n],
  ["168h", 604_800_000_000_000n],
  ["0.100000000000000000000h", 360_000_000_000n],
  ["0.830103483285477580700h", 2_988_372_539_827n],
  ["0.9223372036854775807h", 3_320_413_933_267n],
  ["9007199.254740993s", 9_007_199_254_740_993n],
  ["0000000000000000000000000000001h", 3_600_000_000_000n],
  // The longest that Go can hold.
  ["9223372036s", 9_223_372_036_000_000_000n],
  ["9223372036.854775807s", 9_223_372_036_854_775_807n],
  ["2562047h47m16.854775807s", 9_223_372_036_854_775_807n],
];

/** What is no duration: Go refuses it too, save for signs and units that are not in the table. */
const NONE: readonly string[] = [
  ...["", ".", ".s", "s", "h", "ms", "1", "1.", "15", "1h30", "..5s", "1.2.3s", "1,5h"],
  ...["+1h", "-1h", "1h-30m", "1h+30m", "--1h"],
  ...[" 1h", "1h ", "1 h", "1h 30m", "30 m", "1h\n", "\t1h", "1\u00a0h"],
  ...["1H", "1M", "1S", "1Ms", "1MS", "1mS"],
  ...["1d", "1w", "1y", "1ns", "1us", "1µs", "1μs", "1min", "1sec", "1hour", "1mss", "1hh", "1hms"],
  ...["1e3s", "1E3s", "0x10s", "1_000s", "Infinitys", "NaNs", "٣h", "３h", "½h"],
  ...["15m@20m", "15m|date", "1h,", "(1h)", "PT15M", "00:15"],
  ...["2562047h47m16.854775808s", "2562047h48m", "9223372037s", "99999999999999999999h"],
];

Deno.test("a duration is worth what Go says", () => {
  for (const [text, nanoseconds] of DURATIONS) {
    assert.equal(parseDuration(text), nanoseconds, text);
  }
});

Deno.test("a bare zero is a duration, as Go has it", () => {
  assert.equal(parseDuration("0"), 0n);
});

Deno.test("a fraction with very many digits is worth what Go says", () => {
  // Go counts fractions as doubles, so a third of an hour in 19 digits is 20 minutes sharp.
  assert.equal(parseDuration("0.3333333333333333333h"), 1_200_000_000_000n);
  assert.equal(parseDuration("0.99999999999999999999s"), 1_000_000_000n);
});

Deno.test("what Go would not read, or only with other units, is no duration", () => {
  for (const text of NONE) assert.equal(parseDuration(text), undefined, JSON.stringify(text));
});

Deno.test("the parts of a duration add up, whatever their order", () => {
  const nanoseconds = {
    ms: 1_000_000n,
    s: 1_000_000_000n,
    m: 60_000_000_000n,
    h: 3_600_000_000_000n,
  };
  const part = fc.record({
    thousandths: fc.nat({ max: 5_000_000 }),
    unit: fc.constantFrom("ms", "s", "m", "h"),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const text = parts.map(({ thousandths, unit }) => `${thousandths / 1000}${unit}`).join("");
      const total = parts.reduce(
        (sum, { thousandths, unit }) => sum + BigInt(thousandths) * nanoseconds[unit] / 1000n,
        0n,
      );
      assert.equal(parseDuration(text), total, text);
    }),
  );
});
