import assert from "node:assert/strict";
import { type Body, openConsole, openEvents, resultOf } from "./_console.ts";

Deno.test("what is forced is what the command line forces, and the other way round", async () => {
  await using console = await openConsole();
  const { project } = console;
  const steps = [{ scenario: "NEAR", times: 2 }, { fault: 503, delay: "1500ms" }];
  const put = await console.send("PUT", "/api/forced/order_track", { steps });
  assert.equal(put.status, 200);
  const [entry] = put.body.entries;
  assert.deepEqual(entry, {
    key: "order_track",
    steps: [{ scenario: "near", times: 2 }, { fault: "503", delay: "1.5s" }],
    text: "near (2 times), fault 503 after 1.5s",
    progress: "0 calls so far; next: near",
  });
  const listed = await project.run(["scenario"]);
  assert.match(listed.out, /order_track +near \(2 times\), fault 503 after 1\.5s +0 calls so far/);

  console.write({ tool: "order_track" }, { tool: "order_track" }, { tool: "pay_show_wallet" });
  const { body } = await console.get("/api/forced");
  assert.equal(body.entries[0].progress, "2 calls so far; next: fault 503 after 1.5s");

  await project.run(["fault", "/", "404", "--times", "2"]);
  await console.send("PUT", "/api/forced/*", { steps: [{ delay: "800ms" }] });
  await console.send("PUT", "/api/forced/pay_show_wallet", { steps: [{ scenario: "balance" }] });
  assert.deepEqual(
    (await console.get("/api/forced")).body.entries.map(({ key, text }: Body) => [key, text]),
    [
      ["order_track", "near (2 times), fault 503 after 1.5s"],
      ["/", "fault 404 (2 times)"],
      ["*", "by arguments after 800ms"],
      ["pay_show_wallet", "balance"],
    ],
  );
  const written = JSON.parse(project.read(".run/overrides.json"));
  assert.equal(written.pay_show_wallet, "balance", "short where it can be");
  assert.deepEqual(written["*"], { delay: "800ms" });

  assert.equal((await console.send("DELETE", "/api/forced/%2F")).status, 200);
  assert.equal((await console.send("DELETE", "/api/forced/%2F")).status, 404);
  assert.deepEqual((await console.send("DELETE", "/api/forced")).body.entries, []);
  assert.equal((await project.run(["scenario"])).out, "Nothing is forced.\n");
});

Deno.test("a page hears of what is forced, and of problems of both kinds of files", async () => {
  await using console = await openConsole();
  const { project } = console;
  await using events = await openEvents(console.url);
  assert.deepEqual(await events.next("forced"), { entries: [], problems: [] });
  assert.deepEqual(await events.next("problems"), { problems: [] });

  project.write(
    ".run/overrides.json",
    '{\n"order_track": "nowhere",\n"pay_show_wallet": "balance"\n}',
  );
  const forced = await events.next("forced");
  assert.deepEqual(forced.entries.map(({ key }: Body) => key), ["pay_show_wallet"]);
  assert.equal(forced.problems[0].line, 2);
  const { problems: [override] } = await events.next("problems");
  assert.deepEqual([override.severity, override.file, override.line], [
    "error",
    project.overrides,
    2,
  ]);

  project.write(".run/overrides.json", "{}");
  await events.next("problems");
  const file = "tools/pay/pay_show_wallet.md";
  const text = project.read(file);
  project.write(file, text.replace('{"balance":12.5}', '{"balance":}'));
  const { problems: [broken] } = await events.next("problems");
  assert.deepEqual([broken.severity, broken.file], ["error", project.path(file)]);
  assert.equal(project.read(file).split("\n")[broken.line - 1], '{"balance":}');
  const { body } = await console.get("/api/tools");
  const tool = body.tools.find(({ name }: Body) => name === "pay_show_wallet");
  assert.match(tool.isBroken, /not valid JSON/);
  assert.equal((await console.get("/api/tools/pay_show_wallet")).status, 409);
  project.write(file, text);
  assert.deepEqual(await events.next("problems"), { problems: [] });

  const counting = { steps: [{ scenario: "near" }, { scenario: "first" }, {}] };
  await console.send("PUT", "/api/forced/order_track", counting);
  assert.match((await events.next("forced")).entries[0].progress, /^0 calls so far; next: near/);
  console.write({ tool: "order_track" });
  const after = await events.next("forced");
  assert.match(after.entries[0].progress, /^1 call so far; next: first/);
});

Deno.test("a call becomes a scenario that answers the next like it, and `check` is green", async () => {
  await using console = await openConsole();
  const { project } = console;
  const file = "tools/orders/order_track.md";
  const before = project.read(file);
  console.write({
    id: "c",
    arguments: { order_id: "ORD-7" },
    result: resultOf({ order: "ORD-7" }),
  });
  const addition = { tool: "order_track", name: "seventh", call: "c" };
  const shown = await console.send("POST", "/api/scenarios", { ...addition, dryRun: true });
  assert.deepEqual([shown.status, project.read(file)], [200, before]);
  const { status, body } = await console.send("POST", "/api/scenarios", addition);
  assert.deepEqual([status, body], [200, shown.body], "as it was shown");
  assert.deepEqual(
    [body.file, body.how, body.findings, body.changes],
    [project.path(file), "when order_id = ORD-7", [], [
      { path: "order", before: "ORD-7", after: "{{args.order_id}}" },
    ]],
  );
  assert.equal(project.read(file).split("\n")[body.line - 1], "## Scenario: seventh");
  assert(project.read(file).includes(body.text));
  assert.equal((await project.run(["check"])).code, 0);
  assert.match((await project.run(["call", "order_track", "order_id=ORD-7"])).err, /seventh/);

  const again = await console.send("POST", "/api/scenarios", addition);
  assert.deepEqual([again.status, /is taken by the scenario in/.test(again.body.error)], [
    409,
    true,
  ]);
  const rule = await console.send("POST", "/api/scenarios", {
    ...addition,
    name: "like it",
    match: '{"order_id": "~ord-7"}',
    literal: true,
    dryRun: true,
  });
  assert.equal(rule.body.how, "when order_id ~ ord-7");
  const wrong = await console.send("POST", "/api/scenarios", {
    ...addition,
    name: "x",
    match: "y",
  });
  assert.deepEqual([wrong.status, wrong.body.error], [
    400,
    "The arguments have no `y`; name other keys.",
  ]);
});

Deno.test("tools, scenarios and what they would answer", async () => {
  await using console = await openConsole();
  const { body: { tools } } = await console.get("/api/tools");
  assert.deepEqual(
    tools.map(({ name, domain, scenarios }: Body) => [name, domain, scenarios]),
    [["food_find_dish", "food", 5], ["order_track", "orders", 3], ["pay_show_wallet", "pay", 1]],
  );
  const { body: tool } = await console.get("/api/tools/food_find_dish");
  assert.deepEqual(tool.sample, { query: "sample" });
  assert.equal(tool.definition.inputSchema.properties.limit.default, 5);
  assert.deepEqual(
    tool.scenarios.map(({ name, match, default: isDefault, byForce }: Body) => [
      name,
      match,
      isDefault,
      byForce,
    ]),
    [
      ["sushi", { query: "~sushi" }, false, false],
      ["all", { query: "*", limit: 20 }, false, false],
      ["nothing", null, true, false],
      ["upstream-unavailable", null, false, true],
      ["unauthorized", null, false, true],
    ],
  );
  const find = async (word: string) =>
    (await console.get(`/api/find?q=${encodeURIComponent(word)}`)).body.found
      .map(({ tool, scenario, in: place }: Body) => `${tool} ${scenario} ${place}`);
  assert.deepEqual(await find("Kibbeh"), ["food_find_dish all answer"]);
  assert.deepEqual(await find("~SUSHI"), ["food_find_dish sushi rule"]);
  assert.deepEqual(await find("upstream-"), ["food_find_dish upstream-unavailable name"]);
  assert.equal((await find("Track an")).length, 3);

  console.project.write(".run/overrides.json", '{"food_find_dish": {"fault": "hang"}}');
  const preview = async (body: object) => (await console.send("POST", "/api/preview", body)).body;
  const sushi = { tool: "food_find_dish", arguments: { query: "sushi" } };
  const ruled = await preview(sushi);
  assert.deepEqual([ruled.scenario, ruled.why, ruled.rule], ["sushi", "rule", { query: "~sushi" }]);
  assert.deepEqual(ruled.result.structuredContent, { dishes: ["Salmon roll"], limit: 5 });
  const forced = await preview({ ...sushi, scenario: "unauthorized" });
  assert.deepEqual([forced.scenario, forced.why, forced.result.isError], [
    "unauthorized",
    "forced",
    true,
  ]);
  const invalid = await preview({ ...sushi, arguments: { limit: 0 } });
  assert.deepEqual([invalid.scenario, invalid.why], [null, "invalid"]);
  assert.match(invalid.problem, /properties\/limit: minimum/);
  assert.deepEqual((await console.get("/api/calls")).body.calls, [], "nothing is written down");
});

Deno.test("what comes with the program is shown and not written", async () => {
  await using console = await openConsole({ embedded: true });
  console.write({ id: "c", arguments: { order_id: "7" }, result: resultOf({ order: "7" }) });
  const { body } = await console.send("POST", "/api/scenarios", {
    tool: "order_track",
    name: "x",
    call: "c",
  });
  assert.match(body.error, /come with the program.*careem-mcp eject/);
  assert.equal((await console.get("/api/about")).body.tools, null);
  assert.equal((await console.get("/api/tools/order_track")).body.file, null);
  assert.equal((await console.get("/api/calls/c")).body.scenario, undefined);
  assert.equal((await console.get("/api/problems")).status, 200);
});
