import assert from "node:assert/strict";
import { connect } from "../support/client.ts";
import { ROOT } from "../support/program.ts";
import type { JsonObject } from "../../lib/json.ts";
import {
  FIND_DISH,
  makeProject,
  run,
  type TestProject,
  toolFile,
  TRACK_ORDER,
} from "./_program.ts";

const EXECUTABLE = Deno.env.get("CAREEM_MCP_EXECUTABLE");

const WALLET: JsonObject = { name: "pay_show_wallet", inputSchema: { type: "object" } };

/** The one line on standard error when something was written. */
const WAY_BACK = /^To go back: .+before-import.+\n$/;

/** All files below a folder, with what tells that one was written again. */
function stateOf(folder: string): string[] {
  const visit = (path: string): string[] =>
    [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
      const file = `${path}/${name}`;
      if (isDirectory) return visit(file);
      const { mtime, ino } = Deno.statSync(file);
      return [`${file} ${ino} ${mtime?.getTime()} ${Deno.readTextFileSync(file)}`];
    });
  return visit(folder).sort();
}

function save(project: TestProject, tools: readonly JsonObject[]): string {
  return project.write("list.json", JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools } }));
}

Deno.test("importing what the server itself lists changes nothing at all", async () => {
  using project = makeProject();
  await using server = await connect("stdio", ["--project", ROOT]);
  const { tools } = await server.client.listTools();
  assert(tools.length >= 32);
  const own = project.write("own.json", JSON.stringify({ tools }));
  const before = stateOf(`${ROOT}tools`);
  const { code, out, err } = await run(["import", own, "--project", ROOT]);
  assert.deepEqual([code, err], [0, ""]);
  assert.equal(out, `0 updated, 0 created, 0 vanished, ${tools.length} unchanged\n`);
  assert.deepEqual(stateOf(`${ROOT}tools`), before);
});

Deno.test("definitions that differ are replaced verbatim; prose and scenarios stay", async () => {
  using project = makeProject();
  const file = "tools/orders/order_track.md";
  const before = project.read(file).replaceAll("\n", "\r\n");
  project.write(file, before);
  const untouched = project.read("tools/food/food_find_dish.md");
  const definition: JsonObject = { ...TRACK_ORDER, title: "Where is it?", _meta: { x: [1, "é"] } };
  const list = save(project, [FIND_DISH, definition, WALLET]);
  const { code, out, err } = await project.run(["import", list]);
  assert.equal(code, 0);
  assert.match(err, WAY_BACK);
  assert.equal(project.read(".run/before-import/orders/order_track.md"), before);
  assert.equal(
    out,
    [
      "updated  orders/order_track.md",
      '  ~ title: "Track an order" → "Where is it?"',
      '  + _meta: {"x":[1,"é"]}',
      "1 updated, 0 created, 0 vanished, 2 unchanged",
      "",
    ].join("\n"),
  );
  const pretty = JSON.stringify(definition, null, 2).replaceAll("\n", "\r\n");
  assert.equal(project.read(file), before.replace(JSON.stringify(TRACK_ORDER), pretty));
  assert.equal(project.read("tools/food/food_find_dish.md"), untouched);
});

Deno.test("new tools get a file with an honest default scenario, beside their siblings", async () => {
  using project = makeProject();
  const rate: JsonObject = {
    name: "order_rate",
    title: "Rate an order",
    inputSchema: { type: "object" },
    outputSchema: {
      type: "object",
      properties: {
        stars: { type: "integer", minimum: 1, maximum: 5 },
        kind: { enum: ["{{a}}", "b"] },
        error: { type: "string" },
      },
      required: ["stars", "kind"],
      additionalProperties: false,
    },
  };
  const send: JsonObject = { name: "gift_send", inputSchema: { type: "object" } };
  const list = save(project, [FIND_DISH, TRACK_ORDER, WALLET, rate, send]);
  const { code, out, err } = await project.run(["import", list]);
  assert.equal(code, 0);
  assert.match(err, WAY_BACK);
  assert.equal(
    out,
    [
      "created  orders/order_rate.md",
      "created  gift/gift_send.md",
      "0 updated, 2 created, 0 vanished, 3 unchanged",
      "",
    ].join("\n"),
  );
  const [check, first, second, again] = await Promise.all([
    project.run(["check"]),
    project.run(["call", "order_rate", "--value"]),
    project.run(["call", "gift_send", "--value"]),
    project.run(["import", list]),
  ]);
  assert.match(
    check.out,
    /^.+gift_send\.md:\d+: its answer is made up from the schema; write real answers here.+\n.+order_rate\.md:\d+: .+\n$/,
  );
  assert.equal(check.err, "5 tools, 11 scenarios: 2 findings\n");
  assert.deepEqual(JSON.parse(first.out), { stars: 1, kind: "{{a}}" });
  assert.deepEqual(JSON.parse(second.out), {});
  assert.equal(again.out, "0 updated, 0 created, 0 vanished, 5 unchanged\n");
});

Deno.test("vanished tools are reported and kept, and deleted with --prune", async () => {
  using project = makeProject();
  const list = save(project, [FIND_DISH, TRACK_ORDER]);
  const kept = await project.run(["import", list]);
  assert.equal(
    kept.out,
    "vanished  pay/pay_show_wallet.md (kept; --prune deletes it)\n" +
      "0 updated, 0 created, 1 vanished, 2 unchanged\n",
  );
  assert(project.read("tools/pay/pay_show_wallet.md").length > 0);
  const pruned = await project.run(["import", list, "--prune"]);
  assert.equal(
    pruned.out,
    "deleted  pay/pay_show_wallet.md\n0 updated, 0 created, 1 deleted, 2 unchanged\n",
  );
  assert.throws(() => Deno.statSync(project.path("tools/pay")), Deno.errors.NotFound);
  Deno.statSync(project.path("tools/food"));
});

Deno.test("a schema that no server could start with is refused, and nothing is written", async () => {
  using project = makeProject();
  const tools = project.path("tools");
  const before = stateOf(tools);
  for (const name of ["gift_send", String(FIND_DISH.name)]) {
    const inputSchema = { type: "object", properties: { x: { type: "string", pattern: "(" } } };
    const list = save(project, [{ ...FIND_DISH, name, inputSchema }, TRACK_ORDER]);
    const { code, err } = await project.run(["import", list]);
    assert.equal(code, 1);
    assert.match(err, /inputSchema` cannot be used: .*pattern/);
  }
  assert.deepEqual(stateOf(tools), before);
});

Deno.test("--dry-run shows the same and writes nothing", async () => {
  using project = makeProject();
  const send: JsonObject = { name: "gift_send", inputSchema: { type: "object" } };
  const list = save(project, [{ ...FIND_DISH, title: "New" }, TRACK_ORDER, send]);
  const before = stateOf(project.directory);
  const { code, out } = await project.run(["import", list, "--dry-run", "--prune"]);
  assert.equal(code, 0);
  assert.equal(
    out,
    [
      "update  food/food_find_dish.md",
      '  ~ title: "Find a dish" → "New"',
      "create  gift/gift_send.md",
      "delete  pay/pay_show_wallet.md",
      "1 would be updated, 1 would be created, 1 would be deleted, 1 unchanged",
      "",
    ].join("\n"),
  );
  assert.deepEqual(stateOf(project.directory), before);
});

Deno.test("scenarios of changed tools that no longer fit are listed, also before writing", async () => {
  using project = makeProject();
  const changed = {
    ...FIND_DISH,
    outputSchema: { type: "object", properties: { dishes: { type: "array", minItems: 1 } } },
  };
  const list = save(project, [changed, TRACK_ORDER, WALLET]);
  for (const flags of [["--dry-run"], []]) {
    const { code, err } = await project.run(["import", list, ...flags], {
      cwd: project.path("tools"),
    });
    assert.equal(code, 0);
    assert.match(
      err,
      /^careem-mcp: 1 finding in what changed:\n {2}food\/food_find_dish\.md:\d+: scenario `nothing`: its answer does not fit `outputSchema`: .+minItems.+\n(?:To go back: .+\n)?$/,
    );
  }
});

Deno.test("a list comes from standard input, too", async () => {
  using project = makeProject();
  const input = JSON.stringify({ tools: [FIND_DISH, TRACK_ORDER, WALLET] });
  const { out } = await project.run(["import", "-"], { input });
  assert.equal(out, "0 updated, 0 created, 0 vanished, 3 unchanged\n");
});

Deno.test("a list that goes on is mentioned, and never pruned by", async () => {
  using project = makeProject();
  const input = JSON.stringify({ tools: [FIND_DISH], nextCursor: "x" });
  const [plain, prune] = await Promise.all([
    project.run(["import", "-", "--dry-run"], { input }),
    project.run(["import", "-", "--prune"], { input }),
  ]);
  assert.equal(plain.code, 0);
  assert.equal(plain.err, "careem-mcp: the list goes on in further pages that were not saved.\n");
  assert.equal(plain.out, "0 would be updated, 0 would be created, 1 unchanged\n");
  assert.equal(prune.code, 1);
  assert.match(prune.err, /--prune would delete too much\.\nSave all pages/);
  assert(project.read("tools/pay/pay_show_wallet.md").length > 0);
});

Deno.test("what cannot be imported changes nothing and is explained", async () => {
  using project = makeProject();
  const [good, bad, twisted] = [
    project.write("good.json", JSON.stringify({ tools: [{ ...FIND_DISH, title: "New" }] })),
    project.write("bad.json", "{"),
    project.write(
      "twisted.json",
      '{"tools": [{"name": "../x", "inputSchema": {"type": "object"}}]}',
    ),
  ];
  using empty = makeProject({});
  Deno.removeSync(empty.path("tools"));
  using broken = makeProject({
    "tools/a.md": "no frontmatter",
    "tools/b.md": toolFile({ ...FIND_DISH }, [{ name: "rest" }]),
  });
  const cases: [TestProject, string[], RegExp][] = [
    [
      project,
      [project.path("nowhere.json")],
      /^careem-mcp: .+nowhere\.json cannot be read: no such file or folder\.\n$/,
    ],
    [project, [bad], /^careem-mcp: .+bad\.json:1: not valid JSON/],
    [project, [twisted], /the tool name "\.\.\/x" cannot be the name of a file/],
    [
      empty,
      [good],
      EXECUTABLE
        ? /the copy inside the executable, which cannot be changed\.\nWrite them to disk first: /
        : /has no tools\/, .+\nWrite a copy to it first: careem-mcp eject --project '.+'\n/,
    ],
    [broken, [good], /a\.md:1: no frontmatter.+\ncareem-mcp: 1 problem in the tool files, above\./],
  ];
  const before = [project, broken].map(({ directory }) => stateOf(directory));
  await Promise.all(cases.map(async ([where, args, message]) => {
    const { code, out, err } = await where.run(["import", ...args]);
    assert.deepEqual([code, out], [1, ""], err);
    assert.match(err, message);
  }));
  assert.deepEqual([project, broken].map(({ directory }) => stateOf(directory)), before);
});

Deno.test("a file in the way of a new tool is not overwritten", async () => {
  using project = makeProject();
  const path = project.write("tools/gift/gift_send.md/keep", "");
  const send: JsonObject = { name: "gift_send", inputSchema: { type: "object" } };
  const list = save(project, [{ ...FIND_DISH, title: "New" }, send]);
  const before = stateOf(project.directory);
  const { code, err } = await project.run(["import", list]);
  assert.equal(code, 1);
  assert.match(err, /gift_send\.md is in the way of a new tool\.\nMove it away/);
  assert.deepEqual(stateOf(project.directory), before, path);
});

Deno.test("a tools folder that cannot be written to gives a clear error and keeps its files", async () => {
  using project = makeProject();
  const changed = [FIND_DISH, TRACK_ORDER].map((tool) => ({ ...tool, title: "New" }));
  const list = save(project, [...changed.reverse(), WALLET]);
  const before = stateOf(project.directory);
  const folder = project.path("tools", "food");
  Deno.chmodSync(folder, 0o555);
  const { code, err } = await project.run(["import", list], { ordinaryUser: true });
  Deno.chmodSync(folder, 0o755);
  assert.equal(code, 1);
  assert.match(
    err,
    /tools\/food cannot be written to: permission denied\.\nNothing was changed\. Mend that/,
  );
  assert.deepEqual(stateOf(project.directory), before);
});

Deno.test("a folder can be filled from a list alone", async () => {
  using project = makeProject({});
  const list = save(project, [FIND_DISH, WALLET]);
  const { code, out } = await project.run(["import", list]);
  assert.equal(code, 0);
  assert.match(out, /^created {2}food\/food_find_dish\.md\ncreated {2}pay\/pay_show_wallet\.md\n/);
  assert.equal((await project.run(["check"])).err, "2 tools, 2 scenarios: 2 findings\n");
});
