import assert from "node:assert/strict";
import { sharedLook } from "../../lib/mcp/look.ts";
import { callTool } from "../../lib/mcp/call_tool.ts";
import type { Twin } from "../../lib/mcp/twin.ts";
import { parseOverrides } from "../../lib/control/overrides.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import { encode } from "../../lib/wire_json.ts";
import { EXCHANGE, makeTwin, scenario, toolFile } from "./_twin.ts";

function file(answer: string): Fixture {
  const definition = { name: "probe", inputSchema: { type: "object" } };
  return parseFixture(toolFile(definition, scenario("only", answer)), "probe.md");
}

/** The result of a call as a client reads it. */
async function call(twin: Twin) {
  const json = await callTool(twin, "probe", {}, EXCHANGE);
  return JSON.parse(new TextDecoder().decode(encode(json)));
}

/** A store whose files the test changes, and how often it was read. */
function makeSurroundings() {
  const reads: string[] = [];
  let answer = 1;
  return {
    reads,
    edit: () => ++answer,
    store: {
      fixtures: new Map<string, Fixture>(),
      read: (tool: string) => {
        reads.push(tool);
        return file(String(answer));
      },
    },
    overrides: () => {
      reads.push("overrides");
      return parseOverrides(JSON.stringify({ probe: String(answer) }));
    },
  };
}

Deno.test("calls that come together look at each file once", async () => {
  const surroundings = makeSurroundings();
  const look = sharedLook(surroundings);
  const looks = await Promise.all([look(), look(), look()]);
  for (const one of looks) {
    await one.fixture("a");
    await one.overrides();
    await one.fixture("b");
  }
  assert.deepEqual(surroundings.reads, ["a", "overrides", "b"]);
});

Deno.test("a call sees what was edited before it came, and until its look is taken", async () => {
  const surroundings = makeSurroundings();
  const look = sharedLook(surroundings);
  for (let edit = 0; edit < 5; edit++) {
    const coming = look();
    const edited = String(surroundings.edit());
    const { entries } = await (await coming).overrides();
    assert.deepEqual(entries.get("probe")?.steps, [{ scenario: edited }]);
    const next = look();
    assert.notEqual(await next, await coming, "a look is not used again once it was taken");
  }
});

Deno.test("an edit between two calls shows at the second, however close together they are", async () => {
  const { twin, replace } = makeTwin([
    toolFile({ name: "probe", inputSchema: { type: "object" } }, scenario("only", "0")),
  ]);
  const answers: string[] = [];
  for (let edit = 1; edit <= 20; edit++) {
    replace("probe", () => file(String(edit)));
    const results = await Promise.all([1, 2, 3].map(() => call(twin)));
    for (const { content } of results) answers.push(content[0].text);
  }
  assert.deepEqual(
    answers,
    Array.from({ length: 60 }, (_, nth) => String(1 + Math.floor(nth / 3))),
  );
});

Deno.test("a file that cannot be read fails each of the calls that share its look", async () => {
  const { twin, calls, replace } = makeTwin([
    toolFile({ name: "probe", inputSchema: { type: "object" } }, scenario("only", "0")),
  ]);
  for (
    const fail of [
      () => {
        throw new Error("broken");
      },
      () => Promise.reject(new Error("broken")) as never,
    ]
  ) {
    replace("probe", fail);
    const results = await Promise.all([1, 2].map(() => call(twin)));
    assert(results.every(({ isError }) => isError));
  }
  assert.deepEqual(calls.map(({ problem }) => problem), Array(4).fill("broken"));
});
