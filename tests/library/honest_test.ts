import assert from "node:assert/strict";
import { join } from "node:path";
import { findBannedWords } from "../../lib/check/check_words.ts";
import { formatProblem } from "../../lib/fixture/problem.ts";
import type { JsonValue } from "../../lib/json.ts";
import { PRODUCTION } from "../../lib/mcp/twin.ts";
import { WIDGET_URI, widgetResource } from "../../lib/mcp/widget.ts";
import { selectScenario } from "../../lib/scenario/select.ts";
import {
  type Case,
  casesOf,
  copyLibrary,
  failureOf,
  findingsOf,
  readLibrary,
  sampleCall,
  TOOLS,
  visit,
} from "./_library.ts";

const library = readLibrary();

Deno.test("check finds nothing in the folder", () => {
  assert.equal(findingsOf(TOOLS).map(formatProblem).join("\n"), "");
});

/** Each breaks one file: the text that is replaced, what by, and what is said of it then. */
const BREAKAGES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  "a wrong total": [
    "cart/cart_get_basket.md",
    '"total": 68.5,',
    '"total": 69.5,',
    "`total` is 69.5 at basket, but `lines[].line_total` makes 68.5",
  ],
  "a wrong line": [
    "cart/cart_get_basket.md",
    '"line_total": 36.5',
    '"line_total": 34.5',
    "`line_total` is 34.5 at basket.lines[], but `quantity * (price + options[].price)` makes 36.5",
  ],
  "a wrong count": [
    "orders/order_list_history.md",
    '"count": 4',
    '"count": 5',
    "`count` is 5 at its top, but `#orders[]` makes 4",
  ],
  "a price that another tool does not know": [
    "groceries/groceries_get_product.md",
    '"price": 6.75',
    '"price": 7.25',
    "the price of product 70101 is 6.75, but groceries_get_product",
  ],
  "a name that another tool does not know": [
    "rides/ride_list_history.md",
    '"name": "Gate Village 4"',
    '"name": "Gate Village 5"',
    'the name of place LOC-52001 is "Gate Village 5", but reverse_geocode',
  ],
  "an id that nobody states": [
    "pay/pay_list_transactions.md",
    '"order_id": "ORD-80005"',
    '"order_id": "ORD-80055"',
    "no tool states the order ORD-80055",
  ],
  "an id that is no longer taken": [
    "food/food_get_item_details.md",
    '"item_id": 3010101 }',
    '"item_id": 3010199 }',
    "the dish 3010101 is not known as `item_id`",
  ],
  "a slot off its boundary": [
    "groceries/groceries_get_delivery_slots.md",
    '"starts_at": "{{now+20m@20m}}"',
    '"starts_at": "{{now+20m}}"',
    "at slots[].starts_at, 2026-10-05T12:27:33Z is no multiple of 20m",
  ],
  "a stage before the one that came first": [
    "orders/order_get_status.md",
    '{ "status": "preparing", "at": "{{now-23m}}" }',
    '{ "status": "preparing", "at": "{{now-33m}}" }',
    "at timeline[].at, 2026-10-05T11:34:33Z comes after 2026-10-05T11:41:33Z",
  ],
};

for (const [what, [file, from, to, says]] of Object.entries(BREAKAGES)) {
  Deno.test(`coherence.json catches ${what}`, () => {
    using copy = copyLibrary();
    copy.edit(file, from, to);
    const found = findingsOf(copy.directory).map(({ message }) => message);
    assert(found.some((message) => message.includes(says)), found.join("\n") || "nothing found");
  });
}

Deno.test("each default answers its own sample call", () => {
  for (const fixture of library.values()) {
    const scenario = fixture.scenarios.find(({ match }) => match === undefined)!;
    assert.equal(
      selectScenario(fixture, sampleCall(fixture, scenario), undefined).scenario,
      scenario,
    );
  }
});

Deno.test("each tool is in the folder of its domain, in a file of its name", () => {
  for (const { path, domain, tool } of library.values()) {
    assert.equal(path, join(TOOLS, domain, `${tool}.md`));
  }
});

Deno.test("scenarios have names of their own in kebab case, and a first sentence", () => {
  for (const { tool, path, scenarios } of library.values()) {
    const names = scenarios.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, `${tool} has two scenarios of one name`);
    for (const name of names) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/, `${tool}: ${name}`);
    const sentences = Deno.readTextFileSync(path).matchAll(/^## Scenario: (.+)\n\n(.+)$/gm);
    const told = [...sentences].map(([, name, sentence]) => {
      assert.match(
        sentence!,
        /^(?!Only when forced|Forced|Default).{6,150}$/,
        `${tool}: ${name}`,
      );
      return name;
    });
    assert.deepEqual(told, names, tool);
  }
});

Deno.test("what only force reaches stands last, behind `## By force`", () => {
  for (const { tool, path, scenarios } of library.values()) {
    const lines = Deno.readTextFileSync(path).split("\n");
    const from = lines.indexOf("## By force") + 1;
    assert(from > 0, `${tool} has no \`## By force\``);
    const reached = scenarios.filter(({ line }) => line < from);
    const forced = scenarios.filter(({ line }) => line > from);
    assert.equal(reached.filter(({ match }) => match === undefined).length, 1, tool);
    assert.equal(reached.at(-1)!.match, undefined, `${tool}: the default stands before By force`);
    assert.deepEqual(forced.filter(({ match }) => match !== undefined), [], tool);
    const headings = lines.slice(from).filter((line) => line.startsWith("## "));
    assert(headings.every((heading) => heading.startsWith("## Scenario: ")), tool);
  }
});

Deno.test("each tool can find its upstream unavailable, those of the account be unauthorized", () => {
  const open = /^(food|groceries_(search|list|get_product)|ride_get_(estimates|schedule))/;
  for (const tool of library.keys()) {
    const find = (name: string): Case | undefined =>
      casesOf(library, tool).find(({ scenario }) => scenario.name === name);
    const unavailable = find("upstream-unavailable");
    assert(unavailable?.forceOnly, tool);
    assert.match(failureOf(unavailable.answer)!, /^failed to .+: unexpected response status 503$/);
    assert(!unavailable.scenario.isError, tool);
    const unauthorized = find("unauthorized");
    if (unauthorized === undefined && open.test(tool)) continue;
    assert(unauthorized?.forceOnly && unauthorized.scenario.isError, tool);
    const error = "unauthorized: access token is missing or expired";
    assert.deepEqual(unauthorized.answer, { error });
  }
});

Deno.test("a failure says nothing else, and nothing is null", () => {
  for (const [tool, { scenario, answer }] of cases()) {
    const where = `${tool}, scenario ${scenario.name}`;
    if (failureOf(answer) !== undefined) assert.deepEqual(Object.keys(answer!), ["error"], where);
    for (const { value, pointer } of visit(answer)) assert.notEqual(value, null, where + pointer);
  }
});

/** Words that tell that this is not production, less loudly than those that `check` looks for. */
const HINTS = /fixture|placeholder|simulat|stub|localhost|127\.0\.0\.1|lorem|by force|forced/i;
/** Where links may lead. */
const HOSTS = ["careem-mcp-app.pages.dev", "app.careem.com"];

Deno.test("nothing that a client sees hints that this is not production", () => {
  const { listed, content } = widgetResource(PRODUCTION.widgetDomain);
  for (const resource of [listed, content]) assert.equal(resource.uri, WIDGET_URI);
  const seen: [string, JsonValue][] = [
    ["the widget", [listed, content] as unknown as JsonValue],
    ...[...library.values()].map(({ tool, definition }): [string, JsonValue] => [tool, definition]),
    ...cases().map(([tool, { scenario, answer }]): [string, JsonValue] => [
      `${tool}, scenario ${scenario.name}`,
      answer,
    ]),
  ];
  for (const [where, value] of seen) {
    const text = JSON.stringify(value);
    assert.doesNotMatch(text, HINTS, where);
    for (const [, host] of text.matchAll(/https?:\/\/([^/\s"\\<>]+)/g)) {
      assert(HOSTS.includes(host!), `${where} links to ${host}`);
    }
  }
  assert.deepEqual([...findBannedWords(listed), ...findBannedWords(content)], []);
});

function cases(): [tool: string, Case][] {
  return [...library.keys()].flatMap((tool) =>
    casesOf(library, tool).map((each): [string, Case] => [tool, each])
  );
}
