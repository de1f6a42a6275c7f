import assert from "node:assert/strict";
import { openConsole, openEvents, resultOf } from "./_console.ts";

Deno.test("calls are listed newest first, as filters and pages say", async () => {
  await using console = await openConsole();
  const client = (name: string) => ({ client: { name, version: "1" } });
  console.write(
    {
      ...{ id: "1", tool: "pay_show_wallet", ...client("Claude"), session: "S1" },
      result: { content: [], structuredContent: { error: "no wallet" }, isError: false },
    },
    { id: "2", arguments: { order_id: "ORD-1" }, scenario: "first", why: "rule", isError: false },
    { id: "3", pending: true, delayMs: 500, arguments: { order_id: "slow" } },
    { id: "4", problem: "it broke", isError: true, ...client("codex") },
    { id: "3", delayMs: 500, arguments: { order_id: "slow" }, scenario: "unknown", ms: 501 },
    { id: "5", fault: "503", tool: "food_find_dish" },
  );
  const ids = async (query: string): Promise<[string, boolean]> => {
    const { body } = await console.get(`/api/calls?${query}`);
    return [body.calls.map(({ id }: { id: string }) => id).join(""), body.more];
  };
  const cases: [string, string, boolean?][] = [
    ["", "54321"],
    ["tool=order_track", "432"],
    ["scenario=FIRST", "2"],
    ["client=cla", "1"],
    ["session=S1", "1"],
    ["errors=1", "541"],
    ["q=broke", "4"],
    ["q=ORD-1", "2"],
    ["q=CODEX", "4"],
    ["q=pay_", "1"],
    ["limit=2", "54", true],
    ["limit=2&before=4", "32", true],
    ["limit=2&before=2", "1"],
    ["before=nobody", ""],
    ["tool=order_track&errors=1&q=broke", "4"],
  ];
  for (const [query, expected, more = false] of cases) {
    assert.deepEqual(await ids(query), [expected, more], query);
  }
  const { body } = await console.get("/api/calls?q=slow");
  assert.equal(body.calls[0].pending, undefined, "a call that waited shows how it ended");
  assert.equal(body.calls[0].arguments, '{"order_id":"slow"}');
  const wallet = await console.get("/api/calls?q=pay_");
  assert.equal(wallet.body.calls[0].error, "no wallet");
});

Deno.test("a call tells what answered it, why rules above did not, and how to do it again", async () => {
  await using console = await openConsole();
  const args = { order_id: "ORD-7", place: { latitude: 25.1, longitude: 55 } };
  console.write({
    id: "one",
    arguments: args,
    scenario: "near",
    why: "rule",
    result: resultOf({}),
  });
  const { body } = await console.get("/api/calls/one");
  assert.equal(body.call.arguments.order_id, "ORD-7");
  assert.deepEqual(body.rules, [
    {
      scenario: "first",
      line: body.rules[0].line,
      rule: { order_id: "ORD-1" },
      matched: false,
      differences: [{ path: "order_id", want: "ORD-1", got: "ORD-7" }],
    },
    {
      scenario: "near",
      line: body.scenario.line,
      rule: { place: { latitude: 25.1 } },
      matched: true,
      differences: [],
    },
  ]);
  assert.equal(body.scenario.file, console.project.path("tools/orders/order_track.md"));
  const line =
    console.project.read("tools/orders/order_track.md").split("\n")[body.scenario.line - 1];
  assert.equal(line, "## Scenario: near");
  assert.equal(body.commands.call, `careem-mcp call order_track ${JSON.stringify(args)}`);
  assert.equal(
    body.commands.verify,
    `careem-mcp verify order_track --args ${JSON.stringify(args)}`,
  );
  assert.equal((await console.get("/api/calls/two")).status, 404);
});

Deno.test("what a client makes up comes through as data", async () => {
  await using console = await openConsole();
  const hostile = {
    order_id: "<img src=x onerror=alert(1)></script>",
    turned: "\u202egnp.exe\u2066 شاورما",
    __proto__: null,
    "</script>": "\u2028\u0000\ud800",
  };
  const big = JSON.stringify({ text: "<b>".repeat(1_400_000) });
  console.write(
    { id: "hostile", arguments: JSON.parse(JSON.stringify(hostile)), tool: "<script>" },
    { id: "big", arguments: big.slice(0, 65_536), argumentsCutFrom: big.length },
  );
  const { body } = await console.get("/api/calls");
  const [first, second] = body.calls;
  assert.equal(first.arguments.length, 301);
  assert(first.arguments.endsWith("…"));
  assert.equal(second.tool, "<script>");
  assert.deepEqual(JSON.parse(second.arguments), JSON.parse(JSON.stringify(hostile)));
  const response = await fetch(new URL("/api/calls/hostile", console.url));
  assert.equal(response.headers.get("content-type"), "application/json");
  const shown = await response.json();
  assert.deepEqual(shown.call.arguments, JSON.parse(JSON.stringify(hostile)));
  assert.doesNotMatch(
    shown.commands.call,
    /[\u202e\u2066\u2028]/,
    "a terminal is not turned around",
  );
  // Bodies of that size go in as well.
  const text = "م".repeat(2_000_000);
  const preview = { tool: "food_find_dish", arguments: { query: text } };
  const answered = await console.send("POST", "/api/preview", preview);
  assert.deepEqual([answered.status, answered.body.scenario], [200, "nothing"]);
});

Deno.test("ten thousand calls are listed, filtered and opened in no time", async () => {
  await using console = await openConsole();
  const result = resultOf({ order: "x".repeat(500) });
  console.write(...Array.from({ length: 10_000 }, (_, nth) => ({
    id: `n${nth}`,
    arguments: { order_id: `ORD-${nth}` },
    scenario: "unknown",
    result,
    ...(nth % 1_000 === 0 && { isError: true }),
  })));
  const timed = async (path: string) => {
    const started = performance.now();
    const { body } = await console.get(path);
    return { body, ms: performance.now() - started };
  };
  const all = await timed("/api/calls");
  assert.deepEqual([all.body.calls.length, all.body.calls[0].id, all.body.more], [
    200,
    "n9999",
    true,
  ]);
  const errors = await timed("/api/calls?errors=1");
  assert.equal(errors.body.calls.length, 10);
  const last = await timed("/api/calls?q=ORD-0%22");
  assert.deepEqual(last.body.calls.map(({ id }: { id: string }) => id), ["n0"]);
  const one = await timed("/api/calls/n17");
  assert.equal(one.body.call.arguments.order_id, "ORD-17");
  const seen = new Set<string>();
  for (let before = "";;) {
    const { body } = await console.get(`/api/calls?limit=1000${before && `&before=${before}`}`);
    for (const { id } of body.calls) seen.add(id);
    before = body.calls.at(-1).id;
    if (!body.more) break;
  }
  assert.equal(seen.size, 10_000);
  const slowest = Math.max(...[all, errors, last, one].map(({ ms }) => ms));
  assert(slowest < 2_000, `${slowest} ms`);
});

Deno.test("a page hears of calls within a second, and of a journal that was cleared or set aside", async () => {
  await using console = await openConsole();
  console.write({ id: "before" });
  await using events = await openEvents(console.url);
  const first = await events.next("calls");
  assert.deepEqual(first.calls.map(({ id }: { id: string }) => id), ["before"]);
  const soon = async (ids: string[]): Promise<void> => {
    const started = performance.now();
    const { calls } = await events.next("calls");
    assert.deepEqual(calls.map(({ id }: { id: string }) => id), ids);
    assert(performance.now() - started < 1_000);
  };
  console.write({ id: "a" }, { id: "b", pending: true, delayMs: 10 });
  await soon(["b", "a"]);
  console.write({ id: "b", delayMs: 10, ms: 11 });
  await soon(["b"]);
  const path = console.project.path(".run", "calls.jsonl");
  Deno.renameSync(path, console.project.path(".run", "calls.1.jsonl"));
  console.write({ id: "c" });
  await soon(["c"]);
  assert.equal((await console.send("DELETE", "/api/calls")).status, 200);
  await events.next("cleared");
  assert.deepEqual((await console.get("/api/calls")).body.calls, []);
  console.write({ id: "d" });
  await soon(["d"]);
});

Deno.test("of many calls at once the newest are shown and the rest is counted", async () => {
  await using console = await openConsole();
  await using events = await openEvents(console.url);
  await events.next("calls");
  const many = Array.from({ length: 5_000 }, (_, nth) => ({ id: `n${nth}` }));
  console.write(...many);
  let [shown, counted] = [0, 0];
  let newest = "";
  while (shown + counted < 5_000) {
    const { calls, skipped } = await events.next("calls");
    assert(calls.length <= 250);
    shown += calls.length;
    counted += skipped;
    newest = calls[0].id;
  }
  assert.deepEqual([shown + counted, newest], [5_000, "n4999"]);
  const large = { result: resultOf({ order: "x".repeat(60_000) }) };
  console.write(...Array.from({ length: 40 }, () => large));
  for (let [shown, counted] = [0, 0]; shown + counted < 40;) {
    const { calls, skipped } = await events.next("calls");
    assert(calls.length <= 8);
    shown += calls.length;
    counted += skipped;
  }
});
