import assert from "node:assert/strict";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import { FixtureError } from "../../lib/fixture/problem.ts";
import { callTool } from "../../lib/mcp/call_tool.ts";
import { RpcError } from "../../lib/mcp/rpc_error.ts";
import { scanTemplate } from "../../lib/template/scan.ts";
import { makeTwin, scenario, toolFile } from "./_twin.ts";

const GREET = toolFile(
  {
    name: "greet",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string" }, times: { type: "integer", default: 1 } },
      required: ["name"],
      additionalProperties: false,
    },
  },
  scenario("ada", '{"hello": "Ada", "at": "{{now}}"}', { match: { name: "ada" } }),
  scenario("anyone", '{"hello": "{{args.name}}", "times": {{args.times}}}'),
  scenario("refused", '{"error": "unauthorized"}', { kind: "error" }),
  scenario("list", "[1, 2]"),
);

Deno.test("a call is answered by the scenario that its arguments choose", async () => {
  const { twin, calls } = makeTwin([GREET]);
  const { result, selection } = await callTool(twin, "greet", { name: "ADA" });
  const value = { hello: "Ada", at: "2026-10-09T08:00:00Z" };
  assert.deepEqual(result, {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
    isError: false,
  });
  assert.equal(selection?.reason, "match");
  assert.deepEqual(calls.map(({ selection }) => selection?.scenario.name), ["ada"]);
});

Deno.test("defaults are applied before matching, rendering and logging", async () => {
  const { twin, calls } = makeTwin([GREET]);
  const { result } = await callTool(twin, "greet", { name: "Bo" });
  assert.deepEqual(result.structuredContent, { hello: "Bo", times: 1 });
  assert.deepEqual(calls[0]?.args, { name: "Bo", times: 1 });
});

Deno.test("a forced scenario wins; one that the file does not have is ignored", async () => {
  const { twin, force } = makeTwin([GREET]);
  force("greet", "REFUSED");
  const refused = await callTool(twin, "greet", { name: "ada" });
  assert.equal(refused.result.isError, true);
  assert.deepEqual(refused.result.structuredContent, { error: "unauthorized" });
  assert.equal(refused.selection?.reason, "forced");
  force("greet", "no-such-scenario");
  assert.equal((await callTool(twin, "greet", { name: "ada" })).selection?.scenario.name, "ada");
});

Deno.test("an answer that is no object has no structured content", async () => {
  const { twin, force } = makeTwin([GREET]);
  force("greet", "list");
  const { result } = await callTool(twin, "greet", { name: "x" });
  assert.deepEqual(result, { content: [{ type: "text", text: "[1,2]" }], isError: false });
});

Deno.test("arguments that do not fit are refused in the Go validator's words", async () => {
  const { twin, calls } = makeTwin([GREET]);
  const cases: [unknown, string][] = [
    [{}, 'validating root: required: missing properties: ["name"]'],
    [undefined, 'validating root: required: missing properties: ["name"]'],
    [null, 'validating root: required: missing properties: ["name"]'],
    [
      { name: 5 },
      'validating root: validating /properties/name: type: 5 has type "integer", want "string"',
    ],
    [
      [],
      'unmarshaling arguments: json: cannot unmarshal "[]" into Go value of type map[string]interface {}',
    ],
    [
      "x",
      'unmarshaling arguments: json: cannot unmarshal "\\"x\\"" into Go value of type map[string]interface {}',
    ],
  ];
  for (const [given, reason] of cases) {
    const { result, selection } = await callTool(twin, "greet", given as never);
    assert.equal(result.content[0].text, `validating "arguments": ${reason}`);
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent, undefined);
    assert.equal(selection, undefined);
  }
  assert.equal(calls.length, cases.length, "refused calls are logged, too");
});

Deno.test("an unknown tool is an error of the protocol", async () => {
  const { twin } = makeTwin([GREET]);
  await assert.rejects(callTool(twin, 'gr"eet', {}), (error) => {
    assert(error instanceof RpcError);
    assert.equal(error.code, -32602);
    assert.equal(error.message, 'unknown tool "gr\\"eet"');
    return true;
  });
});

Deno.test("a broken file tells the client nothing and the developer everything", async () => {
  const { twin, calls, replace } = makeTwin([GREET]);
  replace("greet", () => {
    throw new FixtureError([{ path: "greet.md", line: 7, message: "not valid JSON" }]);
  });
  const { result } = await callTool(twin, "greet", { name: "x" });
  assert.deepEqual(result, {
    content: [{ type: "text", text: "internal server error" }],
    isError: true,
  });
  assert.equal(calls[0]?.problem, "greet.md:7: not valid JSON");
  const exposed = await callTool({ ...twin, exposeFixtureErrors: true }, "greet", { name: "x" });
  assert.equal(exposed.result.content[0].text, "greet.md:7: not valid JSON");
});

Deno.test("an answer that stops being JSON is an internal error that names its scenario", async () => {
  const { twin, calls, replace } = makeTwin([GREET]);
  const fixture = twin.store.read("greet") as Fixture;
  // No number begins with a zero. At start, this would have been refused.
  const template = scanTemplate('{"price": {{rand:0-0}}5}');
  replace("greet", () => ({
    ...fixture,
    scenarios: [{ name: "lucky", line: 7, isError: false, template }],
  }));
  const { result } = await callTool(twin, "greet", { name: "x" });
  assert.equal(result.isError, true);
  assert.equal(result.content[0].text, "internal server error");
  assert.match(calls[0]!.problem!, /^file0\.md:\d+: scenario `lucky`: not valid JSON/);
});
