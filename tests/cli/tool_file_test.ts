import assert from "node:assert/strict";
import fc from "fast-check";
import { placeOf } from "../../lib/cli/import_plan.ts";
import { newToolFile, replaceDefinition } from "../../lib/produce/tool_file.ts";
import type { Fixture, ToolDefinition } from "../../lib/fixture/fixture.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import { systemEnvironment } from "../../lib/template/environment.ts";
import { renderTemplate } from "../../lib/template/render.ts";
import { FENCE, FIND_DISH, LIBRARY } from "./_program.ts";

const TEXT = LIBRARY["tools/food/food_find_dish.md"]!;

Deno.test("only the lines of the definition change, whatever the line ends", () => {
  const definition: ToolDefinition = { ...FIND_DISH, description: "New." };
  for (const end of ["\n", "\r\n"]) {
    for (const mark of ["", "\ufeff"]) {
      const text = mark + TEXT.replaceAll("\n", end);
      const after = replaceDefinition(text, parseFixture(text, "a.md"), definition);
      const [before, block] = text.split(`${FENCE}json tool${end}`) as [string, string];
      const expected = [
        before,
        `${FENCE}json tool${end}`,
        JSON.stringify(definition, null, 2).replaceAll("\n", end),
        end,
        block.slice(block.indexOf(FENCE)),
      ].join("");
      assert.equal(after, expected);
      assert.deepEqual(parseFixture(after, "a.md").definition, definition);
    }
  }
});

Deno.test("a file that mixes its line ends keeps them, and needs none at its end", () => {
  const text = TEXT.replace("Some prose.\n", "Some prose.\r\n").trimEnd();
  const after = replaceDefinition(text, parseFixture(text, "a.md"), FIND_DISH);
  assert(after.includes("Some prose.\r\n\n## Definition\n"));
  assert.equal(after.endsWith(FENCE), true);
  assert.equal(after.split("\r").length, 2);
});

Deno.test("a definition may hold fences, braces and line breaks in its texts", () => {
  fc.assert(fc.property(
    fc.array(
      fc.constantFrom(FENCE, "{{", "}}", "\n", "\r\n", '"', "\\", "## Scenario: x", "\u2028"),
    )
      .map((parts) => parts.join("")),
    (description) => {
      const definition: ToolDefinition = { ...FIND_DISH, description };
      const after = replaceDefinition(TEXT, parseFixture(TEXT, "a.md"), definition);
      const before = parseFixture(TEXT, "a.md");
      const fixture = parseFixture(after, "a.md");
      assert.deepEqual(fixture.definition, definition);
      assert.deepEqual(
        fixture.scenarios.map(({ line: _, ...rest }) => rest),
        before.scenarios.map(({ line: _, ...rest }) => rest),
      );
    },
  ));
});

Deno.test("a new file parses, and its answer is rendered as it was given", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.string(), (value, title) => {
    const answer = JSON.parse(JSON.stringify(value));
    const definition: ToolDefinition = { ...FIND_DISH, title };
    const fixture = parseFixture(newToolFile(definition, "food", answer), "a.md");
    assert.deepEqual(fixture.definition, definition);
    assert.equal(fixture.domain, "food");
    assert.deepEqual(fixture.scenarios.map(({ name, match }) => [name, match]), [
      ["default", undefined],
    ]);
    const rendered = renderTemplate(fixture.scenarios[0]!.template, {}, systemEnvironment);
    assert.deepEqual(rendered, answer);
  }));
  const braces = newToolFile(FIND_DISH, "food", { a: "{{{now}}}" });
  const { template } = parseFixture(braces, "a.md").scenarios[0]!;
  assert.deepEqual(renderTemplate(template, {}, systemEnvironment), { a: "{{{now}}}" });
});

Deno.test("a new tool goes to its siblings, else to the domain its name starts with", () => {
  const fixture = (tool: string, domain: string, path: string): Fixture => ({
    ...parseFixture(TEXT, path),
    tool,
    domain,
  });
  const fixtures = [
    fixture("food_find_dish", "food", "/t/food/food_find_dish.md"),
    fixture("trip_plan", "", "/t/journeys/trip_plan.md"),
  ];
  const cases: [string, string, string][] = [
    ["food_rate", "food", "/t/food"],
    ["trip_end", "journeys", "/t/journeys"],
    ["order_rate", "orders", "/t/orders"],
    ["ride_rate", "rides", "/t/rides"],
    ["reverse_geocode", "location", "/t/location"],
    ["gift_send", "gift", "/t/gift"],
    ["ping", "ping", "/t/ping"],
    ["_odd", "_odd", "/t/_odd"],
    ["constructor_x", "constructor", "/t/constructor"],
  ];
  for (const [tool, domain, folder] of cases) {
    assert.deepEqual(placeOf(tool, fixtures, "/t"), { domain, folder }, tool);
  }
});
