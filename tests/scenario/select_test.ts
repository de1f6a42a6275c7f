import assert from "node:assert/strict";
import type { Fixture, Scenario } from "../../lib/fixture/fixture.ts";
import type { JsonObject } from "../../lib/json.ts";
import { defaultScenario, findScenario, selectScenario } from "../../lib/scenario/select.ts";

/** A fixture with scenarios of these names and rules, a text that tells each apart as its line. */
function fixtureOf(...rules: readonly (readonly [name: string, match?: JsonObject])[]): Fixture {
  const scenarios = rules.map(([name, match], index): Scenario => ({
    name,
    line: index + 1,
    isError: false,
    template: { segments: [] },
    ...(match !== undefined && { match }),
  }));
  return {
    path: "tools/ping.md",
    tool: "ping",
    domain: "",
    definition: { name: "ping", inputSchema: { type: "object" } },
    definitionLine: 1,
    scenarios,
  };
}

const FIXTURE = fixtureOf(
  ["first", { id: 1 }],
  ["usual"],
  ["wide", { id: "*" }],
  ["narrow", { id: 2 }],
  ["other"],
  ["Forced Only", { id: "=never", "no such": 1 }],
  ["USUAL"],
);

function choose(args: JsonObject, forced?: string): string {
  const { scenario, reason } = selectScenario(FIXTURE, args, forced);
  return `${scenario.line} ${scenario.name}: ${reason}`;
}

Deno.test("the first rule that matches answers, in the order of the file", () => {
  assert.equal(choose({ id: 1 }), "1 first: match");
  assert.equal(choose({ id: 2 }), "3 wide: match");
  assert.equal(choose({ id: false }), "3 wide: match");
});

Deno.test("a rule answers also below the default", () => {
  const fixture = fixtureOf(["usual"], ["any", {}], ["more", {}]);
  assert.equal(selectScenario(fixture, {}, undefined).scenario.name, "any");
});

Deno.test("the first scenario without a rule answers when no rule matches", () => {
  assert.equal(choose({}), "2 usual: default");
  assert.equal(choose({ id: null }), "2 usual: default");
  assert.equal(choose({ ID: 1 }), "2 usual: default");
  assert.equal(defaultScenario(FIXTURE).line, 2);
});

Deno.test("a forced scenario wins over every rule, whatever its case", () => {
  for (const name of ["Forced Only", "forced only", "FORCED ONLY"]) {
    assert.equal(choose({ id: 1 }, name), "6 Forced Only: forced");
  }
  assert.equal(choose({ id: 1 }, "other"), "5 other: forced");
  assert.equal(choose({ id: 1 }, "first"), "1 first: forced");
  assert.equal(choose({}, "usual"), "2 usual: forced");
});

Deno.test("a forced name that the file does not have is ignored", () => {
  for (const name of ["gone", "", " ", "firs", "first ", "Forced  Only", "*", "__proto__"]) {
    assert.equal(choose({ id: 1 }, name), "1 first: match", JSON.stringify(name));
    assert.equal(choose({}, name), "2 usual: default", JSON.stringify(name));
  }
});

Deno.test("the first of two scenarios of one name is found", () => {
  assert.equal(findScenario(FIXTURE, "USUAL")?.line, 2);
  assert.equal(findScenario(FIXTURE, "Usual")?.line, 2);
  assert.equal(findScenario(FIXTURE, "NARROW")?.line, 4);
  assert.equal(findScenario(FIXTURE, "nothing"), undefined);
});

Deno.test("names compare without regard to case in any script", () => {
  const fixture = fixtureOf(["usual"], ["CAFÉ-fermé", {}], ["مغلق", {}]);
  assert.equal(findScenario(fixture, "café-FERMÉ")?.line, 2);
  assert.equal(findScenario(fixture, "مغلق")?.line, 3);
});
