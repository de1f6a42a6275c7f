import assert from "node:assert/strict";
import { relative } from "node:path";
import type { Finding } from "../../lib/check/finding.ts";
import { formatProblem } from "../../lib/fixture/problem.ts";
import { billFaults } from "./_bills.ts";
import { type Copy, copyLibrary, findingsOf, readLibrary } from "./_library.ts";

// One price is changed in the menu, and then every place that is named, as an author would, until
// nothing is named any more.

const MENU = "food/food_get_restaurant_menu.md";
const MOST = 12;

const DISHES: Readonly<Record<string, number>> = {
  "a dish of a basket": 3010101,
  "a dish of a basket with a promo code": 3010201,
  "a dish of no basket": 3010105,
};

for (const [what, dish] of Object.entries(DISHES)) {
  Deno.test(`the price of ${what} stands in few places`, async (t) => {
    using copy = copyLibrary();
    const [line, price] = priceIn(copy.read(MENU), dish);
    copy.edit(MENU, line, line.replace(`"price": ${price}`, `"price": ${price + 1}`));

    const places = { check: new Set<string>(), bills: new Set<string>() };
    for (let round = 0; round < MOST; round++) {
      const named = findingsOf(copy.directory);
      // The bills are last: the baskets that they are made of are right by then.
      const by = named.length > 0 ? "check" : "bills";
      const findings = by === "check" ? named : billFaults(readLibrary(copy.directory));
      if (findings.length === 0) break;
      for (const finding of findings) {
        const place = mend(copy, finding);
        if (place !== undefined) places[by].add(place);
      }
    }
    assert.deepEqual(findingsOf(copy.directory).map(formatProblem), []);
    assert.deepEqual(billFaults(readLibrary(copy.directory)).map(formatProblem), []);
    const { check, bills } = places;
    const count = check.size + bills.size;
    // The figures are in the steps' names, where a run shows them.
    const said = `dish ${dish}: ${check.size} places named by check, ${bills.size} by the bills`;
    await t.step(`${said}, of at most ${MOST}`, () => {
      assert(count >= 3 && count <= MOST, [...check, ...bills].join("\n"));
    });
  });
}

/** The line of a dish in the menu, and its price. */
function priceIn(menu: string, dish: number): [line: string, price: number] {
  const start = menu.indexOf(`"id": ${dish},`);
  const [line = "", price] = /^[^]*?"price": ([\d.]+)/.exec(menu.slice(start)) ?? [];
  return [line, Number(price)];
}

/** Changes what a finding says is wrong, in the scenario that it names. */
function mend(copy: Copy, { path, line, message }: Finding): string | undefined {
  const [, fact, id] = /^the (price|total) of \S+ (\S+) is /.exec(message) ?? [];
  const [, sum] = /^`(\w+)` is /.exec(message) ?? [];
  const [, wrong, right] =
    / is ([\d.]+)(?: at .*)?, but .+ (?:says|makes) ([\d.]+)$/.exec(message) ?? [];
  assert(wrong !== undefined && right !== undefined, message);
  const file = relative(copy.directory, path);
  const lines = copy.read(file).split("\n");
  const section = [...lines.slice(line - 1)].join("\n").split(/\n(?=## )/)[0]!;
  const from = id === undefined ? 0 : section.indexOf(id, section.indexOf("```json response"));
  const key = fact === "price" ? "(?:unit_)?price" : fact ?? sum;
  const amount = new RegExp(`"${key}": ${wrong.replaceAll(".", "\\.")}(?![\\d.])`);
  const found = amount.exec(section.slice(from));
  // The same place may be named twice, as a dish's and as an item's.
  if (found === null) return undefined;
  const at = from + found.index;
  const changed = section.slice(0, at) + found[0].replace(wrong, right) +
    section.slice(at + found[0].length);
  copy.edit(file, section, changed);
  return `${file}:${line}: ${found[0]}`;
}
