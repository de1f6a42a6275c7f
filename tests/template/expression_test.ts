import assert from "node:assert/strict";
import {
  type Expression,
  ExpressionError,
  parseExpression,
} from "../../lib/template/expression.ts";

const MINUTE = 60_000_000_000n;
const HOUR = 60n * MINUTE;
const LARGEST = Number.MAX_SAFE_INTEGER;

const EXPRESSIONS: readonly (readonly [text: string, expression: Expression])[] = [
  ["uuid", { kind: "uuid" }],
  ["args.a", { kind: "args", path: ["a"] }],
  ["args.a.b.0.c", { kind: "args", path: ["a", "b", "0", "c"] }],
  ["args.ride-id", { kind: "args", path: ["ride-id"] }],
  ["args.اسم", { kind: "args", path: ["اسم"] }],
  ["args.args.now", { kind: "args", path: ["args", "now"] }],
  ["args.__proto__.x", { kind: "args", path: ["__proto__", "x"] }],
  ["now", { kind: "now", offset: 0n }],
  ["now+15m", { kind: "now", offset: 15n * MINUTE }],
  ["now-2h", { kind: "now", offset: -2n * HOUR }],
  ["now+1h30m", { kind: "now", offset: 90n * MINUTE }],
  ["now-1h30m", { kind: "now", offset: -90n * MINUTE }],
  ["now+.5h", { kind: "now", offset: 30n * MINUTE }],
  ["now+0s", { kind: "now", offset: 0n }],
  ["now-0", { kind: "now", offset: 0n }],
  ["now@20m", { kind: "now", offset: 0n, round: 20n * MINUTE }],
  ["now+2h@20m", { kind: "now", offset: 2n * HOUR, round: 20n * MINUTE }],
  ["now-2h@1h30m", { kind: "now", offset: -2n * HOUR, round: 90n * MINUTE }],
  ["now|date", { kind: "now", offset: 0n, format: "date" }],
  ["now+24h|weekday", { kind: "now", offset: 24n * HOUR, format: "weekday" }],
  ["now-24h|daylabel", { kind: "now", offset: -24n * HOUR, format: "daylabel" }],
  ["now@20m|hhmm", { kind: "now", offset: 0n, round: 20n * MINUTE, format: "hhmm" }],
  ["now+2h@20m|hhmm", {
    kind: "now",
    offset: 2n * HOUR,
    round: 20n * MINUTE,
    format: "hhmm",
  }],
  ["unix", { kind: "unix", offset: 0n }],
  ["unix+30m", { kind: "unix", offset: 30n * MINUTE }],
  ["unix-30m", { kind: "unix", offset: -30n * MINUTE }],
  ["unixms", { kind: "unixms", offset: 0n }],
  ["unixms+30m", { kind: "unixms", offset: 30n * MINUTE }],
  ["unixms-250ms", { kind: "unixms", offset: -250_000_000n }],
  ["rand:1-6", { kind: "rand", min: 1, max: 6 }],
  ["rand:0-0", { kind: "rand", min: 0, max: 0 }],
  ["rand:7-7", { kind: "rand", min: 7, max: 7 }],
  [`rand:0-${LARGEST}`, { kind: "rand", min: 0, max: LARGEST }],
  [`rand:${LARGEST}-${LARGEST}`, { kind: "rand", min: LARGEST, max: LARGEST }],
];

/** What is not in the table of expressions, by the remedy that its message gives. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "use args.<path>, now, unix, unixms, uuid or rand:MIN-MAX": [
    ...["", "args", "arg.a", "Args.a", "argsa", "args[0]", "$args.a", "a.b"],
    ...["NOW", "Now", "nowhere", "now 15m", "now15m", "now:15m", "now()", "today"],
    ...["unixs", "unix ms", "unixMs", "UNIX", "unixmss", "unixns", "timestamp"],
    ...["uuid4", "UUID", "uuid()", "uuid ", "uuid|date", "uuid+1h", "rand", "random", "Rand:1-6"],
    ...["rand1-6", "{args.a", "'now'", '"now"', "مرحبا"],
  ],
  "write args.key.key": [
    ...["args.", "args..", "args..a", "args.a.", "args.a..b", "args.a b"],
    ...["args.a\tb", "args.a\u00a0b"],
  ],
  "needs two non-negative integers, the smaller first: rand:MIN-MAX": [
    ...["rand:", "rand:6", "rand:-", "rand:1-", "rand:-6", "rand:6-1", "rand:1-2-3", "rand:a-b"],
    ...["rand:-1-6", "rand:+1-6", "rand:1-+6", "rand:1--6", "rand:-6--1"],
    ...["rand:1-6 ", "rand:1.5-6", "rand:1-6.0", "rand:1e1-20"],
    ...[
      "rand:0x1-0x6",
      "rand:1,000-2,000",
      "rand:1..6",
      "rand:1_0-20",
      "rand:١-٦",
      "rand:1-6|date",
    ],
    ...[`rand:0-9007199254740992`, "rand:9007199254740992-9007199254740993"],
    ...["rand:0-99999999999999999999", "rand:9007199254740993-9007199254740992"],
    "rand:0-" + "9".repeat(400),
  ],
  "takes ±duration only, no @ and no |format": [
    ...["unix@20m", "unix+1h@20m", "unix|date", "unix+1h|date", "unix@20m|date", "unix|", "unix@"],
    ...["unixms@20m", "unixms|hhmm", "unixms-1h@20m|hhmm", "unixms|unix"],
  ],
  "use |date, |weekday, |hhmm or |daylabel": [
    ...["now|", "now|time", "now|Date", "now|date ", "now|date|hhmm", "now|iso"],
    ...[
      "now+1h|day",
      "now|hhmm@20m",
      "now|date+1h",
      "now@20m|unix",
      "now|toString",
      "now|date,hhmm",
    ],
  ],
  "write it like 15m, 1h30m or 90s": [
    ...["now+", "now-", "now++1h", "now+-1h", "now--1h", "now+1h+30m", "now+1h-30m"],
    ...["now+1h ", "now+1 h", "now+15", "now+1d", "now+1us", "now+1H", "now+h"],
    ...["now@", "now@20", "now@-20m", "now@+20m", "now@20m ", "now+1h@", "now@1d"],
    ...[
      "now@20m+1h",
      "now+@20m",
      "now-|date",
      "now@|date",
      "now+2h@20m@7m",
      "unix+",
      "unix-1d",
      "unixms+1",
    ],
    ...["now+2562047h48m", "now@2562047h48m", "now-2562047h48m"],
  ],
  "give @ a duration above zero": [
    "now@0s",
    "now@0h0m",
    "now+1h@0ms",
    "now@0.0000001ms|date",
    "now@0",
  ],
  "without them": [
    "now +15m",
    "now +1h",
    "now\u00a0+1h",
    "args. a",
    "args.a .b",
    "rand: 1-6",
    "rand:1 - 6",
    "now| date",
    "now+ 1h",
    "now@ 20m",
    "now | date",
    "now+1h @ 20m",
    "args . id",
    "rand: 1 - 6",
  ],
};

Deno.test("each expression of the table is understood", () => {
  for (const [text, expression] of EXPRESSIONS) {
    assert.deepEqual(parseExpression(text), expression, text);
  }
});

Deno.test("anything else is refused by name, with what would do", async (t) => {
  for (const [remedy, texts] of Object.entries(REFUSED)) {
    await t.step(remedy, () => {
      for (const text of texts) {
        assert.throws(() => parseExpression(text), (error) => {
          assert(error instanceof ExpressionError, String(error));
          assert(error.message.includes(`\`${text}\``), `${error.message} names ${text}`);
          assert(error.message.includes(remedy), `${text}: ${error.message}`);
          return true;
        }, text);
      }
    });
  }
});

Deno.test("a bad duration is quoted", () => {
  assert.throws(() => parseExpression("now+2h@20x|date"), /has the bad duration "20x"/);
  assert.throws(() => parseExpression("unix-1d"), /has the bad duration "1d"/);
});
