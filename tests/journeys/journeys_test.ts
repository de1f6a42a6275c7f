import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import { connect, type ConnectedClient } from "../support/client.ts";

// What a customer's agent does, from the first question to the last answer, through a real client.
// Every id that is sent was given by an earlier answer; stages that only time brings are forced.

/** One agent at work. */
interface Agent {
  /** Calls a tool and returns its answer, which must be a success. */
  ask(tool: string, args?: JsonObject): Promise<Answer>;
  /** Calls a tool that must answer with a business failure, and returns its text. */
  fail(tool: string, args?: JsonObject): Promise<string>;
  /** Forces tools into scenarios, as the developer would; {} clears all. */
  force(overrides: Record<string, string>): Promise<void>;
}

/**
 * What the journeys look at in answers and their parts, all in one: each answer has some of it, and
 * a member that is not where a journey expects it fails the journey.
 */
interface Answer {
  readonly addresses: Answer[];
  readonly amountCharged: number;
  readonly amount: number;
  readonly available: boolean;
  readonly availability: string;
  readonly basket: Answer;
  readonly basket_id: string;
  readonly brand: string;
  readonly captain?: Answer;
  readonly categories: Answer[];
  readonly code: string;
  readonly courier?: Answer;
  readonly discount: number;
  readonly estimates: Answer[];
  readonly fare: Answer;
  readonly fees: Answer[];
  readonly id: number;
  readonly isDefault: boolean;
  readonly item: Answer;
  readonly item_id: number;
  readonly items: Answer[];
  readonly label: string;
  readonly latitude: number;
  readonly lines: Answer[];
  readonly locations: Answer[];
  readonly locationUuid: string;
  readonly longitude: number;
  readonly merchant: Answer;
  readonly merchant_type: string;
  readonly name: string & { readonly value: string };
  readonly offers: Answer[];
  readonly open: boolean;
  readonly order: Answer;
  readonly order_id: string;
  readonly orders: Answer[];
  readonly paymentMethodId: string;
  readonly paymentMethods: Answer[];
  readonly price: number;
  readonly product: Answer;
  readonly productId: string;
  readonly products: Answer[];
  readonly refund: Answer;
  readonly requires_choice: boolean;
  readonly restaurant: Answer;
  readonly restaurants: Answer[];
  readonly ride: Answer;
  readonly rideId: string;
  readonly schedulable: boolean;
  readonly slot_id: string;
  readonly slots: Answer[];
  readonly sold_out: boolean;
  readonly startsAt: string;
  readonly status: string;
  readonly subtotal: number;
  readonly summary: Answer;
  readonly timeline: Answer[];
  readonly total: number;
  readonly type: string;
  readonly unit_price: number;
}

function journey(name: string, walk: (agent: Agent) => Promise<void>): void {
  Deno.test(`journey: ${name}`, async () => {
    const folder = await Deno.makeTempDir();
    const overrides = join(folder, "overrides.json");
    try {
      await using client = await connect("Streamable HTTP", ["--overrides", overrides]);
      await walk(agentOf(client, overrides));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

function agentOf(client: ConnectedClient, overrides: string): Agent {
  return {
    async ask(tool, args = {}) {
      const { isError, structured, text } = await client.call(tool, args);
      assert.equal(isError, false, `${tool} ${JSON.stringify(args)}: ${text}`);
      assert.equal(structured?.error, undefined, `${tool} ${JSON.stringify(args)}: ${text}`);
      return structured as unknown as Answer;
    },
    async fail(tool, args = {}) {
      const { isError, structured, text } = await client.call(tool, args);
      assert.equal(isError, false, text);
      assert.equal(typeof structured?.error, "string", `${tool} ${JSON.stringify(args)}: ${text}`);
      return structured?.error as string;
    },
    force: (entries) => Deno.writeTextFile(overrides, JSON.stringify(entries)),
  };
}

/** The one element that satisfies a condition. */
function pick(list: Answer[], is: (element: Answer) => boolean): Answer {
  const found = list.find(is);
  assert(found, `nothing suitable in ${JSON.stringify(list).slice(0, 500)}`);
  return found;
}

/** The customer's home, from the saved addresses. */
async function home(
  agent: Agent,
): Promise<{ locationUuid: string; latitude: number; longitude: number }> {
  const { addresses } = await agent.ask("location_get_saved_addresses");
  const { locationUuid, latitude, longitude } = pick(addresses, ({ label }) => label === "Home");
  return { locationUuid, latitude, longitude };
}

/** The customer's usual way to pay. */
async function usualPayment(agent: Agent): Promise<string> {
  const { paymentMethods } = await agent.ask("pay_list_payment_methods");
  return pick(paymentMethods, ({ isDefault }) => isDefault).paymentMethodId;
}

/** Finds a restaurant and puts a dish of it into the basket. */
async function fillFoodBasket(agent: Agent, query: string): Promise<Answer> {
  const { latitude, longitude } = await home(agent);
  const { restaurants } = await agent.ask("food_merchant_search", { query, latitude, longitude });
  const restaurant = pick(restaurants, ({ open }) => open);
  const menu = await agent.ask("food_get_restaurant_menu", {
    restaurant_id: restaurant.id,
    latitude,
    longitude,
  });
  assert.deepEqual(menu.restaurant.name, restaurant.name);
  const dishes = menu.categories.flatMap(({ items }) => items);
  const dish = pick(dishes, ({ sold_out, requires_choice }) => !sold_out && !requires_choice);
  const { item } = await agent.ask("food_get_item_details", {
    restaurant_id: restaurant.id,
    item_id: dish.id,
  });
  assert.equal(item.price, dish.price);
  const { basket } = await agent.ask("cart_add_item", {
    merchant_type: "food",
    merchant_id: restaurant.id,
    item_id: item.id,
    quantity: 1,
  });
  const line = pick(basket.lines, ({ item_id }) => item_id === item.id);
  assert.equal(line.name, item.name.value);
  assert.equal(line.unit_price, item.price);
  return basket;
}

journey("a food order, from hunger to delivered", async (agent) => {
  const added = await fillFoodBasket(agent, "shawarma");
  const { basket } = await agent.ask("cart_get_basket", { basket_id: added.basket_id });
  const { locationUuid } = await home(agent);
  const payment_method_id = await usualPayment(agent);
  const { summary } = await agent.ask("checkout_get_summary", { locationUuid, payment_method_id });
  assert.equal(summary.total, basket.total);
  const { order } = await agent.ask("checkout_place_order", {
    locationUuid,
    payment_method_id,
    note: "Ring the bell twice",
  });
  assert.equal(order.total, summary.total);

  const seen: string[] = [];
  for (const stage of ["placed", "preparing", "on-the-way", "delivered"]) {
    await agent.force({ order_get_status: stage });
    const status = await agent.ask("order_get_status", { order_id: order.order_id });
    assert.equal(status.order.order_id, order.order_id);
    assert.equal(status.order.total, order.total);
    assert.equal(status.timeline.at(-1)?.status, status.order.status);
    assert.equal(status.courier !== undefined, ["on-the-way", "delivered"].includes(stage), stage);
    seen.push(status.order.status);
  }
  assert.equal(new Set(seen).size, 4, String(seen));

  await agent.force({ checkout_place_order: "upstream-unavailable" });
  assert.match(
    await agent.fail("checkout_place_order", { locationUuid, payment_method_id }),
    /unexpected response status 503$/,
  );
});

journey("a food order whose card is declined", async (agent) => {
  await fillFoodBasket(agent, "shawarma");
  const { locationUuid } = await home(agent);
  const { paymentMethods } = await agent.ask("pay_list_payment_methods");
  const declined = pick(paymentMethods, ({ brand }) => brand === "Mastercard").paymentMethodId;
  assert.match(
    await agent.fail("checkout_place_order", { locationUuid, payment_method_id: declined }),
    /declined/,
  );
  const cash = pick(paymentMethods, ({ type }) => type === "cash").paymentMethodId;
  const { order } = await agent.ask("checkout_place_order", {
    locationUuid,
    payment_method_id: cash,
  });
  assert.match(order.order_id, /^ORD-/);
});

journey("groceries into a slot, after the first slot was gone", async (agent) => {
  const { latitude, longitude, locationUuid } = await home(agent);
  const { products } = await agent.ask("groceries_search_products", {
    query: "milk",
    latitude,
    longitude,
  });
  const found = pick(products, ({ sold_out }) => !sold_out);
  const { product } = await agent.ask("groceries_get_product", { product_id: found.id });
  assert.equal(product.price, found.price);
  const soldOut = pick(products, ({ sold_out }) => sold_out);
  const { merchant } = await agent.ask("groceries_get_delivery_slots", { locationUuid });
  const add = (item_id: number): JsonObject => ({
    merchant_type: "groceries",
    merchant_id: merchant.id,
    item_id,
    quantity: 1,
  });
  assert.match(await agent.fail("cart_add_item", add(soldOut.id)), /sold out|out of stock/);
  const { basket } = await agent.ask("cart_add_item", add(product.id));

  const { slots } = await agent.ask("groceries_get_delivery_slots", { locationUuid });
  const taken = pick(slots, ({ available }) => !available);
  const free = pick(slots, ({ available }) => available);
  const payment_method_id = await usualPayment(agent);
  const order = (slot_id: string): JsonObject => ({ locationUuid, payment_method_id, slot_id });
  const { summary } = await agent.ask("checkout_get_summary", order(free.slot_id));
  assert.equal(summary.basket_id, basket.basket_id);
  assert.match(
    await agent.fail("checkout_place_order", order(taken.slot_id)),
    /no longer available/,
  );
  const placed = await agent.ask("checkout_place_order", order(free.slot_id));
  assert.equal(placed.order.total, summary.total);
  const status = await agent.ask("order_get_status", { order_id: placed.order.order_id });
  assert.equal(status.order.merchant_type, "groceries");
});

journey("a promo that fails, then one that works", async (agent) => {
  const basket = await fillFoodBasket(agent, "shawarma");
  assert.match(await agent.fail("cart_apply_promo", { code: "WELCOME50" }), /expired/);
  const { latitude, longitude } = await home(agent);
  const { offers } = await agent.ask("food_get_offers", { latitude, longitude });
  const offer = pick(offers, ({ code }) => /^SAVE/.test(code));
  const discounted = (await agent.ask("cart_apply_promo", { code: offer.code })).basket;
  assert.equal(discounted.basket_id, basket.basket_id);
  assert(discounted.discount > 0);
  assert.equal(
    discounted.total,
    round(discounted.subtotal + fees(discounted) - discounted.discount),
  );
});

journey("a ride, from estimate to completed", async (agent) => {
  const { latitude, longitude } = await home(agent);
  const { locations } = await agent.ask("location_search", { query: "dubai mall" });
  const place = ({ latitude, longitude }: Answer): JsonObject => ({ latitude, longitude });
  const trip = { pickup: { latitude, longitude }, dropoff: place(locations[0]!) };
  const { estimates } = await agent.ask("ride_get_estimates", trip);
  const estimate = pick(estimates, ({ productId }) => productId === "careem-comfort");

  await agent.force({ ride_book: "no-captains" });
  assert.match(
    await agent.fail("ride_book", { ...trip, productId: estimate.productId }),
    /captain/,
  );
  await agent.force({});
  const { ride } = await agent.ask("ride_book", { ...trip, productId: estimate.productId });
  assert.equal(ride.fare.total, estimate.fare.total);

  for (const stage of ["searching", "captain-assigned", "arrived", "on-trip", "completed"]) {
    await agent.force({ ride_get_status: stage });
    const status = await agent.ask("ride_get_status", { rideId: ride.rideId });
    assert.equal(status.ride.rideId, ride.rideId);
    assert.equal(status.ride.status, stage);
    assert.equal(status.ride.fare.total, ride.fare.total);
    assert.equal(status.captain === undefined, stage === "searching", stage);
  }
  assert.equal(await agent.fail("ride_cancel", { rideId: "" }), "rideId is required");
});

journey("a scheduled ride to the airport, then cancelled in time", async (agent) => {
  const { latitude, longitude } = await home(agent);
  const { locations } = await agent.ask("location_search", { query: "airport" });
  const airport = pick(locations, ({ name }) => /Terminal 3/.test(name));
  const pickup = { latitude, longitude };
  const dropoff = { latitude: airport.latitude, longitude: airport.longitude };
  const { slots } = await agent.ask("ride_get_schedule_slots", { pickup });
  const slot = pick(slots, ({ availability }) => availability === "open");
  const { estimates } = await agent.ask("ride_get_estimates", { pickup, dropoff });
  const taxi = pick(estimates, ({ schedulable }) => !schedulable);
  const chosen = pick(estimates, ({ productId }) => productId === "careem-comfort");
  const booking = (productId: string): JsonObject => ({
    pickup,
    dropoff,
    productId,
    scheduledAt: slot.startsAt,
  });
  assert.match(await agent.fail("ride_book", booking(taxi.productId)), /schedul/);
  const { ride } = await agent.ask("ride_book", booking(chosen.productId));
  assert.equal(ride.status, "scheduled");
  assert.equal(ride.fare.total, chosen.fare.total);
  const status = await agent.ask("ride_get_status", { rideId: ride.rideId });
  assert.equal(status.ride.status, "scheduled");
  const cancelled = await agent.ask("ride_cancel", { rideId: ride.rideId, reason: "flight moved" });
  assert.equal(cancelled.ride.status, "cancelled");
  assert.equal(cancelled.ride.amountCharged, 0);
});

journey("an order cancelled, and one that is too late to cancel", async (agent) => {
  await fillFoodBasket(agent, "shawarma");
  const { locationUuid } = await home(agent);
  const payment_method_id = await usualPayment(agent);
  const { order } = await agent.ask("checkout_place_order", { locationUuid, payment_method_id });
  const cancelled = await agent.ask("order_cancel", {
    order_id: order.order_id,
    reason: "ordered twice",
  });
  assert.equal(cancelled.order.status, "cancelled");
  assert.equal(cancelled.order.refund.amount, order.total);

  const { orders } = await agent.ask("order_list_history");
  const delivered = pick(orders, ({ status }) => status === "delivered");
  assert.match(await agent.fail("order_cancel", { order_id: delivered.order_id }), /delivered/);
});

function fees({ fees }: Answer): number {
  return fees.reduce((sum, { amount }) => sum + amount, 0);
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
