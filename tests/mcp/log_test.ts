import assert from "node:assert/strict";
import { createLog, type LogFormat } from "../../lib/mcp/log.ts";
import type { Selection } from "../../lib/scenario/select.ts";

const NOON = new Date(2026, 9, 9, 12, 5, 7);

function lines(format: LogFormat, write: (log: ReturnType<typeof createLog>) => void): string[] {
  const written: string[] = [];
  write(createLog(format, (line) => written.push(line), () => NOON));
  return written;
}

function chosen(name: string, reason: Selection["reason"]): Selection {
  return { scenario: { name, line: 1, isError: false, template: { segments: [] } }, reason };
}

Deno.test("the text log has one line a call: time, tool, scenario, arguments", () => {
  const args = { query: 'su"shi\n', n: 1 };
  assert.deepEqual(
    lines("text", (log) => {
      log.call({ tool: "food_merchant_search", selection: chosen("sushi", "match"), args });
      log.call({ tool: "ride_book", selection: chosen("no-captains", "forced"), args: {} });
      log.call({
        tool: "ride_book",
        selection: undefined,
        args: [],
        problem: "bad\u001b[31m\nworse",
      });
      log.note("a note");
    }),
    [
      '12:05:07 food_merchant_search sushi {"query":"su\\"shi\\n","n":1}',
      "12:05:07 ride_book no-captains (forced) {}",
      "12:05:07 ride_book - []",
      "         bad\\u001b[31m",
      "         worse",
      "12:05:07 a note",
    ],
  );
});

Deno.test("the JSON log has one object a line", () => {
  const written = lines("json", (log) => {
    log.call({ tool: "ride_book", selection: chosen("no-captains", "forced"), args: { a: "\n" } });
    log.call({ tool: "ride_book", selection: undefined, args: {}, problem: "bad\nworse" });
    log.note("a note");
  });
  const time = NOON.toISOString();
  assert.deepEqual(written.map((line) => JSON.parse(line)), [
    { time, tool: "ride_book", scenario: "no-captains", forced: true, args: { a: "\n" } },
    { time, tool: "ride_book", scenario: null, forced: false, args: {}, problem: "bad\nworse" },
    { time, message: "a note" },
  ]);
  for (const line of written) assert(!line.includes("\n"));
});

/** What a terminal obeys, or takes for the end of a line, beside the letters that it shows. */
const OBEYED =
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const HOSTILE = "\u001b[31m \u009b31m \u009d0;title\u0007 \u0085FORGED \u2028 \u202e \u007f \r\n";

for (const format of ["text", "json"] as const) {
  Deno.test(`nothing that a client sends can forge a line or a colour of the ${format} log`, () => {
    const written = lines(format, (log) => {
      log.call({
        tool: "ride_book",
        selection: chosen(HOSTILE, "match"),
        args: { [HOSTILE]: HOSTILE },
        problem: HOSTILE.replaceAll("\n", ""),
      });
      log.note(HOSTILE);
    });
    assert.equal(written.length, format === "text" ? 3 : 2);
    for (const line of written) assert.doesNotMatch(line, OBEYED);
    if (format === "json") {
      assert.deepEqual(JSON.parse(written[0]!).args, { [HOSTILE]: HOSTILE });
    }
  });

  Deno.test(`what is very long is cut in the ${format} log, which says so`, () => {
    const long = "x".repeat(4_000_000);
    const written = lines(format, (log) => {
      log.call({ tool: "ride_book", selection: undefined, args: { long }, problem: long });
      log.call({ tool: long, selection: undefined, args: {} });
      log.note(long);
    });
    for (const line of written) assert(line.length < 70_000, String(line.length));
    assert.match(written[0]!, format === "text" ? /… \(3998011 more/ : /"argsLeftOut":4000011/);
  });
}
