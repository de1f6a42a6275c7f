import assert from "node:assert/strict";
import type { Call } from "../../lib/control/calls.ts";
import type { JsonValue } from "../../lib/json.ts";
import { INITIALIZE } from "../support/messages.ts";
import { programCommand, startServer } from "../support/program.ts";
import { makeProject, type TestProject } from "./_program.ts";

const INPUT = [
  INITIALIZE,
  ...[
    { name: "food_find_dish", arguments: { query: "sushi" } },
    { name: "food_find_dish", arguments: { query: "soup", limit: 0 } },
    { name: "order_track", arguments: { order_id: "ORD-1" } },
    { name: "order_trak", arguments: {} },
  ].map((params, index) => ({ jsonrpc: "2.0", id: index + 2, method: "tools/call", params })),
].map((message) => `${JSON.stringify(message)}\n`).join("");

function journalIn(project: TestProject): Call[] {
  return project.read(".run/calls.jsonl").trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** A project with calls of three tools by two clients, the last of them now. */
function withCalls(): TestProject {
  const project = makeProject();
  const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
  const call = (id: string, seconds: number, more: object): object => ({
    ...{
      id,
      time: ago(seconds),
      pid: 7,
      tool: "order_track",
      client: { name: "Codex", version: "" },
    },
    ...more,
  });
  const calls = [
    call("c1", 900, {
      ...{ arguments: { order_id: "ORD-1" }, scenario: "first", why: "rule", ms: 1.4 },
      result: { content: [], structuredContent: { error: "lost" } },
    }),
    call("c2", 60, { tool: "food_find_dish", arguments: { query: "x\u001b[31m" }, why: "invalid" }),
    call("c3", 50, {
      ...{ arguments: { order_id: "ORD-1", place: { latitude: 25.1 } }, scenario: "near" },
      ...{ why: "forced", isError: false, result: { content: [] }, rule: undefined, ms: 20 },
    }),
    call("c4", 40, { fault: "503", why: "fault", client: { name: "claude-code", version: "2" } }),
    call("c5", 1, { arguments: { order_id: "ORD-2" }, pending: true, fault: "hang" }),
  ];
  project.write(".run/calls.jsonl", calls.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return project;
}

Deno.test("a server writes down every call, beside the overrides or where it is told", async () => {
  using project = makeProject();
  const { code } = await project.run(["--stdio"], { input: INPUT });
  assert.equal(code, 0);
  const calls = journalIn(project);
  assert.deepEqual(
    calls.map(({ tool, why }) => [tool, why]).sort(),
    [
      ["food_find_dish", "invalid"],
      ["food_find_dish", "rule"],
      ["order_trak", "unknown-tool"],
      ["order_track", "rule"],
    ].sort(),
  );
  const named = ["--calls", project.path("deep", "c.jsonl")];
  const overrides = ["--overrides", project.path("elsewhere", "o.json")];
  const off = await project.run(["--stdio", "--no-journal", ...named], { input: INPUT });
  assert.match(off.err, /\n {2}Calls {12}not written down\n/);
  assert.throws(() => project.read("deep/c.jsonl"), Deno.errors.NotFound);
  const env = { CAREEM_MCP_NO_JOURNAL: "1" };
  await project.run(["--stdio", ...named], { input: INPUT, env });
  assert.throws(() => project.read("deep/c.jsonl"), Deno.errors.NotFound);
  await project.run(["--stdio", ...overrides], { input: INPUT });
  assert(project.read("elsewhere/calls.jsonl").includes("order_trak"));
  await project.run(["--stdio"], {
    input: INPUT,
    env: { CAREEM_MCP_CALLS: project.path("deep", "c.jsonl") },
  });
  assert(project.read("deep/c.jsonl").includes("order_trak"));
});

Deno.test("a journal that cannot be written costs one line of the log, and no answer", async () => {
  using project = makeProject();
  project.write("taken", "");
  const file = project.path("taken", "calls.jsonl");
  const { code, out, err } = await project.run(["--stdio", "--calls", file], { input: INPUT });
  assert.equal(code, 0);
  assert.equal(out.trimEnd().split("\n").length, 5);
  assert.equal(err.match(/ the journal .+ is not written: /g)?.length, 1, err);
});

Deno.test("`calls` lists what filters let through, as a table and as JSON lines", async () => {
  using project = withCalls();
  const cases: [flags: string[], ids: string][] = [
    [[], "c1 c2 c3 c4 c5"],
    [["--limit", "2"], "c4 c5"],
    [["--tool", "order_track"], "c1 c3 c4 c5"],
    [["--scenario", "NEAR"], "c3"],
    [["--client", "codex"], "c1 c2 c3 c5"],
    [["--since", "2m"], "c2 c3 c4 c5"],
    [["--errors"], "c1 c4 c5"],
    [["--errors", "--client", "code", "--since", "45s"], "c4 c5"],
  ];
  await Promise.all(cases.map(async ([flags, ids]) => {
    const [text, json] = await Promise.all([
      project.run(["calls", ...flags]),
      project.run(["calls", "--json", ...flags]),
    ]);
    assert.deepEqual([text.code, text.err, json.err], [0, "", ""]);
    const lines = json.out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(lines.map(({ id }) => id).join(" "), ids, flags.join(" "));
    const rows = text.out.trimEnd().split("\n").map((row) => row.split(/\s+/)[1]);
    assert.equal(rows.join(" "), ids, text.out);
  }));
  const { out } = await project.run(["calls"]);
  assert.match(out, /c1 {2}order_track {5}first 1ms {11}\{"order_id":"ORD-1"\}\n/);
  assert.match(out, /food_find_dish {2}invalid +\{"query":"x\\u001b\[31m"\}\n/);
  assert.match(out, /near \(forced\) 20ms/);
  assert.match(out, /fault hang waits/);
});

Deno.test("`calls show` tells all of a call, `calls clear` begins a new journal", async () => {
  using project = withCalls();
  const { code, out } = await project.run(["calls", "show", "c3"]);
  assert.equal(code, 0);
  for (
    const text of [
      "order_track  c3\n",
      "  client    Codex\n",
      "  scenario  near\n",
      "  why       forced\n",
    ]
  ) assert(out.includes(text), out);
  assert(out.includes('arguments\n{\n  "order_id": "ORD-1",'), out);
  assert(out.endsWith('result\n{\n  "content": []\n}\n'), out);
  const json = await project.run(["calls", "show", "c3", "--json"]);
  assert.equal(JSON.parse(json.out).scenario, "near");
  const unknown = await project.run(["calls", "show", "c9"]);
  assert.deepEqual([unknown.code, unknown.out], [1, ""]);
  assert.equal((await project.run(["calls", "show"])).code, 2);
  assert.equal((await project.run(["calls", "clear"])).out, "The journal is cleared.\n");
  assert.equal((await project.run(["calls", "clear"])).out, "There is no journal.\n");
  const none = await project.run(["calls"]);
  assert.deepEqual([none.code, none.out], [0, ""]);
  assert.match(none.err, /^No calls in .+calls\.jsonl\. /);
});

Deno.test("`verify` succeeds, or says what was expected and what came", async () => {
  using project = withCalls();
  const cases: [args: string[], code: number, text: RegExp][] = [
    [["order_track"], 0, /^`order_track` was called 4 times\.\n$/],
    [["order_track", "--times", "4"], 0, /4 times/],
    [["order_track", "--at-most", "4", "--at-least", "4"], 0, /4 times/],
    [
      ["order_track", "--scenario", "near", "--times", "1"],
      0,
      /answered by near was called 1 time/,
    ],
    [["order_track", "--args", '{"order_id": "=ord-1"}', "--times", "2"], 0, /with order_id = /],
    [["order_track", "--args", "place.latitude=25.1", "--times", "1"], 0, /1 time/],
    [["order_track", "--since", "2m", "--times", "3"], 0, /3 times/],
    [["order_track", "--after", "c3", "--times", "2"], 0, /2 times/],
    [["pay_show_wallet", "--at-most", "0"], 0, /was called 0 times/],
    [
      ["order_track", "--args", '{"order_id": "ORD-3"}'],
      1,
      /^careem-mcp: `order_track` with order_id = ORD-3 was called 0 times, and should have been 1 time at least\.\nThe nearest that came:\n(?: {2}.+order_track.+\n){4}$/,
    ],
    [
      ["order_track", "--times", "2"],
      1,
      /should have been 2 times\.\nThese came:\n(?: {2}.+\n){4}$/,
    ],
    [["order_track", "--at-most", "0"], 1, /should have been 0 times\.\nThese came:/],
    [["order_track", "--at-least", "5", "--at-most", "6"], 1, /should have been 5 to 6 times/],
    [["pay_show_wallet"], 1, /at least\.\nWhat came:\n(?: {2}.+\n){5}$/],
    [["pay_show_wallet", "--after", "c5"], 1, /No call came in that time \(/],
    [
      ["order_trak", "--at-most", "0"],
      2,
      /unknown tool `order_trak`, did you mean `order_track`\?/,
    ],
    [["order_track", "--args", "[1]"], 2, /--args is no rule/],
    [["order_track", "--args", "{oops"], 2, /not valid JSON/],
    [["order_track", "--after", "c9"], 2, /there is no call `c9`/],
    [["order_track", "--after", "c1", "--since", "1m"], 2, /exclude each other/],
    [["order_track", "--at-least", "2", "--at-most", "1"], 2, /--at-least is more than/],
  ];
  await Promise.all(cases.map(async ([args, code, text]) => {
    const outcome = await project.run(["verify", ...args]);
    assert.equal(outcome.code, code, `${args.join(" ")}: ${outcome.out}${outcome.err}`);
    assert.match(code === 0 ? outcome.out : outcome.err, text);
    assert.equal(code === 0 ? outcome.err : outcome.out, "");
  }));
  await project.run(["calls", "clear"]);
  assert.match(
    (await project.run(["verify", "order_track"])).err,
    /\nNo call came \(.+jsonl\)\.\n$/,
  );
});

Deno.test("a sequence is set, counted by the server, told by `scenario`, and set anew", async () => {
  using project = makeProject();
  await using server = await startServer(["--project", project.directory, "--log", "json"]);
  const ready = JSON.parse(server.log().split("\n")[0]!);
  assert.deepEqual([ready.event, ready.transport, ready.url], [
    ...["listening", "http", `${server.url}/mcp`],
  ]);
  assert.equal(ready.url, `http://127.0.0.1:${ready.port}/mcp`);
  const post = async (
    id: number,
    method: string,
    params: JsonValue,
    session = "",
  ): Promise<Response> =>
    await fetch(ready.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session !== "" && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
  const initialized = await post(1, "initialize", INITIALIZE.params!);
  await initialized.body?.cancel();
  const session = initialized.headers.get("mcp-session-id")!;
  const call = async (): Promise<string> => {
    const params = { name: "order_track", arguments: { order_id: "o" } };
    const text = await (await post(2, "tools/call", params, session)).text();
    return /"structuredContent":(\{[^}]*\})/.exec(text)?.[1] ?? text;
  };
  const [first, near, other] = ['{"order":"ORD-1"}', '{"near":true}', '{"order":"o"}'];
  const sequence = ["scenario", "order_track", "first", "NEAR", "--times", "2"];
  const set = await project.run(sequence);
  assert.equal(set.out, "order_track is forced into first, near (2 times).\n");
  assert.equal(await call(), first);
  assert.equal(await call(), near);
  const listed = async (): Promise<string> => {
    // The journal is written some milliseconds after the answer.
    await new Promise((resume) => setTimeout(resume, 100));
    return (await project.run(["scenario"])).out;
  };
  assert.equal(
    await listed(),
    "order_track  first, near (2 times)  2 calls so far; next: near\n",
  );
  assert.equal(await call(), near);
  assert.equal(await call(), other);
  assert.match(await listed(), /4 calls so far; next: by arguments\n$/);
  await project.run(["reset"]);
  await project.run(sequence);
  assert.equal(await call(), first, "set again, it begins again");
  const fault = await project.run(["fault", "order_track", "503", "--times", "1"]);
  assert.equal(fault.out, "order_track: fault 503 (1 time).\n");
  assert.equal(await call(), "Service Unavailable\n");
  assert.equal(await call(), other);
  const verified = await project.run(["verify", "order_track", "--times", "7"]);
  assert.equal(verified.code, 0, verified.err);
});

Deno.test("`calls --follow` shows calls as they come", async () => {
  using project = withCalls();
  const [command, ...args] = programCommand();
  const child = new Deno.Command(command!, {
    args: [...args, "calls", "--follow", "--json", "--limit", "1", "--project", project.directory],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string> => JSON.parse((await lines.read()).value!).id;
  assert.equal(await next(), "c5");
  await project.run(["--stdio"], { input: INPUT.split("\n").slice(0, 2).join("\n") + "\n" });
  assert.match(await next(), /-1$/);
  child.kill();
  await lines.cancel();
  await child.status;
});
