import assert from "node:assert/strict";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { call, casesOf, readLibrary, visit } from "./_library.ts";

// What menus and shelves print is found by a search, or by a word that the search suggests; and no
// search finds something else for it.

const library = readLibrary();
const HOME = { latitude: 25.0866, longitude: 55.1474 };

/** A search, the list that it answers with, and the key of the ids there. */
interface Search {
  readonly tool: string;
  readonly list: string;
  readonly id: string;
}

const RESTAURANTS: Search = { tool: "food_merchant_search", list: "restaurants", id: "id" };
const DISHES: Search = { tool: "food_search_dishes", list: "dishes", id: "item_id" };
const PRODUCTS: Search = { tool: "groceries_search_products", list: "products", id: "id" };
const PLACES: Search = { tool: "location_search", list: "locations", id: "locationUuid" };

const NAMED: readonly (readonly [Search, tool: string, at: string])[] = [
  [RESTAURANTS, "food_get_restaurant_menu", ".restaurant"],
  [DISHES, "food_get_restaurant_menu", ".categories[].items[]"],
  [PRODUCTS, "groceries_get_product", ".product"],
];

for (const [search, tool, at] of NAMED) {
  Deno.test(`${search.tool} finds what is printed, or suggests what does`, () => {
    const printed = casesOf(library, tool).flatMap(({ answer }) => [...visit(answer)])
      .filter(({ place }) => place === at).map(({ value }) => value).filter(isJsonObject);
    assert(printed.length > 5);
    const lost = printed.flatMap(({ id = null, name }) =>
      languages(search, name as JsonObject).filter((query) => !leadsTo(search, String(query), id))
        .map((query) => `"${query}" does not lead to ${id}`)
    );
    assert.deepEqual(lost, []);
  });
}

Deno.test("every suggestion finds something", () => {
  for (const search of [RESTAURANTS, DISHES, PRODUCTS, PLACES]) {
    const suggestions = casesOf(library, search.tool).flatMap(({ answer }) => [...visit(answer)])
      .filter(({ place }) => place === ".suggestions[]").map(({ value }) => String(value));
    assert(suggestions.length > 5, search.tool);
    for (const query of new Set(suggestions)) {
      assert(found(search, query).ids.length > 0, `${search.tool}: "${query}"`);
    }
  }
});

Deno.test("no search takes a word for another that it holds", () => {
  const cases: readonly (readonly [Search, query: string, not: JsonValue])[] = [
    [DISHES, "fenugreek", 3010506],
    [DISHES, "eggplant", 3010404],
    [DISHES, "a classic burger", 3010311],
    [PRODUCTS, "eggplant", 70106],
    [PRODUCTS, "pineapple", 70302],
    [PRODUCTS, "milk chocolate", 70101],
    [PRODUCTS, "نوتيلا كريمة البندق للدهن", 70103],
    [PLACES, "Abu Dhabi airport terminal 1", "LOC-55002"],
    [PLACES, "Marina Mall Abu Dhabi", "LOC-50003"],
    [PLACES, "gold souk sharjah", "LOC-53001"],
  ];
  for (const [search, query, wrong] of cases) {
    assert(!found(search, query).ids.includes(wrong), `${search.tool}: "${query}" finds ${wrong}`);
  }
});

/** Kitchens are found by their Arabic names, too; dishes and products are asked for in English. */
function languages(search: Search, { value = null, ar = null }: JsonObject): JsonValue[] {
  return search === RESTAURANTS ? [value, ar] : [value];
}

/** Whether a query finds something, or nothing but a suggestion that finds it. */
function leadsTo(search: Search, query: string, id: JsonValue): boolean {
  const { ids, suggestions } = found(search, query);
  if (ids.length > 0) return ids.includes(id);
  return suggestions.some((suggestion) => found(search, suggestion).ids.includes(id));
}

function found(
  { tool, list, id }: Search,
  query: string,
): { ids: JsonValue[]; suggestions: string[] } {
  const place = tool === "location_search" ? {} : HOME;
  const reply = call(library, tool, { query, ...place });
  assert(typeof reply !== "string" && isJsonObject(reply.answer), `${query}: ${reply}`);
  const { [list]: entries, suggestions = [] } = reply.answer;
  assert(Array.isArray(entries) && Array.isArray(suggestions), `${query}: no ${list}`);
  return {
    ids: entries.filter(isJsonObject).map((entry) => entry[id] ?? null),
    suggestions: suggestions.map(String),
  };
}
