import assert from "node:assert/strict";
import type { ToolDefinition } from "../../lib/fixture/fixture.ts";
import type { JsonObject } from "../../lib/json.ts";
import { findRenames } from "../../lib/produce/renames.ts";

const tool = (properties: JsonObject): ToolDefinition => ({
  name: "t",
  inputSchema: { type: "object", properties },
});
const text = { type: "string" };
const whole = { type: "integer" };

Deno.test("a rename is seen where nothing else is as likely", () => {
  const cases: [why: string, before: JsonObject, after: JsonObject, renames: string[]][] = [
    [
      "the same letters",
      { order_id: text, code: text },
      { orderId: text, promo: text, code: text },
      ["order_id=orderId"],
    ],
    ["an equal schema", { a: { ...text, minLength: 1, description: "x" }, k: text }, {
      b: { ...text, minLength: 1 },
      k: text,
    }, ["a=b"]],
    ["the same type, nearly equal", { a: text }, { b: { ...text, minLength: 1 } }, ["a=b"]],
    ["by type alone, one each", { a: text, n: whole }, { b: text, m: whole }, ["a=b", "n=m"]],
    ["two are as likely", { a: text }, { b: text, c: text }, []],
    ["two of two", { a: text, b: text }, { c: text, d: text }, []],
    ["another type", { a: text }, { b: whole }, []],
    ["nothing is gone", { a: text }, { a: text, b: text }, []],
    ["in objects and lists", {
      o: { type: "object", properties: { a_b: text } },
      l: { type: "array", items: { type: "object", properties: { x: whole } } },
    }, {
      o: { type: "object", properties: { aB: text } },
      l: { type: "array", items: { type: "object", properties: { y: whole } } },
    }, ["o.a_b=aB", "l.x=y"]],
  ];
  for (const [why, before, after, renames] of cases) {
    const found = findRenames(tool(before), tool(after))
      .map(({ within, from, to }) => `${[...within, from].join(".")}=${to}`);
    assert.deepEqual(found, renames, why);
  }
});
