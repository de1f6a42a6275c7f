import assert from "node:assert/strict";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { call, failureOf, readLibrary } from "./_library.ts";

// What the menus and the store offer, the cart has to take: each dish with every valid choice of
// options, each product, in every quantity up to the limit, with nothing missing from the line or
// from the bill. A list rule is satisfied by longer lists, too, so a forgotten scenario would not
// fail but drop an option.

const library = readLibrary();
const HOME = { latitude: 25.0866, longitude: 55.1474 };
/** Beyond every limit; some with the digits of a smaller one. */
const TOO_MANY = [50, 51, 99, 100, 1000];

interface Option {
  readonly id: string;
  readonly price: number;
}

interface Group {
  readonly min: number;
  readonly max: number;
  readonly options: readonly Option[];
}

/** What can be added to a basket, as the tools before the cart describe it. */
interface Offer {
  readonly merchant: { readonly merchant_type: "food" | "groceries"; readonly merchant_id: number };
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly soldOut: boolean;
  readonly groups: readonly Group[];
}

const dishes = restaurants().flatMap(dishesOf);
const products = idsOf("groceries_get_product", "product_id").map(productOf);

forEachOf(
  dishes,
  "each dish can be had with each valid choice of options, up to the limit",
  (dish) => {
    const limits = new Set<number>();
    const lines = new Set<string>();
    for (const options of choicesOf(dish)) {
      const { limit, line } = checkQuantities(dish, options);
      limits.add(limit);
      lines.add(line);
    }
    assert.equal(limits.size, 1, `the limit depends on the options: ${[...limits].join(", ")}`);
    assert.equal(lines.size, choicesOf(dish).length, "two choices share a line id");
  },
);

forEachOf(
  products,
  "each product can be had in every quantity up to its max_quantity",
  (product) => {
    const { limit } = checkQuantities(product, []);
    const { max_quantity } = productDetails(product.id);
    assert.equal(limit, max_quantity);
  },
);

Deno.test("all dishes have the same limit", () => {
  const limits = dishes.filter(({ soldOut }) => !soldOut)
    .map((dish) => limitOf(dish, choicesOf(dish)[0]!));
  assert.equal(new Set(limits).size, 1, limits.join(", "));
});

Deno.test("what is sold out is said to be, in every quantity", () => {
  const soldOut = [...dishes, ...products].filter((offer) => offer.soldOut);
  assert(soldOut.length > 0);
  for (const offer of soldOut) {
    for (const quantity of [1, ...TOO_MANY]) {
      assert.equal(
        failureOf(add(offer, quantity, [])),
        `failed to add item: ${offer.name} is sold out`,
      );
    }
  }
});

forEachOf(
  dishes,
  "an option that a dish does not have is refused, also beside valid ones",
  (dish) => {
    const own = new Set(dish.groups.flatMap(({ options }) => options).map(({ id }) => id));
    const foreign = dishes.flatMap(({ groups }) => groups).flatMap(({ options }) => options)
      .map(({ id }) => id).filter((id) => !own.has(id));
    for (const options of choicesOf(dish)) {
      for (const id of [...foreign, ...nextOptions(dish)]) {
        const answer = add(dish, 1, [...options.map((option) => option.id), id]);
        assert(failureOf(answer) !== undefined, `${id} is left out beside ${idsIn(options)}`);
      }
    }
    // No rule can tell a text of any kind, so the schema has to.
    const byName = { ...order(dish, 1), options: ["Cheese"] };
    assert.equal(
      typeof call(library, "cart_add_item", byName),
      "string",
      "a name passes for an id",
    );
  },
);

forEachOf(dishes, "an option group that is left out or overfull is named", (dish) => {
  for (const { min, max, options } of dish.groups) {
    const others = dish.groups.filter((group) => group.options !== options)
      .flatMap((group) => group.options.slice(0, group.min));
    for (const count of [min - 1, max + 1].filter((n) => n >= 0 && n <= options.length)) {
      const chosen = [...others, ...options.slice(0, count)].map(({ id }) => id);
      assert.match(
        failureOf(add(dish, 1, chosen)) ?? "no failure",
        /^failed to add item: option group .+ (is required|allows at most \d+)$/,
      );
    }
  }
});

/** Adds and updates from one piece up to the limit, and tells it and the id of the line. */
function checkQuantities(
  offer: Offer,
  options: readonly Option[],
): { readonly limit: number; readonly line: string } {
  const limit = limitOf(offer, options);
  const ids = options.map(({ id }) => id);
  const unit = cents(offer.price + options.reduce((sum, { price }) => sum + price, 0));
  const found = new Set<string>();
  const check = (what: string, answer: JsonValue, quantity: number): void => {
    assert.equal(failureOf(answer), undefined, `${what} ${quantity} with ${idsIn(options)}`);
    const line = lineWith(answer, offer, ids);
    assert(line !== undefined, `${what} ${quantity}: no line has exactly ${idsIn(options)}`);
    assert.deepEqual(
      [line.quantity, line.unit_price, line.line_total],
      [quantity, unit, cents(quantity * unit)],
      `${what} ${quantity} with ${idsIn(options)}`,
    );
    found.add(String(line.line_id));
  };
  for (let quantity = 1; quantity <= limit; quantity++) {
    check("adding", add(offer, quantity, ids), quantity);
    check("adding in another order", add(offer, quantity, ids.toReversed()), quantity);
  }
  const [line = ""] = found;
  for (let quantity = 1; quantity <= limit; quantity++) {
    check("updating to", update(line, quantity), quantity);
  }
  assert.deepEqual([...found], [line]);
  for (const quantity of [limit + 1, limit + 2, ...TOO_MANY]) {
    const limited = `item: ${offer.name} is limited to ${limit} per order`;
    assert.equal(failureOf(add(offer, quantity, ids)), `failed to add ${limited}`);
    assert.equal(failureOf(update(line, quantity)), `failed to update ${limited}`);
  }
  const rest = answerOf("cart_remove_item", { line_id: line });
  assert.equal(failureOf(rest), undefined, `${line} cannot be removed`);
  assert.equal(lineWith(rest, offer, ids), undefined, `${line} is still there`);
  return { limit, line };
}

/** The limit that the refusal of far too many names. */
function limitOf(offer: Offer, options: readonly Option[]): number {
  const failure = failureOf(add(offer, 1000, options.map(({ id }) => id))) ?? "no failure";
  const [, limit] = /is limited to (\d+) per order$/.exec(failure) ?? [];
  assert(limit !== undefined, `no limit is named with ${idsIn(options)}: ${failure}`);
  return Number(limit);
}

/** The line of an offer that has exactly these options. */
function lineWith(answer: JsonValue, offer: Offer, ids: readonly string[]): JsonObject | undefined {
  const { basket } = objectOf(answer);
  const wanted = ids.toSorted().join();
  return objectsOf(objectOf(basket).lines).find(({ item_id, options }) =>
    item_id === offer.id &&
    objectsOf(options).map(({ option_id }) => String(option_id)).sort().join() === wanted
  );
}

/** All that the groups of an offer allow to choose. */
function choicesOf({ groups }: Offer): Option[][] {
  return groups.reduce<Option[][]>(
    (choices, { min, max, options }) => {
      const parts = subsetsOf(options).filter(({ length }) => length >= min && length <= max);
      return choices.flatMap((choice) => parts.map((part) => [...choice, ...part]));
    },
    [[]],
  );
}

function subsetsOf<T>(list: readonly T[]): T[][] {
  return list.reduce<T[][]>(
    (subsets, element) => [...subsets, ...subsets.map((subset) => [...subset, element])],
    [[]],
  );
}

/** Ids that a model may make up: the option after the last of each group, a group after the last. */
function nextOptions({ id, groups }: Offer): string[] {
  const inGroups = groups.map(({ options }, index) => `${index + 1}${options.length + 1}`);
  return [...inGroups, `${groups.length + 1}1`].map((suffix) => `OP-${id}-${suffix}`);
}

function add(offer: Offer, quantity: number, options: readonly string[]): JsonValue {
  return answerOf("cart_add_item", {
    ...order(offer, quantity),
    ...(options.length > 0 && { options: [...options] }),
  });
}

function order({ merchant, id }: Offer, quantity: number): JsonObject {
  return { ...merchant, item_id: id, quantity };
}

function update(line: string, quantity: number): JsonValue {
  return answerOf("cart_update_item", { line_id: line, quantity });
}

function restaurants(): JsonObject[] {
  return idsOf("food_get_restaurant_menu", "restaurant_id")
    .map((id) => answerOf("food_get_restaurant_menu", { restaurant_id: id, ...HOME }))
    .map(objectOf)
    .filter(({ restaurant }) => objectOf(restaurant).open === true);
}

function dishesOf({ restaurant, categories }: JsonObject): Offer[] {
  const id = Number(objectOf(restaurant).id);
  return objectsOf(categories).flatMap(({ items }) => objectsOf(items)).map((item): Offer => {
    const details = answerOf("food_get_item_details", { restaurant_id: id, item_id: item.id! });
    const groups = objectsOf(objectOf(objectOf(details).item).option_groups);
    return {
      merchant: { merchant_type: "food", merchant_id: id },
      id: Number(item.id),
      name: String(objectOf(item.name).value),
      price: Number(item.price),
      soldOut: item.sold_out === true,
      groups: groups.map(({ min, max, options }) => ({
        min: Number(min),
        max: Number(max),
        options: objectsOf(options).map(({ id, price }) => ({
          id: String(id),
          price: Number(price),
        })),
      })),
    };
  });
}

function productOf(id: number): Offer {
  const { name, price, sold_out } = productDetails(id);
  return {
    merchant: { merchant_type: "groceries", merchant_id: 40001 },
    id,
    name: String(objectOf(name).value),
    price: Number(price),
    soldOut: sold_out === true,
    groups: [],
  };
}

function productDetails(id: number): JsonObject {
  return objectOf(objectOf(answerOf("groceries_get_product", { product_id: id })).product);
}

/** The ids that a tool has rules for and knows. */
function idsOf(tool: string, argument: string): number[] {
  const ids = library.get(tool)!.scenarios.map(({ match }) => match?.[argument])
    .filter((id) => typeof id === "number");
  return [...new Set(ids)].filter((id) =>
    failureOf(answerOf(tool, { [argument]: id, ...(argument === "restaurant_id" && HOME) })) ===
      undefined
  );
}

function answerOf(tool: string, args: JsonObject): JsonValue {
  const reply = call(library, tool, args);
  assert(typeof reply !== "string", `${tool} ${JSON.stringify(args)}: ${reply}`);
  return reply.answer;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function idsIn(options: readonly Option[]): string {
  return options.map(({ id }) => id).join(", ") || "no options";
}

/** Rounds an amount to two digits, as the answers have it. */
function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** One step per offer that is not sold out, so that a failure shows at once whose it is. */
function forEachOf(
  offers: readonly Offer[],
  sentence: string,
  check: (offer: Offer) => void,
): void {
  Deno.test(sentence, async (t) => {
    assert(offers.length >= 40);
    for (const offer of offers.filter(({ soldOut }) => !soldOut)) {
      await t.step(`${offer.id} ${offer.name}`, () => check(offer));
    }
  });
}
