import assert from "node:assert/strict";
import type { Scenario } from "../../lib/fixture/fixture.ts";
import type { Expression } from "../../lib/template/expression.ts";
import type { RenderEnvironment } from "../../lib/template/environment.ts";
import { AFTERNOON, casesOf, readLibrary, visit } from "./_library.ts";

// Facts stand still: what is over keeps its day, nothing is left to chance, and no shop closes at
// an hour that moves with the clock.

const library = readLibrary();
const DAY = 24n * 3_600n * 1_000_000_000n;

Deno.test("what is over has a day, which stands still until the next", () => {
  for (const [where, expression] of expressions()) {
    if (expression.kind !== "now" || expression.offset > -DAY) continue;
    assert.deepEqual([expression.round, expression.format], [DAY, "date"], where);
  }
});

Deno.test("an answer about nothing under way is the same all day", () => {
  const moments = ["2026-10-05T00:00:00Z", "2026-10-05T23:59:59Z"].map(at);
  let stable = 0;
  for (const tool of library.keys()) {
    const [early, late] = moments.map((moment) => casesOf(library, tool, moment));
    for (const [nth, { scenario, answer }] of early!.entries()) {
      const isUnderWay = expressionsOf(scenario).some((expression) =>
        expression.kind !== "args" && !(expression.kind === "now" && expression.offset <= -DAY)
      );
      if (isUnderWay) continue;
      assert.deepEqual(late![nth]!.answer, answer, `${tool}, scenario ${scenario.name}`);
      stable++;
    }
  }
  assert(stable > 500);
});

Deno.test("nothing is left to chance", () => {
  for (const [where, { kind }] of expressions()) assert(["args", "now"].includes(kind), where);
});

Deno.test("no answer has an hour of opening or closing", () => {
  for (const tool of library.keys()) {
    for (const { scenario, answer } of casesOf(library, tool)) {
      for (const { pointer } of visit(answer)) {
        assert.doesNotMatch(pointer, /\/(opens|closes|opening|closing)_?[^/]*$/i, scenario.name);
      }
    }
  }
});

function at(time: string): RenderEnvironment {
  return { ...AFTERNOON, now: () => Date.parse(time) };
}

function expressions(): [where: string, Expression][] {
  return [...library.values()].flatMap(({ tool, scenarios }) =>
    scenarios.flatMap((scenario) =>
      expressionsOf(scenario).map((expression): [string, Expression] => [
        `${tool}, scenario ${scenario.name}`,
        expression,
      ])
    )
  );
}

function expressionsOf({ template }: Scenario): Expression[] {
  return template.segments.flatMap((segment) =>
    segment.kind === "placeholder" ? [segment.expression] : []
  );
}
