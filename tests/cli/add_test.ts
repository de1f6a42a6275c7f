import assert from "node:assert/strict";
import { makeProject } from "./_program.ts";

const FILE = "tools/orders/order_track.md";
const SUSHI = "tools/food/food_find_dish.md";

Deno.test("every form of a recorded answer becomes the same scenario", async () => {
  const value = { order: "ORD-7" };
  const params = { name: "order_track", arguments: { order_id: "ORD-7" } };
  const result = { content: [{ type: "text", text: JSON.stringify(value) }], isError: false };
  const request = { jsonrpc: "2.0", id: 4, method: "tools/call", params };
  const response = { jsonrpc: "2.0", id: 4, result: { ...result, structuredContent: value } };
  const har = (text: string, encoding?: string) => ({
    log: {
      entries: [{ startedDateTime: "2026-01-01T00:00:00Z", request: {}, response: {} }, {
        startedDateTime: "2026-01-01T00:00:00Z",
        request: { postData: { text: JSON.stringify(request) } },
        response: { content: { text, encoding } },
      }],
    },
  });
  const stream = `event: message\ndata: ${JSON.stringify(response)}\n\n`;
  const forms: [string, string, boolean][] = [
    ["result", JSON.stringify(result), false],
    ["structured", JSON.stringify({ structuredContent: value, content: [] }), false],
    ["bare", JSON.stringify(value), false],
    ["response", JSON.stringify(response), false],
    ["event stream", stream, false],
    ["messages", [request, response].map((one) => JSON.stringify(one)).join("\n"), true],
    [
      "inspector",
      JSON.stringify([{
        request: JSON.stringify({ method: "tools/call", params }),
        response: JSON.stringify(result),
      }]),
      true,
    ],
    ["har", JSON.stringify(har(stream)), true],
    ["har base64", JSON.stringify(har(btoa(JSON.stringify(response)), "base64")), true],
  ];
  for (const [form, text, hasArguments] of forms) {
    using project = makeProject();
    const answer = project.write("answer", text);
    const args = hasArguments ? [] : ["--args", "order_id=ORD-7"];
    const before = project.read(FILE);
    const added = await project.run(["add", "order_track", "seventh", "--answer", answer, ...args]);
    assert.deepEqual([added.code, added.err], [0, ""], form);
    assert.match(
      added.out,
      /^ {2}~ order: "ORD-7" → \{\{args\.order_id\}\}\nadded `seventh` in .+order_track\.md:\d+, when order_id = ORD-7\n$/,
      form,
    );
    const after = project.read(FILE);
    const at = after.indexOf("## Scenario: seventh");
    const end = after.indexOf("## Scenario: unknown");
    assert.equal(after.slice(0, at) + after.slice(end), before, form);
    const called = await project.run(["call", "order_track", "order_id=ORD-7", "--value"]);
    assert.deepEqual(JSON.parse(called.out), value, form);
    assert.match(called.err, /seventh/, form);
    assert.equal((await project.run(["check"])).code, 0, form);
  }
});

Deno.test("a call of the journal becomes a scenario before the rule that answered it", async () => {
  using project = makeProject();
  const time = "2026-03-01T10:00:00.000Z";
  const structuredContent = {
    dishes: ["Sushi box 2026-03-01T10:00:00Z"],
    error: "2026-03-01T11:30:10Z",
  };
  const call = {
    ...{
      id: "a-1",
      time,
      pid: 1,
      tool: "food_find_dish",
      arguments: { query: "Sushi box", limit: 3 },
    },
    result: { content: [], structuredContent },
  };
  project.write(".run/calls.jsonl", `${JSON.stringify(call)}\n`);
  const crlf = project.read(SUSHI).replaceAll("\n", "\r\n");
  project.write(SUSHI, crlf);
  const dry = await project.run(["add", "food_find_dish", "box", "--call", "a-1", "--dry-run"]);
  assert.match(dry.out, /would add `box`.+\n## Scenario: box\n[^]+"\{\{now\+1h30m\}\}"/);
  assert.equal(project.read(SUSHI), crlf);
  assert.equal((await project.run(["add", "food_find_dish", "box", "--call", "a-1"])).code, 0);
  const text = project.read(SUSHI);
  assert(text.indexOf("Scenario: box") < text.indexOf("Scenario: sushi"));
  assert(!/[^\r]\n/.test(text));
  assert.match(text, /"dishes": \["\{\{args\.query\}\} 2026-03-01T10:00:00Z"\]/);
  const literal = await project.run([
    "add",
    "food_find_dish",
    "box2",
    "--call",
    "a-1",
    "--literal",
    "--match",
    "query,limit",
  ]);
  assert.match(literal.out, /^added `box2` in .+, when query = "Sushi box", limit = 3\n$/);
  assert.match(project.read(SUSHI), /"error": "2026-03-01T11:30:10Z"/);
});

Deno.test("an answer without arguments is reached by force alone, an error stays one", async () => {
  using project = makeProject();
  const answer = project.write(
    "answer",
    JSON.stringify({ isError: true, content: [{ type: "text", text: '{"error":"{{no}}"}' }] }),
  );
  const run = (...flags: string[]) =>
    project.run(["add", "food_find_dish", "down", "--answer", answer, ...flags]);
  const refused = await run();
  assert.match(refused.err, /`error` of the answer holds \{\{.+\n.+--literal/);
  assert.match((await run("--literal")).out, /^added `down` in .+, by force alone\n$/);
  const called = await project.run([
    "call",
    "food_find_dish",
    "query=x",
    "--scenario",
    "down",
    "--value",
  ]);
  assert.deepEqual([called.code, JSON.parse(called.out)], [1, { error: "{{no}}" }]);
});

Deno.test("what cannot become a scenario is refused with the remedy, and nothing is written", async () => {
  using project = makeProject();
  const good = project.write("good", '{"dishes": []}');
  const rpc = project.write(
    "rpc",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"food_find_dish"}}\n{"jsonrpc":"2.0","id":1,"error":{"code":-32602}}',
  );
  const words = project.write(
    "words",
    '{"content":[{"type":"text","text":"unauthorized"}],"isError":true}',
  );
  const before = project.read(SUSHI);
  const cases: [string[], RegExp][] = [
    [
      ["Sushi", "--answer", good],
      /`Sushi` is taken by the scenario in .+food_find_dish\.md:\d+\.\nChoose another/,
    ],
    [["-", "--answer", good], /"-" cannot be the name/],
    [["new"], /Name the recorded answer with --answer/],
    [["new", "--call", "x"], /no call `x` in the journal\.\nSee: .+calls --tool food_find_dish/],
    [["new", "--answer", rpc], /holds a JSON-RPC error/],
    [["new", "--answer", words], /plain text/],
    [
      ["new", "--answer", good, "--args", "limit=1"],
      /No server would pass.+missing properties: \["query"\]/,
    ],
    [["new", "--answer", good, "--match", "limit"], /needs the arguments/],
    [["new", "--answer", good, "--args", "query=a", "--match", "size"], /have no `size`/],
    [
      ["new", "--answer", good, "--args", "query=a", "--match", '{"query": "b"}'],
      /does not match the arguments/,
    ],
  ];
  for (const [words, message] of cases) {
    const { code, err } = await project.run(["add", "food_find_dish", ...words]);
    assert(code > 0, err);
    assert.match(err, message);
  }
  assert.equal(project.read(SUSHI), before);
  const misfit = project.write("misfit", '{"dish": 1}');
  const told = await project.run([
    "add",
    "food_find_dish",
    "odd",
    "--answer",
    misfit,
    "--args",
    "query=zz",
  ]);
  assert.equal(told.code, 0);
  assert.match(told.err, /scenario `odd`: its answer does not fit `outputSchema`/);
  const again = await project.run([
    "add",
    "food_find_dish",
    "odd2",
    "--answer",
    good,
    "--args",
    "query=zz",
  ]);
  assert.match(again.err, /`odd` in .+ has a rule for just these arguments/);
});
