import assert from "node:assert/strict";
import { startServer } from "../support/program.ts";
import { makeProject, type TestProject, toolFile } from "./_program.ts";

Deno.test("`scenario` forces a tool, writes the name as the file has it, and makes .run/", async () => {
  using project = makeProject();
  const { code, out, err } = await project.run(["scenario", "order_track", "NEAR"]);
  assert.deepEqual([code, out, err], [0, "order_track is forced into near.\n", ""]);
  assert.equal(project.read(".run/overrides.json"), '{\n  "order_track": "near"\n}\n');
});

Deno.test("`scenario` and `reset` keep what they do not touch and leave no litter", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"later_tool": "x", "number": 5, "order_track": "near"}');
  await project.run(["scenario", "food_find_dish", "sushi"]);
  assert.deepEqual(JSON.parse(project.read(".run/overrides.json")), {
    later_tool: "x",
    number: 5,
    order_track: "near",
    food_find_dish: "sushi",
  });
  const cleared = await project.run(["scenario", "order_track"]);
  assert.equal(cleared.out, "order_track follows its match rules again.\n");
  assert.deepEqual(JSON.parse(project.read(".run/overrides.json")), {
    later_tool: "x",
    number: 5,
    food_find_dish: "sushi",
  });
  assert.deepEqual(
    [...Deno.readDirSync(project.path(".run"))].map(({ name }) => name)
      .filter((name) => name.endsWith(".tmp")),
    [],
  );
});

Deno.test("clearing what is not forced says so and makes no file", async () => {
  using project = makeProject();
  const [one, all, unknown] = await Promise.all([
    project.run(["scenario", "order_track"]),
    project.run(["reset"]),
    project.run(["scenario", "order_trac"]),
  ]);
  assert.deepEqual([one.code, one.out], [0, "order_track was not forced.\n"]);
  assert.deepEqual([all.code, all.out], [0, "Nothing was forced.\n"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /unknown tool `order_trac`, did you mean `order_track`\?/);
  assert.throws(() => Deno.statSync(project.path(".run")), Deno.errors.NotFound);
});

Deno.test("an entry of a tool that is gone can be cleared", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"old_tool": "x"}');
  const { code, out } = await project.run(["scenario", "old_tool"]);
  assert.deepEqual([code, out], [0, "old_tool follows its match rules again.\n"]);
});

Deno.test("`reset` clears everything", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"order_track": "near", "food_find_dish": "sushi"}');
  const { code, out } = await project.run(["reset"]);
  assert.deepEqual([code, out], [0, "Cleared 2 forced scenarios.\n"]);
  assert.equal(project.read(".run/overrides.json"), "{}\n");
});

Deno.test("an unknown scenario changes nothing and is told which one may be meant", async () => {
  using project = makeProject();
  const { code, out, err } = await project.run([
    "scenario",
    "food_find_dish",
    "upstream-unavailble",
  ]);
  assert.deepEqual([code, out], [1, ""]);
  assert.equal(
    err,
    "careem-mcp: `food_find_dish` has no scenario `upstream-unavailble`, " +
      "did you mean `upstream-unavailable`?\nSee: careem-mcp scenarios food_find_dish\n",
  );
  assert.throws(() => Deno.statSync(project.overrides), Deno.errors.NotFound);
});

Deno.test("a file that is not a JSON object is left as it is", async () => {
  for (const text of ["[1]", '{"order_track": "near",}', "null"]) {
    using project = makeProject();
    project.write(".run/overrides.json", text);
    const outcomes = await Promise.all([
      project.run(["scenario", "order_track", "near"]),
      project.run(["scenario", "order_track"]),
      project.run(["reset"]),
    ]);
    for (const { code, err } of outcomes) {
      assert.equal(code, 1);
      assert.equal(
        err,
        `careem-mcp: ${project.overrides} is not a JSON object, so it was left as it is.\n` +
          "Mend it, or delete it to start afresh.\n",
      );
    }
    assert.equal(project.read(".run/overrides.json"), text);
  }
});

Deno.test("writers at the same time lose nothing", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `tool_${index}`);
  using project = makeProject(Object.fromEntries(names.map((name) => [
    `tools/${name}.md`,
    toolFile({ name, inputSchema: { type: "object" } }, [{ name: "a" }, { name: "b" }]),
  ])));
  const outcomes = await Promise.all(names.map((name) => project.run(["scenario", name, "b"])));
  assert(outcomes.every(({ code }) => code === 0), JSON.stringify(outcomes));
  assert.deepEqual(
    Object.entries(JSON.parse(project.read(".run/overrides.json"))).sort(),
    names.map((name) => [name, "b"]),
  );
});

Deno.test("a folder that cannot be written to gives a clear error", async () => {
  using project = makeProject();
  // A file where the folder should be: not even root can write below it.
  project.write("taken", "");
  const file = project.path("taken", ".run", "overrides.json");
  const { code, out, err } = await project.run(
    ["scenario", "order_track", "near", "--overrides", file],
  );
  assert.deepEqual([code, out], [1, ""]);
  assert(err.startsWith(`careem-mcp: ${file} cannot be written: `), err);
  assert.match(err, /\nMend that, or name another file with --overrides\.\n$/);
});

Deno.test("a read-only project folder gives a clear error and stays as it is", async () => {
  using project = makeProject();
  Deno.chmodSync(project.directory, 0o555);
  try {
    const { code, out, err } = await project.run(["scenario", "order_track", "near"], {
      ordinaryUser: true,
    });
    assert.deepEqual([code, out], [1, ""]);
    assert(err.startsWith(`careem-mcp: ${project.overrides} cannot be written: `), err);
    assert.match(err, /\nMend that, or name another file with --overrides\.\n$/);
    const nothing = await project.run(["reset"], { ordinaryUser: true });
    assert.deepEqual([nothing.code, nothing.out], [0, "Nothing was forced.\n"]);
    const unknown = await project.run(["scenario", "order_trac"], { ordinaryUser: true });
    assert.match(unknown.err, /unknown tool `order_trac`, did you mean `order_track`\?/);
  } finally {
    Deno.chmodSync(project.directory, 0o755);
  }
});

Deno.test("a running server obeys in its next call", async () => {
  using project = makeProject();
  await using server = await startServer(["--project", project.directory, "--log", "json"]);
  const session = await post(server.url, undefined, 1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  });
  const ask = async (id: number): Promise<unknown> =>
    (await post(server.url, session.id, id, "tools/call", {
      name: "food_find_dish",
      arguments: { query: "sushi" },
    })).result.structuredContent;
  const error = { error: "failed to find dishes: unexpected response status 503" };
  const sushi = { dishes: ["Salmon roll"], limit: 5 };
  assert.deepEqual(await ask(2), sushi);
  await project.run(["scenario", "food_find_dish", "upstream-unavailable"]);
  assert.deepEqual(await ask(3), error);
  await project.run(["scenario", "food_find_dish"]);
  assert.deepEqual(await ask(4), sushi);
  await project.run(["scenario", "food_find_dish", "upstream-unavailable"]);
  await project.run(["reset"]);
  assert.deepEqual(await ask(5), sushi);
  await server.stop();
  assert(server.log().includes('"scenario":"upstream-unavailable","forced":true'), server.log());
});

/** Sends one JSON-RPC request over Streamable HTTP. */
async function post(
  url: string,
  session: string | undefined,
  id: number,
  method: string,
  params: object,
): Promise<{ id: string; result: { structuredContent: unknown } }> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session !== undefined && { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  const data = (await response.text()).split("\n").find((line) => line.startsWith("data: "));
  const { result } = JSON.parse(data!.slice("data: ".length));
  return { id: response.headers.get("mcp-session-id") ?? "", result };
}

Deno.test("clearing what is not there needs no right to write", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"food_find_dish": "sushi"}');
  Deno.chmodSync(project.path(".run"), 0o555);
  try {
    const circumstances = { ordinaryUser: true };
    const [other, unknown] = await Promise.all([
      project.run(["scenario", "order_track"], circumstances),
      project.run(["scenario", "order_trac"], circumstances),
    ]);
    assert.deepEqual([other.code, other.out], [0, "order_track was not forced.\n"]);
    assert.match(unknown.err, /unknown tool `order_trac`/);
    project.write(".run/overrides.json", "{}");
    const all = await project.run(["reset"], circumstances);
    assert.deepEqual([all.code, all.out], [0, "Nothing was forced.\n"]);
  } finally {
    Deno.chmodSync(project.path(".run"), 0o755);
  }
});

Deno.test("a folder given as the overrides file is told to be one, and gets no lock beside it", async () => {
  using project = makeProject();
  Deno.mkdirSync(project.path("folder"));
  const flags = ["--overrides", project.path("folder")];
  for (
    const args of [["scenario", "order_track", "near"], ["scenario", "order_track"], ["reset"]]
  ) {
    const { code, err } = await project.run([...args, ...flags]);
    assert.equal(code, 1);
    assert.match(
      err,
      /folder is a folder, where the file .+ should be\.\nName a file with --overr/,
    );
  }
  assert.throws(() => Deno.statSync(project.path("folder.lock")), Deno.errors.NotFound);
});

/** The overrides file, without when its entries were set. */
function entriesIn(project: TestProject): unknown {
  const text = project.read(".run/overrides.json");
  return JSON.parse(text, (key, value) => key === "at" ? "now" : value);
}

Deno.test("sequences, delays, ends and faults are written as people would, and told", async () => {
  using project = makeProject();
  const cases: [args: string[], out: string, entry: [key: string, value: unknown]][] = [
    [
      ["scenario", "food_find_dish", "Sushi", "-", "unauthorized"],
      "food_find_dish: sushi, by arguments, unauthorized; one a call, the last one stays.",
      ["food_find_dish", [{ scenario: "sushi", at: "now" }, null, "unauthorized"]],
    ],
    [
      ["scenario", "food_find_dish", "sushi", "nothing", "--times", "3", "--delay", "800ms"],
      "food_find_dish is forced into sushi after 800ms, nothing after 800ms (3 times).",
      ["food_find_dish", [
        { scenario: "sushi", delay: "800ms", at: "now" },
        { scenario: "nothing", delay: "800ms", times: 3 },
      ]],
    ],
    [
      ["scenario", "order_track", "--delay", "1.5s"],
      "order_track: by arguments after 1.5s.",
      ["order_track", { delay: "1.5s" }],
    ],
    [
      ["scenario", "order_track", "-", "near"],
      "order_track: by arguments, near; one a call, the last one stays.",
      ["order_track", [{ at: "now" }, "near"]],
    ],
    [
      ["scenario", "*", "UNAUTHORIZED"],
      "Every tool without an entry of its own is forced into unauthorized.",
      ["*", "unauthorized"],
    ],
    [
      ["fault", "order_track", "503", "--times", "2"],
      "order_track: fault 503 (2 times).",
      ["order_track", { fault: 503, times: 2, at: "now" }],
    ],
    [
      ["fault", "*", "HANG", "--delay", "3s"],
      "Every tool without an entry of its own: fault hang after 3s.",
      ["*", { fault: "hang", delay: "3s" }],
    ],
    [
      ["fault", "/", "lost-session", "--times", "1"],
      "Every request: fault lost-session (1 time).",
      ["/", { fault: "lost-session", times: 1, at: "now" }],
    ],
  ];
  for (const [args, out, [key, value]] of cases) {
    const outcome = await project.run(args);
    assert.deepEqual([outcome.code, outcome.out, outcome.err], [0, `${out}\n`, ""]);
    assert.deepEqual((entriesIn(project) as Record<string, unknown>)[key], value);
  }
  const { out, err } = await project.run(["scenario"]);
  assert.equal(err, "");
  assert.match(
    out,
    /^food_find_dish {2}sushi after 800ms, nothing .+ {2}0 calls so far; next: sushi/,
  );
  assert.match(out, /\n\* +fault hang after 3s\n/);
  assert.equal((await project.run(["reset", "*"])).out, "* is cleared.\n");
  assert.equal((await project.run(["scenario", "/"])).out, "/ is cleared.\n");
  assert.equal(
    (await project.run(["reset", "order_track"])).out,
    "order_track follows its match rules again.\n",
  );
  assert.deepEqual(Object.keys(entriesIn(project) as object), ["food_find_dish"]);
});

Deno.test("what cannot be forced is refused, and changes nothing", async () => {
  using project = makeProject();
  const cases: [args: string[], code: number, err: RegExp][] = [
    [["scenario", "*", "unauthorised"], 1, /no tool has a scenario .+ did you mean `unauthorized`/],
    [["scenario", "order_track", "near", "nera"], 1, /no scenario `nera`, did you mean `near`\?/],
    [["fault", "order_trak", "503"], 1, /unknown tool `order_trak`, did you mean `order_track`\?/],
    [["fault", "order_track", "418"], 2, /unknown fault `418`\nKnown are: hang, drop, .+ cut\n/],
    [["reset", "order_trak"], 1, /unknown tool `order_trak`/],
  ];
  await Promise.all(cases.map(async ([args, code, message]) => {
    const outcome = await project.run(args);
    assert.deepEqual([outcome.code, outcome.out], [code, ""]);
    assert.match(outcome.err, message);
  }));
  assert.throws(() => Deno.statSync(project.overrides), Deno.errors.NotFound);
});

Deno.test("`scenario` alone lists what is forced, and warns of what is forced in vain", async () => {
  using project = makeProject();
  assert.equal((await project.run(["scenario"])).out, "Nothing is forced.\n");
  project.write(
    ".run/overrides.json",
    '{"order_track": "NEAR", "gone": "x", "*": {"delay": "2s"}, "pay_show_wallet": null}',
  );
  const { code, out, err } = await project.run(["scenario"]);
  assert.deepEqual([code, out], [0, "order_track  near\n*            by arguments after 2s\n"]);
  assert.match(err, /^Warning: .+ no tool `gone`, so its entry does nothing\n$/);
  project.write(".run/overrides.json", '{"order_track": "near",}');
  const broken = await project.run(["scenario"]);
  assert.equal(broken.out, "Nothing is forced.\n");
  assert.match(broken.err, /^Warning: .+ is not a JSON object, which has no comma before its end/);
});

Deno.test("a pipe or a device given as the overrides file is refused, and nothing hangs", async () => {
  using project = makeProject();
  await new Deno.Command("mkfifo", { args: [project.path("pipe")] }).output();
  for (const file of [project.path("pipe"), "/dev/zero"]) {
    const flags = ["--overrides", file, "--calls", project.path("calls.jsonl")];
    for (const args of [["scenario", "order_track", "near"], ["reset"]]) {
      const { code, err } = await project.run([...args, ...flags]);
      assert.equal(code, 1);
      assert.match(err, /^careem-mcp: .+ is a pipe or a device, where the file .+\.\nName a file/);
    }
    const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const { code, err } = await project.run(["--stdio", "--quiet", ...flags], { input });
    assert.equal(code, 0);
    assert.match(
      err,
      /^Warning: .+ cannot be read, so nothing is forced: it is a pipe or a device/,
    );
  }
});
