import assert from "node:assert/strict";
import { callTool } from "../../lib/mcp/call_tool.ts";
import type { Twin } from "../../lib/mcp/twin.ts";
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

Deno.test("a file that cannot be read fails each of the calls that come together", async () => {
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
