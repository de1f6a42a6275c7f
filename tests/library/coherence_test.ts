import assert from "node:assert/strict";
import { findBannedWords } from "../../lib/check/check_words.ts";
import { formatProblem, type Problem } from "../../lib/fixture/problem.ts";
import { WIDGET_URI, widgetResource } from "../../lib/mcp/widget.ts";
import { PRODUCTION } from "../../lib/mcp/twin.ts";
import { KINDS, OPAQUE } from "./_entities.ts";
import { casesOf, MOMENTS, readLibrary, visit } from "./_library.ts";
import { closed, consistent, discreet, hints, honest, isAt, type Rule } from "./_rules.ts";

const library = readLibrary();

holdsForAll(
  "each sample call reaches its own scenario, each answer fits, no word is banned",
  honest,
);
holdsForAll(
  "sums, counts, times and slots agree, whenever an answer is given",
  consistent,
  MOMENTS,
);
holdsForAll("every id in an answer is known, as the same thing, to the tools that take it", closed);
holdsForAll("no definition and no answer hints that this is not production", discreet);

Deno.test("the widget resource does not hint that this is not production", () => {
  const { listed, content } = widgetResource(PRODUCTION.widgetDomain);
  for (const resource of [listed, content]) {
    assert.equal(resource.uri, WIDGET_URI);
    assert.deepEqual([...findBannedWords(resource), ...hints(resource)], []);
  }
});

Deno.test("scenario names are unique in a file and written in kebab case", () => {
  for (const { tool, scenarios } of library.values()) {
    const names = scenarios.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, `${tool} has two scenarios of one name`);
    for (const name of names) {
      assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/, `${tool}, scenario ${name}`);
    }
  }
});

Deno.test("every tool can be forced to find its upstream unavailable", () => {
  for (const { tool, scenarios } of library.values()) {
    const scenario = scenarios.find(({ name }) => name === "upstream-unavailable");
    assert(scenario && !scenario.match, `${tool} has no such scenario without a rule`);
  }
});

Deno.test("every tool that touches the customer's account can be forced to be unauthorized", () => {
  const open = /^(food|groceries_(search|list|get_product)|ride_get_(estimates|schedule))/;
  for (const { tool, scenarios } of library.values()) {
    const scenario = scenarios.find(({ name }) => name === "unauthorized");
    if (open.test(tool)) continue;
    assert(scenario?.isError && !scenario.match, `${tool} has no such scenario without a rule`);
  }
});

Deno.test("every place that ids are looked for in is there, and what it tells is asked about", () => {
  const spots = [...library.keys()].flatMap((tool) => casesOf(library, tool))
    .flatMap(({ answer }) => [...visit(answer)]);
  const isSeen = (at: string): boolean => spots.some((spot) => isAt(spot, at));
  for (const { kind, places, questions } of KINDS) {
    const answered = new Set(questions.flatMap(({ says }) => Object.keys(says ?? {})));
    for (const { at, says, saysUnforced } of places) {
      assert(isSeen(at), `no answer shows a ${kind} at ${at}`);
      for (const fact of Object.keys({ ...says, ...saysUnforced })) {
        assert(answered.has(fact), `nothing is asked about the ${fact} of a ${kind}`);
      }
    }
  }
  for (const at of OPAQUE) assert(isSeen(at), `no answer shows ${at}`);
});

/** One step per tool, so that a failure shows at once whose it is. */
function holdsForAll(
  sentence: string,
  rule: Rule,
  moments: typeof MOMENTS = MOMENTS.slice(0, 2),
): void {
  Deno.test(sentence, async (t) => {
    for (const tool of library.keys()) {
      await t.step(tool, () => {
        const problems = moments.flatMap((moment) => rule(casesOf(library, tool, moment)));
        assert.equal(problems.length, 0, listed(problems));
      });
    }
  });
}

function listed(problems: readonly Problem[]): string {
  const lines = [...new Set(problems.map(formatProblem))];
  const more = lines.length > 20 ? [`… and ${lines.length - 20} more`] : [];
  return [`${lines.length} problems:`, ...lines.slice(0, 20), ...more].join("\n");
}
