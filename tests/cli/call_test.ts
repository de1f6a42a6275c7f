import assert from "node:assert/strict";
import { connect } from "../support/client.ts";
import { isColoured, makeProject, runInTerminal, toolFile } from "./_program.ts";

Deno.test("`call` takes JSON, pairs, standard input or nothing, and answers the same", async () => {
  using project = makeProject();
  const [json, pairs, input, marked, none, empty] = await Promise.all([
    project.run(["call", "food_find_dish", '{"query": "best sushi", "limit": 3}']),
    project.run(["call", "food_find_dish", "query=best sushi", "limit=3"]),
    project.run(["call", "food_find_dish", "-"], {
      input: '{"query": "best sushi", "limit": 3}\n',
    }),
    project.run(["call", "food_find_dish", "-"], {
      input: '\ufeff{"query": "best sushi", "limit": 3}',
    }),
    project.run(["call", "pay_show_wallet"]),
    project.run(["call", "pay_show_wallet", "-"]),
  ]);
  assert.equal(json.code, 0);
  assert.deepEqual(JSON.parse(json.out), {
    content: [{ type: "text", text: '{"dishes":["Salmon roll"],"limit":3}' }],
    structuredContent: { dishes: ["Salmon roll"], limit: 3 },
    isError: false,
  });
  assert.equal(json.err, "food_find_dish: sushi (matches query ~ sushi)\n");
  assert.deepEqual([pairs, input, marked], [json, json, json]);
  assert.deepEqual(JSON.parse(none.out).structuredContent, { balance: 12.5 });
  assert.equal(none.err, "pay_show_wallet: balance (default, as no rule matches)\n");
  assert.deepEqual(empty, none);
});

Deno.test("nested arguments are written with dots", async () => {
  using project = makeProject();
  const words = ["order_id=1", "place.latitude=25.1", "place.longitude=55"];
  const { out, err } = await project.run(["call", "order_track", ...words]);
  assert.deepEqual(JSON.parse(out).structuredContent, { near: true });
  assert.equal(err, "order_track: near (matches place.latitude = 25.1)\n");
});

Deno.test("--value prints the answer alone", async () => {
  using project = makeProject();
  const [answer, failure] = await Promise.all([
    project.run(["call", "order_track", "order_id=5", "--value"]),
    project.run(["call", "order_track", "--value"]),
  ]);
  assert.deepEqual([answer.code, answer.out], [0, '{\n  "order": "5"\n}\n']);
  assert.deepEqual([failure.code, failure.out], [
    1,
    'validating "arguments": validating root: required: missing properties: ["order_id"]\n',
  ]);
});

Deno.test("the result equals a server's, whatever the call", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"order_track": "first"}');
  await using server = await connect("stdio", ["--project", project.directory]);
  const cases: [string, Record<string, string | number>][] = [
    ["food_find_dish", { query: "sushi" }],
    ["food_find_dish", { query: "x", limit: 20 }],
    ["food_find_dish", { query: "x" }],
    ["food_find_dish", { limit: 0 }],
    ["food_find_dish", { query: "x", more: 1 }],
    ["order_track", { order_id: "other" }],
    ["pay_show_wallet", {}],
  ];
  await Promise.all(cases.map(async ([tool, args]) => {
    const { code, out } = await project.run(["call", tool, JSON.stringify(args)]);
    const expected = await server.client.callTool({ name: tool, arguments: args });
    assert.deepEqual(JSON.parse(out), expected, `${tool} ${JSON.stringify(args)}`);
    assert.equal(code, expected.isError ? 1 : 0);
  }));
});

Deno.test("a forced scenario is named as forced; `isError` ends with exit code 1", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"food_find_dish": "unauthorized"}');
  const { code, out, err } = await project.run(["call", "food_find_dish", "query=sushi"]);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out), {
    content: [{ type: "text", text: '{"error":"unauthorized"}' }],
    structuredContent: { error: "unauthorized" },
    isError: true,
  });
  assert.equal(err, "food_find_dish: unauthorized (forced)\n");
});

Deno.test("arguments that do not fit are answered as the server would, and explained", async () => {
  using project = makeProject();
  const text = 'validating "arguments": validating root: validating /properties/limit: ' +
    'type: many has type "string", want "integer"';
  const { code, out, err } = await project.run(["call", "food_find_dish", "query=x", "limit=many"]);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out), { content: [{ type: "text", text }], isError: true });
  assert.equal(err, `food_find_dish: no scenario was chosen\n  ${text}\n`);
});

Deno.test("an unknown tool ends with 1, unreadable arguments with 2, without a result", async () => {
  using project = makeProject();
  const cases: [string[], number, RegExp][] = [
    [["food_find_dsh"], 1, /unknown tool `food_find_dsh`, did you mean `food_find_dish`\?/],
    [["food_find_dish", "sushi"], 2, /`sushi` is neither key=value nor JSON/],
    [["food_find_dish", "{"], 2, /the arguments: not valid JSON: close brace expected at line 1/],
    [["food_find_dish", "-", "a=1"], 2, /`-` reads all arguments from standard input/],
    [["food_find_dish", "-"], 2, /standard input: not valid JSON: .+ at line 1, column 1/],
  ];
  await Promise.all(cases.map(async ([args, expected, message]) => {
    const { code, out, err } = await project.run(["call", ...args], { input: "?" });
    assert.deepEqual([code, out], [expected, ""], args.join(" "));
    assert.match(err, message);
  }));
});

Deno.test("the file of another tool may be broken; a broken file of its own is shown", async () => {
  using project = makeProject();
  const file = project.write("tools/orders/order_track.md", "---\ntool: order_track\n---\n");
  const [other, own] = await Promise.all([
    project.run(["call", "pay_show_wallet"]),
    project.run(["call", "order_track", "order_id=1"]),
  ]);
  assert.equal(other.code, 0);
  assert.deepEqual([own.code, own.out], [1, ""]);
  assert(own.err.startsWith(`${file}:1: no \`## Definition\` section`), own.err);
});

Deno.test("what the server would call an internal error is explained on stderr", async () => {
  using project = makeProject({
    "tools/a.md": toolFile({
      name: "a",
      inputSchema: { type: "object", properties: { b: { minimum: "5" } } },
    }, [{ name: "rest" }]),
  });
  const { code, out, err } = await project.run(["call", "a", "b=5", "--value"]);
  assert.deepEqual([code, out], [1, "internal server error\n"]);
  assert.match(err, /^a: no scenario was chosen\n {2}minimum value must be /);
});

Deno.test("in a terminal the scenario is coloured and the result is not", async () => {
  using project = makeProject();
  const args = ["call", "pay_show_wallet", "--project", project.directory];
  const { code, text } = await runInTerminal(args);
  assert.equal(code, 0);
  const [first = "", ...rest] = text.split("\n");
  assert(isColoured(first) && !isColoured(rest.join("\n")), text);
});
