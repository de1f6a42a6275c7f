import assert from "node:assert/strict";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { connect } from "../support/client.ts";
import { makeProject } from "./_program.ts";

const FOLDER = new URL("../produce/recording/", import.meta.url);

interface Message extends JsonObject {
  id: number;
}

function recorded(name: string): { text: string; messages: Message[] } {
  const text = Deno.readTextFileSync(new URL(`${name}.jsonl`, FOLDER));
  const lines = text.split("\n").filter((line) => line !== "");
  return { text, messages: lines.map((line) => JSON.parse(line)) };
}

// Recorded from tests/produce/recording/main.go, a server of the Go SDK.
const REQUESTS = recorded("requests");
const ANSWERS = recorded("answers");

/** The recorded calls that a scenario can answer, with their results. */
const CALLS = REQUESTS.messages.filter(({ method }) => method === "tools/call").flatMap(
  (request) => {
    const { result } = ANSWERS.messages.find(({ id }) => id === request.id)!;
    assert(isJsonObject(result));
    const params = request.params as { name: string; arguments: JsonObject };
    return result.structuredContent === undefined ? [] : [{ ...params, result }];
  },
);

Deno.test("a recording of a Go server becomes a folder that answers the same calls equally", async () => {
  assert.equal(CALLS.length, 8);
  for (const order of [["requests", "answers"], ["answers", "requests"]]) {
    using project = makeProject({});
    // A second session, cut off, and a line that is no message, do no harm.
    const again = REQUESTS.messages.slice(0, 4).map((one) => JSON.stringify(one)).join("\n");
    project.write("requests", `${again}\n${REQUESTS.text}`);
    project.write("answers", `${JSON.stringify(ANSWERS.messages[0])}\nnpm notice\n${ANSWERS.text}`);
    const { code, out, err } = await project.run([
      "import",
      ...order.map((name) => project.path(name)),
    ]);
    assert.equal(code, 0, err);
    assert.match(
      out,
      /created {2}dish\/dish_find\.md\n(?: {2}\+ scenario \S+\n){6}created {2}wallet\/wallet_show\.md\n {2}\+ scenario recorded\n/,
    );
    assert.match(err, /7 scenarios recorded; 1 call answered so already\n/);
    assert.match(err, /1 call refused by the schema/);
    assert.match(err, /1 call answered with plain text/);
    await using server = await connect("stdio", ["--project", project.directory]);
    for (const { name, arguments: args, result } of CALLS) {
      const { structured, text, isError } = await server.call(name, args);
      assert.deepEqual(structured, result.structuredContent);
      assert.deepEqual(JSON.parse(text), result.structuredContent);
      assert.equal(isError, result.isError ?? false);
    }
    const check = await project.run(["check"]);
    assert.match(check.out, /^.+dish_find\.md:\d+: its answer is made up from the schema; .+\n$/);
    const { messages } = ANSWERS;
    const list = project.write("list.json", JSON.stringify(messages.find(({ id }) => id === 2)));
    const same = await project.run(["import", list]);
    assert.equal(same.out, "0 updated, 0 created, 0 vanished, 2 unchanged\n");
  }
});

Deno.test("a journal becomes scenarios of the tools that are there", async () => {
  using project = makeProject();
  const call = (id: string, tool: string, args: JsonObject, structuredContent: JsonObject) =>
    JSON.stringify({
      id,
      time: "2026-03-01T10:00:00.000Z",
      pid: 1,
      tool,
      arguments: args,
      result: { content: [], structuredContent },
    });
  const journal = project.write(
    "calls.jsonl",
    [
      call("a", "order_track", { order_id: "ORD-9", place: { latitude: 1, longitude: 2 } }, {
        near: true,
      }),
      call("b", "order_track", { order_id: "ORD-9" }, { order: "late since 2026-03-01T09:58:00Z" }),
      call("c", "order_track", { order_id: "ORD-9" }, { order: "another" }),
      call("d", "order_track", { order_id: "ORD-1" }, { order: "ORD-1" }),
      call("e", "pay_show_wallet", {}, { balance: 1 }),
      call("f", "no_such", { a: 1 }, {}),
    ].join("\n"),
  );
  const before = project.read("tools/pay/pay_show_wallet.md");
  const dry = await project.run(["import", journal, "--dry-run"]);
  const { code, out, err } = await project.run(["import", journal]);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^updated {2}orders\/order_track\.md\n {2}\+ scenario ord-9\n {2}\+ scenario ord-9-1-2\n1 updated, 0 created, 2 unchanged\n$/,
  );
  assert.equal(dry.out.replaceAll("update  ", "updated  ").replaceAll("would be ", ""), out);
  for (
    const part of [
      "2 scenarios recorded; 1 call answered so already",
      "1 call answered otherwise the first time",
      "1 call without arguments",
      "`no_such` was called, but is not defined",
    ]
  ) {
    assert(err.includes(part), err);
  }
  assert.equal(project.read("tools/pay/pay_show_wallet.md"), before);
  const near = await project.run([
    "call",
    "order_track",
    '{"order_id":"ORD-9","place":{"latitude":1,"longitude":2}}',
    "--value",
  ]);
  assert.deepEqual(JSON.parse(near.out), { near: true });
  assert.equal((await project.run(["check"])).code, 0);
  const nothing = project.write("nothing", "{}\n{}");
  assert.match(
    (await project.run(["import", nothing, nothing])).err,
    /neither tools nor answered calls/,
  );
});

Deno.test("a recorded call without arguments takes the place of a made-up default alone", async () => {
  using project = makeProject({});
  const list = project.write(
    "list",
    '{"tools":[{"name":"gift_send","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]}',
  );
  await project.run(["import", list]);
  const file = "tools/gift/gift_send.md";
  const more =
    '\n## Scenario: more\n\n```json match\n{"a": "1"}\n```\n\n```json response\n{"b": 1}\n```\n';
  project.write(file, (project.read(file) + more).replaceAll("\n", "\r\n"));
  const journal = project.write(
    "calls",
    '{"id":"a","pid":1,"tool":"gift_send","arguments":{},"result":{"structuredContent":{"b":2}}}',
  );
  assert.equal((await project.run(["import", journal])).code, 0);
  const called = await Promise.all(
    ["{}", '{"a":"1"}'].map((args) => project.run(["call", "gift_send", args, "--value"])),
  );
  assert.deepEqual(called.map(({ out }) => JSON.parse(out)), [{ b: 2 }, { b: 1 }]);
  assert(!/[^\r]\n/.test(project.read(file)));
  assert.equal((await project.run(["check"])).code, 0);
});
