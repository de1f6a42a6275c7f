import assert from "node:assert/strict";
import { checkCoherence } from "../../lib/check/coherence.ts";
import { finish } from "../../lib/steps.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import type { JsonObject } from "../../lib/json.ts";

// A small world: a menu that states dishes, a basket that shows them, a tool that takes them.

const NOW = {
  now: () => Date.parse("2026-10-05T12:07:33Z"),
  uuid: () => "",
  randomInteger: () => 0,
};

const FENCE = "```";

function toolFile(tool: string, properties: JsonObject, scenarios: string): Fixture {
  const definition = { name: tool, inputSchema: { type: "object", properties } };
  const text = `---
tool: ${tool}
---
## Definition
${FENCE}json tool
${JSON.stringify(definition)}
${FENCE}
${scenarios}`;
  return parseFixture(text, `${tool}.md`);
}

function scenario(name: string, answer: string, match?: JsonObject): string {
  const rule = match === undefined
    ? ""
    : `${FENCE}json match\n${JSON.stringify(match)}\n${FENCE}\n`;
  return `## Scenario: ${name}\n${rule}${FENCE}json response\n${answer}\n${FENCE}\n`;
}

function world(edits: { menu?: string; basket?: string; add?: string } = {}): Map<string, Fixture> {
  const menu = edits.menu ?? `{"restaurant": 7, "items": [
    {"id": 71, "name": {"value": "Wrap"}, "price": 18, "at": "{{now+1h@20m}}"},
    {"id": 72, "name": {"value": "Plate"}, "price": 30.5, "at": "{{now+2h@20m}}"}]}`;
  const basket = edits.basket ??
    `{"lines": [{"item": 71, "name": "Wrap", "price": 18, "quantity": 2, "total": 36},
      {"item": 72, "name": "Plate", "price": 30.5, "quantity": 1, "total": 30.5}],
      "count": 2, "total": 66.5}`;
  const add = edits.add ?? "~7";
  return new Map([
    toolFile("menu", {}, scenario("menu", menu)),
    toolFile(
      "basket",
      {},
      scenario("basket", basket) +
        scenario("later", '{"lines": [{"item": 71, "name": "Wrap", "price": 19}]}'),
    ),
    toolFile(
      "add",
      { item: { type: "integer" }, restaurant: { type: "integer" } },
      scenario("added", '{"line": "LN-{{args.item}}"}', { item: add, restaurant: 7 }) +
        scenario("unknown", '{"error": "item {{args.item}} not found"}'),
    ),
  ].map((fixture) => [fixture.tool, fixture]));
}

const COHERENCE = {
  entities: {
    dish: {
      stated: {
        in: "menu",
        at: "items[].id",
        facts: { name: "name.value", price: "price", restaurant: "/restaurant" },
      },
      shown: [{ in: "basket", at: "lines[].item", facts: { name: "name", price: "price" } }],
      taken: [{ by: "add", as: "item", with: { restaurant: "{restaurant}" } }],
      refused: [99],
      unlessForced: ["price"],
    },
  },
  sums: [
    { in: "basket", at: "lines[]", total: "total", is: "quantity * price" },
    { in: "basket", at: "", total: "total", is: "lines[].total" },
    { in: "basket", at: "", total: "count", is: "#lines[]" },
  ],
  ordered: [{ in: "menu", at: "items[].at" }],
  multiples: [{ in: "menu", at: "items[].at", of: "20m" }],
};

function check(fixtures: Map<string, Fixture>, coherence: unknown = COHERENCE): string[] {
  return finish(checkCoherence(JSON.stringify(coherence), "coherence.json", fixtures, NOW))
    .map(({ tool = "", scenario = "", message }) => `${tool} ${scenario}: ${message}`);
}

Deno.test("a coherent world has no findings", () => assert.deepEqual(check(world()), []));

const menuOf = (second: string): string =>
  `{"restaurant": 7, "items": [{"id": 71, "name": {"value": "Wrap"}, "price": 18,
    "at": "{{now+1h@20m}}"}, ${second}]}`;

const BREAKAGES: Readonly<Record<string, [Parameters<typeof world>[0], ...string[]]>> = {
  "another price in the menu": [
    { menu: menuOf('{"id": 72, "name": {"value": "Plate"}, "price": 31, "at": "{{now+2h@20m}}"}') },
    "basket basket: the price of dish 72 is 30.5, but menu (`menu`) says 31",
  ],
  "another name": [
    {
      menu: menuOf('{"id": 72, "name": {"value": "Dish"}, "price": 30.5, "at": "{{now+2h@20m}}"}'),
    },
    'basket basket: the name of dish 72 is "Plate", but menu (`menu`) says "Dish"',
  ],
  "an id that nobody states": [
    { menu: menuOf('{"id": 73, "name": {"value": "Plate"}, "price": 3, "at": "{{now+2h@20m}}"}') },
    "basket basket: no tool states the dish 72",
  ],
  "an id that is not taken": [
    { add: "71" },
    "add unknown: the dish 72 is not known as `item`: it is answered by the default `unknown`",
  ],
  "an id that nothing shows, taken": [
    { add: "*" },
    "add added: the dish 99, which nothing shows, is taken as `item`",
  ],
  "a wrong line and a wrong sum": [
    { basket: '{"lines": [{"item": 71, "price": 18, "quantity": 2, "total": 35}], "total": 36}' },
    "basket basket: `total` is 35 at lines[], but `quantity * price` makes 36",
    "basket basket: `total` is 36 at its top, but `lines[].total` makes 35",
  ],
  "a wrong count": [
    { basket: '{"lines": [{"item": 71, "price": 18}], "count": 2}' },
    "basket basket: `count` is 2 at its top, but `#lines[]` makes 1",
  ],
  "a time out of order and off its boundary": [
    {
      menu: menuOf('{"id": 72, "name": {"value": "Plate"}, "price": 30.5, "at": "{{now+10m}}"}'),
    },
    "menu menu: at items[].at, 2026-10-05T12:17:33Z comes after 2026-10-05T13:00:00Z",
    "menu menu: at items[].at, 2026-10-05T12:17:33Z is no multiple of 20m",
  ],
};

for (const [what, [edits, ...findings]] of Object.entries(BREAKAGES)) {
  Deno.test(`what is caught: ${what}`, () => assert.deepEqual(check(world(edits)), findings));
}

Deno.test("a coherence file that is of no use says why", () => {
  const first = (coherence: unknown): string => check(world(), coherence)[0]!;
  assert.match(first({ sum: [] }), /cannot be used: .*unexpected additional properties \["sum"\]/);
  assert.match(first({ ordered: [{ at: "no.such[]" }] }), /no answer has anything at no\.such/);
  assert.match(
    first({ sums: [{ at: "lines[]", total: "total", is: "quantity * (price" }] }),
    /`quantity \* \(price` lacks a `\)`/,
  );
  const [finding] = finish(checkCoherence('{\n"sums": [,]}', "coherence.json", world(), NOW));
  assert.match(finding!.message, /^not valid JSON/);
  assert.deepEqual([finding!.path, finding!.line], ["coherence.json", 2]);
});
