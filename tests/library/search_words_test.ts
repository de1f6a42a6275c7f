import assert from "node:assert/strict";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { call, casesOf, failureOf, readLibrary, visit } from "./_library.ts";

// What the menus and shelves hold is found by the name that is printed there, in English and
// Arabic; and a filter beside the query never widens what the query finds.

const HOME = { latitude: 25.0866, longitude: 55.1474 };

const library = readLibrary();

/** Something that a search must find. */
interface Named {
  /** Id of the restaurant or product. */
  readonly id: JsonValue;
  /** As printed. */
  readonly words: readonly string[];
}

/** A search, the entities it looks through and the filter that it takes. */
interface Search {
  readonly tool: string;
  /** The key of the answer's list. */
  readonly list: string;
  readonly named: readonly Named[];
  readonly filter: string;
  readonly filters: readonly JsonValue[];
  /** Whether something found belongs to a value of the filter. */
  readonly fits: (found: JsonObject, value: JsonValue) => boolean;
}

const menus = answersOf("food_get_restaurant_menu", "restaurant");
const products = answersOf("groceries_get_product", "product").map(({ product }) => product)
  .filter(isJsonObject);

const cuisineNames = namesOf("food_list_cuisines", "cuisines");

const SEARCHES: readonly Search[] = [
  {
    tool: "food_merchant_search",
    list: "restaurants",
    named: menus.map((menu) => ({
      id: (menu.restaurant as JsonObject).id ?? null,
      words: [...visit(menu)].flatMap(({ value, place }) => {
        if (place.endsWith(".cuisines[]")) return textsOf(cuisineNames.get(value));
        return place.endsWith(".name") ? textsOf(value) : [];
      }),
    })),
    filter: "cuisine",
    filters: [...cuisineNames.keys()],
    fits: ({ cuisines }, value) => Array.isArray(cuisines) && cuisines.includes(value),
  },
  {
    tool: "groceries_search_products",
    list: "products",
    named: products.map(({ id, name, brand, category_name }) => ({
      id: id ?? null,
      words: [name, brand, category_name].flatMap(textsOf),
    })),
    filter: "category_id",
    filters: [...namesOf("groceries_list_categories", "categories").keys()],
    fits: ({ category_id }, value) => category_id === value,
  },
];

for (const { tool, list, named, filter, filters, fits } of SEARCHES) {
  const found = (args: JsonObject): JsonObject[] => {
    const reply = call(library, tool, { ...HOME, ...args });
    assert(typeof reply !== "string", String(reply));
    const { answer } = reply;
    return isJsonObject(answer) && Array.isArray(answer[list])
      ? answer[list].filter(isJsonObject)
      : [];
  };

  Deno.test(`${tool} finds every name that is printed`, () => {
    assert(named.length > 5);
    const missing = named.flatMap(({ id, words }) =>
      words.filter((query) => !found({ query }).some((result) => result.id === id))
        .map((query) => `${tool}: "${query}" does not find ${id}`)
    );
    assert.deepEqual(missing, []);
  });

  Deno.test(`${tool} finds the whole of a ${filter} by an empty query`, () => {
    for (const value of filters) {
      const results = found({ query: "", [filter]: value });
      assert(results.length > 0, `${tool}: ${filter} ${value} is empty`);
      assert(results.every((result) => fits(result, value)), `${tool}: ${filter} ${value}`);
    }
  });

  Deno.test(`${tool} finds nothing beside a ${filter} that is not of it`, () => {
    const wrong: string[] = [];
    for (const query of new Set(named.flatMap(({ words }) => words))) {
      const plain = found({ query });
      for (const value of filters) {
        const results = found({ query, [filter]: value });
        // Where the query alone finds nothing of the filter, both together find nothing.
        const isEmpty = !plain.some((result) => fits(result, value));
        const isRight = isEmpty
          ? results.length === 0
          : results.every((result) => fits(result, value));
        if (!isRight) wrong.push(`${tool}: "${query}" with ${filter} ${value}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}

/** The answers of a tool's rules that tell of an entity, the failures left out. */
function answersOf(tool: string, key: string): JsonObject[] {
  return casesOf(library, tool)
    .filter(({ scenario, answer }) => scenario.match && failureOf(answer) === undefined)
    .map(({ answer }) => answer)
    .filter(isJsonObject)
    .filter((answer) => isJsonObject(answer[key]));
}

/** The names in the list that a tool gives at home, by id. */
function namesOf(tool: string, list: string): Map<JsonValue, JsonValue> {
  const reply = call(library, tool, HOME);
  assert(typeof reply !== "string" && isJsonObject(reply.answer));
  const entries = reply.answer[list];
  assert(Array.isArray(entries));
  return new Map(entries.filter(isJsonObject).map(({ id, name }) => [id ?? null, name ?? null]));
}

/** A text, or a localized text in all its languages. */
function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  return isJsonObject(value) ? Object.values(value).filter((text) => typeof text === "string") : [];
}
