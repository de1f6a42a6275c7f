import assert from "node:assert/strict";
import { createLog, type LogFormat } from "../../lib/server/log.ts";
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
