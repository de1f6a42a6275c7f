import assert from "node:assert/strict";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import { FixtureError } from "../../lib/fixture/problem.ts";
import type { JsonValue } from "../../lib/json.ts";
import { callTool } from "../../lib/mcp/call_tool.ts";
import type { Twin } from "../../lib/mcp/twin.ts";
import { RpcError } from "../../lib/mcp/protocol.ts";
import { scanTemplate } from "../../lib/template/scan.ts";
import { EXCHANGE, makeTwin, resultOf, scenario, toolFile } from "./_twin.ts";

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

const call = (twin: Twin, args: JsonValue | undefined) => resultOf(twin, "greet", args);

Deno.test("a call is answered by the scenario that its arguments choose", async () => {
  const { twin, calls } = makeTwin([GREET]);
  const result = await call(twin, { name: "ADA" });
  const value = { hello: "Ada", at: "2026-10-09T08:00:00Z" };
  assert.deepEqual(result, {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
    isError: false,
  });
  assert.deepEqual(calls.map(({ selection }) => [selection?.scenario.name, selection?.reason]), [
    ["ada", "match"],
  ]);
});

Deno.test("defaults are applied before matching, rendering and logging", async () => {
  const { twin, calls } = makeTwin([GREET]);
  const result = await call(twin, { name: "Bo" });
  assert.deepEqual(result.structuredContent, { hello: "Bo", times: 1 });
  assert.deepEqual(calls[0]?.args, { name: "Bo", times: 1 });
});

Deno.test("a forced scenario wins; one that the file does not have is ignored", async () => {
  const { twin, calls, force } = makeTwin([GREET]);
  force("greet", "REFUSED");
  const refused = await call(twin, { name: "ada" });
  assert.equal(refused.isError, true);
  assert.deepEqual(refused.structuredContent, { error: "unauthorized" });
  force("greet", "no-such-scenario");
  await call(twin, { name: "ada" });
  assert.deepEqual(calls.map(({ selection }) => [selection?.scenario.name, selection?.reason]), [
    ["refused", "forced"],
    ["ada", "match"],
  ]);
});

Deno.test("an answer that is no object has no structured content", async () => {
  const { twin, force } = makeTwin([GREET]);
  force("greet", "list");
  const result = await call(twin, { name: "x" });
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
    const result = await call(twin, given as never);
    assert.equal(result.content[0].text, `validating "arguments": ${reason}`);
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent, undefined);
  }
  assert.deepEqual(
    calls.map(({ selection }) => selection),
    cases.map(() => undefined),
    "refused calls are logged, too, and no scenario was chosen",
  );
});

Deno.test("an unknown tool is an error of the protocol", async () => {
  const { twin } = makeTwin([GREET]);
  await assert.rejects(callTool(twin, 'gr"eet', {}, EXCHANGE), (error) => {
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
  const result = await call(twin, { name: "x" });
  assert.deepEqual(result, {
    content: [{ type: "text", text: "internal server error" }],
    isError: true,
  });
  assert.equal(calls[0]?.problem, "greet.md:7: not valid JSON");
  const exposed = await call({ ...twin, exposeFixtureErrors: true }, { name: "x" });
  assert.equal(exposed.content[0].text, "greet.md:7: not valid JSON");
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
  const result = await call(twin, { name: "x" });
  assert.equal(result.isError, true);
  assert.equal(result.content[0].text, "internal server error");
  assert.match(calls[0]!.problem!, /^file0\.md:\d+: scenario `lucky`: not valid JSON/);
});

Deno.test("a call that is cancelled while it waits fails as a Go handler does", async () => {
  const { twin, calls, replace } = makeTwin([GREET]);
  const cancelling = new AbortController();
  const { signal } = cancelling;
  replace("greet", () =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      cancelling.abort();
    }) as never);
  const waiting = { signal: () => signal };
  const answered = resultOf(twin, "greet", { name: "x" }, waiting);
  assert.deepEqual(await answered, {
    content: [{ type: "text", text: "context canceled" }],
    isError: true,
  });
  assert.equal(calls[0]?.problem, "context canceled");

  // What breaks just then is told as what it is.
  replace("greet", () => {
    throw new Error("broken");
  });
  assert.equal(
    (await resultOf(twin, "greet", { name: "x" }, waiting)).content[0].text,
    "internal server error",
  );
  assert.equal(calls[1]?.problem, "broken");
});
