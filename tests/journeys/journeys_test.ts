import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import { connect } from "../support/client.ts";
import { Agent, type Answer, pick } from "../support/agent.ts";

// Twelve conversations of a customer's agent, through a real client and one server, each with its
// main failure. Stages that only time brings are forced.

/** Where a phone says that the customer is: in the flat, to a fraction of a millimetre. */
const PHONE = { latitude: 25.086598213041, longitude: 55.147402876551 };

const CONVERSATIONS: Readonly<Record<string, (agent: Agent) => Promise<void>>> = {
  async "two merchants in one evening"(agent) {
    const home = await addressOf(agent, "Home");
    const card = await paymentOf(agent, "Visa");
    const { restaurants } = await agent.ask("food_merchant_search", {
      query: "SHAWARMA near me",
      ...PHONE,
    });
    const dinner = await addDish(agent, pick(restaurants, ({ open }) => open), plain);
    const dinnerOrder = await order(agent, dinner, {
      locationUuid: home,
      payment_method_id: card,
      note: "Ring the bell twice, please",
    });
    assert.equal(dinnerOrder.note, "Ring the bell twice, please");

    const { products, merchant } = await agent.ask("groceries_search_products", {
      query: "Milk",
      ...PHONE,
    });
    const milk = pick(products, ({ sold_out }) => !sold_out);
    const { added } = await agent.ask("cart_add_item", {
      merchant_id: merchant.id,
      item_id: milk.id,
      quantity: 3,
    });
    assert.equal(added.quantity, 3);
    const { slots } = await agent.ask("groceries_get_delivery_slots", { locationUuid: home });
    const bill = { basket_id: added.basket_id, locationUuid: home, payment_method_id: card };
    const taken = pick(slots, ({ available }) => !available).slot_id;
    await agent.fails("checkout_place_order", { ...bill, slot_id: taken }, /no longer available$/);
    const slot_id = pick(slots, ({ available }) => available).slot_id;
    const groceriesOrder = await order(agent, added.basket_id, { ...bill, slot_id });
    assert.equal(groceriesOrder.slot_id, slot_id);

    for (const { order_id, merchant_name } of [dinnerOrder, groceriesOrder]) {
      const status = await agent.ask("order_get_status", { order_id });
      assert.equal(status.order.status, "placed");
      assert.equal(status.order.merchant_name, merchant_name);
    }
    const { baskets } = await agent.ask("cart_list_baskets");
    for (const basket_id of [dinner, added.basket_id]) {
      pick(baskets, (basket) => basket.basket_id === basket_id);
    }
  },

  async "sushi with options"(agent) {
    const { restaurants } = await agent.ask("food_merchant_search", { query: "Sushi", ...PHONE });
    const [restaurant] = restaurants;
    const { dish, item } = await findDish(
      agent,
      restaurant!,
      ({ requires_choice }) => requires_choice,
    );
    const group = pick(item.option_groups, ({ min }) => min > 0);
    const line = { merchant_id: restaurant!.id, item_id: dish.id, quantity: 2 };
    const first = group.options[0]!;
    await agent.fails("cart_add_item", line, new RegExp(`needs .+${first.id}`));
    await agent.fails(
      "cart_add_item",
      { ...line, options: group.options.map(({ id }) => id) },
      /takes one/,
    );
    const { added } = await agent.ask("cart_add_item", { ...line, options: [first.id] });
    assert.deepEqual(added.options, [first.id]);
    const { updated } = await agent.ask("cart_update_item", {
      basket_id: added.basket_id,
      line_id: added.line_id,
      quantity: 1,
    });
    assert.equal(updated.quantity, 1);
    const { basket } = await agent.ask("cart_get_basket", { basket_id: added.basket_id });
    assert(basket.total >= basket.minimum_order);
    const { locationUuid } = (await agent.ask("reverse_geocode", PHONE)).location;
    const { summary } = await agent.ask("checkout_get_summary", {
      basket_id: added.basket_id,
      locationUuid,
    });
    assertBill(summary, basket);
  },

  async "a vegetarian's lunch"(agent) {
    const { dishes } = await agent.ask("food_search_dishes", {
      query: "falafel",
      vegetarian: true,
      ...PHONE,
    });
    const [dish] = dishes;
    const details = { restaurant_id: dish!.restaurant_id, item_id: dish!.item_id };
    const { item } = await agent.ask("food_get_item_details", details);
    assert(item.tags.includes("vegetarian"));
    const { added } = await agent.ask("cart_add_item", {
      merchant_id: dish!.restaurant_id,
      item_id: dish!.item_id,
      quantity: 1,
    });
    assert.equal(added.unit_price, dish!.price);
    const menu = await agent.ask("food_get_restaurant_menu", {
      restaurant_id: dish!.restaurant_id,
      ...PHONE,
    });
    const soldOut = pick(dishesOf(menu), ({ sold_out }) => sold_out);
    await agent.fails(
      "cart_add_item",
      { merchant_id: dish!.restaurant_id, item_id: soldOut.id, quantity: 1 },
      /sold out$/,
    );
    const none = await agent.ask("food_search_dishes", {
      query: "beef shawarma",
      vegetarian: true,
      ...PHONE,
    });
    assert.deepEqual(none.dishes, []);
    await agent.ask("cart_remove_item", { basket_id: added.basket_id, line_id: added.line_id });
  },

  async "an allergy"(agent) {
    const { restaurants } = await agent.ask("food_merchant_search", {
      query: "healthy bowl",
      ...PHONE,
    });
    const restaurant = pick(restaurants, ({ open }) => open);
    const menu = await agent.ask("food_get_restaurant_menu", {
      restaurant_id: restaurant.id,
      ...PHONE,
    });
    const allergens = new Map<number, string[]>();
    for (const { id, sold_out } of dishesOf(menu)) {
      const { item } = await agent.ask("food_get_item_details", {
        restaurant_id: restaurant.id,
        item_id: id,
      });
      assert(Array.isArray(item.allergens) && item.sold_out === sold_out);
      if (item.available) allergens.set(id, [...item.allergens]);
    }
    const NUTS = /nut|almond|cashew/;
    const unsafe = [...allergens].filter(([, names]) => names.some((name) => NUTS.test(name)));
    const safe = [...allergens].filter(([, names]) => !names.some((name) => NUTS.test(name)));
    assert(unsafe.length > 0 && safe.length > 0, JSON.stringify([...allergens]));

    const free = await agent.ask("groceries_search_products", {
      query: "GLUTEN FREE bread",
      ...PHONE,
    });
    assert.deepEqual(free.products, []);
    const { products, merchant } = await agent.ask("groceries_search_products", {
      query: free.suggestions[0]!,
      ...PHONE,
    });
    const product = pick(products, ({ sold_out }) => !sold_out);
    const details = await agent.ask("groceries_get_product", { product_id: product.id });
    assert(!details.product.allergens.includes("gluten"));
    await agent.ask("cart_add_item", {
      merchant_id: merchant.id,
      item_id: product.id,
      quantity: 1,
    });
  },

  async "a promo code with a minimum"(agent) {
    const locationUuid = await addressOf(agent, "Home");
    const { offers } = await agent.ask("food_get_offers", PHONE);
    const { code } = pick(offers, (offer) => /^SAVE/.test(offer.code));
    const typed = code.toLowerCase();
    const { baskets } = await agent.ask("cart_list_baskets");
    const [small, large] = [
      pick(baskets, ({ total, merchant_type }) => total < 80 && merchant_type === "food"),
      pick(baskets, ({ total, merchant }) => total > 80 && /Bowl/.test(merchant)),
    ];
    const below = /needs a basket of AED 80\.00 or more$/;
    await agent.fails("cart_apply_promo", { basket_id: small.basket_id, code: typed }, below);
    const bill = { basket_id: small.basket_id, locationUuid, promo_code: typed };
    await agent.fails("checkout_get_summary", bill, below);
    await agent.fails(
      "cart_apply_promo",
      { basket_id: large.basket_id, code: "welcome50" },
      /has expired$/,
    );

    const basket_id = large.basket_id;
    const { applied } = await agent.ask("cart_apply_promo", { basket_id, code: typed });
    const { basket } = await agent.ask("cart_get_basket", { basket_id });
    const without = await agent.ask("checkout_get_summary", { basket_id, locationUuid });
    assertBill(without.summary, basket);
    const less = await agent.ask("checkout_get_summary", {
      basket_id,
      locationUuid,
      promo_code: typed,
    });
    assertBill(less.summary, basket);
    assert.equal(less.summary.total, without.summary.total - applied.discount);
    const payment_method_id = await paymentOf(agent, "cash");
    const placed = await order(agent, basket_id, {
      locationUuid,
      payment_method_id,
      promo_code: typed,
    });
    assert.equal(placed.total, less.summary.total);
    await agent.ask("cart_remove_promo", { basket_id, code: typed });
  },

  async "a grocery swap"(agent) {
    const { categories } = await agent.ask("groceries_list_categories", PHONE);
    const found: Answer[] = [];
    for (const { id } of categories) {
      const { products } = await agent.ask("groceries_search_products", {
        query: "",
        category_id: id,
        ...PHONE,
      });
      found.push(...products);
    }
    const soldOut = found.filter(({ sold_out }) => sold_out);
    const { merchant, product } = await withSubstitutes(agent, soldOut);
    const line = { merchant_id: merchant.id, item_id: product.id, quantity: 1 };
    await agent.fails("cart_add_item", line, /sold out$/);
    const substitute = (await agent.ask("groceries_get_product", {
      product_id: product.substitutes[0]!.id,
    })).product;
    assert(!substitute.sold_out);
    const { added } = await agent.ask("cart_add_item", { ...line, item_id: substitute.id });
    assert.equal(added.name, substitute.name.value);
    const { basket } = await agent.ask("cart_get_basket", { basket_id: added.basket_id });
    const bananas = pick(basket.lines, ({ name }) => /Bananas/.test(name));
    const { removed } = await agent.ask("cart_remove_item", {
      basket_id: added.basket_id,
      line_id: bananas.line_id,
    });
    assert.equal(removed.line_id, bananas.line_id);
    await agent.fails(
      "checkout_get_summary",
      { basket_id: added.basket_id, locationUuid: await addressOf(agent, "home") },
      /slot_id is required for groceries/,
    );
  },

  async "a ride to the airport, booked ahead"(agent) {
    const from = await addressOf(agent, "Home");
    const { locations } = await agent.ask("location_search", { query: "Dubai AIRPORT terminal 3" });
    const [airport] = locations;
    assert.match(airport!.name, /Terminal 3/);
    const trip = {
      pickup: { locationUuid: from },
      dropoff: { locationUuid: airport!.locationUuid },
    };
    const { estimates } = await agent.ask("ride_get_estimates", trip);
    const { fareId, productId } = pick(estimates, ({ seats }) => seats > 4);
    await agent.refuses("ride_get_schedule_slots", { date: "2027-02-30" });
    const date = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
    const { slots } = await agent.ask("ride_get_schedule_slots", { date });
    const scheduledAt = pick(slots, ({ label }) => label === "06:00").startsAt;
    const booking = { fareId, scheduledAt, note: "Two large suitcases" };
    await agent.fails(
      "ride_book",
      { ...booking, paymentMethodId: await paymentOf(agent, "Mastercard") },
      /declined/,
    );
    const { ride } = await agent.ask("ride_book", {
      ...booking,
      paymentMethodId: await paymentOf(agent, "Visa"),
    });
    assert.deepEqual([ride.productId, ride.scheduledAt, ride.note, ride.status], [
      productId,
      scheduledAt,
      "Two large suitcases",
      "scheduled",
    ]);
    const status = await agent.ask("ride_get_status", { rideId: ride.rideId });
    assert.equal(status.ride.status, "scheduled");
    const cancelled = await agent.ask("ride_cancel", {
      rideId: ride.rideId,
      reason: "The flight was moved",
    });
    assert.equal(cancelled.cancellation.fee, 0);
  },

  async "rides cancelled within the grace time and after it"(agent) {
    const { locations } = await agent.ask("location_search", { query: "dubai mall" });
    const { location } = await agent.ask("reverse_geocode", PHONE);
    const { estimates } = await agent.ask("ride_get_estimates", {
      pickup: { locationUuid: location.locationUuid },
      dropoff: { locationUuid: locations[0]!.locationUuid },
    });
    const paymentMethodId = await paymentOf(agent, "Visa");
    const book = async (productId: string): Promise<string> => {
      const { fareId } = pick(estimates, (estimate) => estimate.productId === productId);
      const { ride } = await agent.ask("ride_book", { fareId, paymentMethodId });
      assert.deepEqual([ride.productId, ride.fareId], [productId, fareId]);
      return ride.rideId;
    };
    const soon = await book("careem-go");
    const status = await agent.ask("ride_get_status", { rideId: soon });
    assert.equal(status.ride.status, "captain-assigned");
    const free = await agent.ask("ride_cancel", { rideId: soon, reason: "" });
    assert.equal(free.cancellation.fee, 0);

    const late = await book("careem-comfort");
    assert.notEqual(late, soon);
    await agent.force({ ride_get_status: "arrived", ride_cancel: "cancelled-with-fee" });
    assert.equal(
      (await agent.ask("ride_get_status", { rideId: late })).ride.status,
      "arrived",
    );
    const charged = await agent.ask("ride_cancel", { rideId: late, reason: "Plans changed" });
    assert.deepEqual([charged.ride.rideId, charged.cancellation.reason], [late, "Plans changed"]);
    assert(charged.cancellation.fee > 0);
    await agent.force({ ride_cancel: "already-on-trip" });
    await agent.fails("ride_cancel", { rideId: late }, /already on trip$/);
    await agent.force({});
    await agent.fails("ride_cancel", { rideId: "" }, /^rideId is required$/);
  },

  async "a wallet that holds too little"(agent) {
    const { wallet } = await agent.ask("pay_get_wallet_balance");
    const { paymentMethods } = await agent.ask("pay_list_payment_methods");
    const listed = pick(paymentMethods, ({ type }) => type === "wallet");
    assert.deepEqual([listed.balance, listed.paymentMethodId], [
      wallet.balance,
      wallet.paymentMethodId,
    ]);
    const { baskets } = await agent.ask("cart_list_baskets");
    const dearest = [...baskets].sort((a, b) => b.total - a.total)[0]!;
    assert(dearest.total > wallet.balance);
    const locationUuid = await addressOf(agent, "Work");
    const bill = { basket_id: dearest.basket_id, locationUuid };
    await agent.fails(
      "checkout_place_order",
      { ...bill, payment_method_id: wallet.paymentMethodId },
      /balance of AED 45\.00 is too low/,
    );
    const placed = await order(agent, dearest.basket_id, {
      locationUuid,
      payment_method_id: await paymentOf(agent, "Visa"),
    });
    const { order: cancelled } = await agent.ask("order_cancel", {
      order_id: placed.order_id,
      reason: "Too dear after all",
    });
    assert.deepEqual([cancelled.status, cancelled.reason], ["cancelled", "Too dear after all"]);
    const { transactions } = await agent.ask("pay_list_transactions");
    pick(transactions, ({ payment_method_id }) => payment_method_id === wallet.paymentMethodId);
  },

  async "the same again"(agent) {
    const { orders } = await agent.ask("order_list_history", { status: "delivered" });
    const earlier = pick(orders, ({ merchant_type }) => merchant_type === "food");
    await agent.fails("order_cancel", { order_id: earlier.order_id }, /has been delivered$/);
    await agent.force({ order_reorder: "merchant-closed" });
    await agent.fails("order_reorder", { order_id: earlier.order_id }, /is closed/);
    await agent.force({});
    const { reorder } = await agent.ask("order_reorder", { order_id: earlier.order_id });
    assert.equal(reorder.merchant_id, earlier.merchant_id);
    const placed = await order(agent, reorder.basket_id, {
      locationUuid: await addressOf(agent, "Parents"),
      payment_method_id: await paymentOf(agent, "Visa"),
    });
    assert.notEqual(placed.order_id, earlier.order_id);
    const stages = ["placed", "preparing", "on-the-way", "delivered"];
    for (const stage of stages) {
      await agent.force({ order_get_status: stage });
      const { order, timeline, courier } = await agent.ask("order_get_status", {
        order_id: placed.order_id,
      });
      assert.deepEqual([order.order_id, order.status], [placed.order_id, stage]);
      assert.deepEqual(timeline.map(({ status }) => status), stages.slice(0, timeline.length));
      assert.equal(courier !== undefined, timeline.length > 2, stage);
    }
    await agent.force({ order_rate: "rated" });
    const { rating } = await agent.ask("order_rate", {
      order_id: placed.order_id,
      rating: 5,
      tip: 7.5,
    });
    assert.deepEqual([rating.rating, rating.tip], [5, 7.5]);
  },

  async "a late order, and support"(agent) {
    const { orders } = await agent.ask("order_list_history", { status: "" });
    const { order_id } = pick(orders, ({ status }) => status === "on-the-way");
    await agent.ask("order_get_status", { order_id });
    await agent.force({ order_get_status: "late" });
    const late = await agent.ask("order_get_status", { order_id });
    assert.equal(late.order.order_id, order_id);
    assert(late.eta.delay_minutes > 0);
    await agent.fails("order_cancel", { order_id }, /on the way and can no longer be cancelled$/);
    await agent.fails("order_rate", { order_id, rating: 1 }, /is on the way/);
    const description = 'It is 20 minutes late & the app says "soon".';
    await agent.fails(
      "support_report_issue",
      { subject_id: order_id, topic: "late", description: "" },
      /description is required/,
    );
    const report = { subject_id: order_id, topic: "late", description };
    const { ticket } = await agent.ask("support_report_issue", report);
    assert.deepEqual([ticket.subject_id, ticket.description], [order_id, description]);
    const again = await agent.ask("support_get_ticket", { ticket_id: ticket.ticket_id });
    assert.equal(again.ticket.ticket_id, ticket.ticket_id);
    const cancelled = pick(orders, ({ status }) => status === "cancelled");
    await agent.fails(
      "support_report_issue",
      { ...report, subject_id: cancelled.order_id },
      /already has the ticket TKT-/,
    );
  },

  async "كل شيء بالعربية"(agent) {
    const { locations } = await agent.ask("location_search", { query: "البيت" });
    const { locationUuid, latitude, longitude } = locations[0]!;
    const home = { latitude, longitude };
    const { restaurants } = await agent.ask("food_merchant_search", { query: "سوشي", ...home });
    const restaurant = pick(restaurants, ({ open }) => open);
    assert.match(restaurant.name.ar, /[\u0600-\u06ff]/);
    const basket_id = await addDish(agent, restaurant, plain);
    const declined = {
      basket_id,
      locationUuid,
      payment_method_id: await paymentOf(agent, "mastercard"),
    };
    await agent.fails("checkout_place_order", declined, /declined/);
    const note = "الرجاء عدم قرع الجرس، الطفل نائم";
    const placed = await order(agent, basket_id, {
      locationUuid,
      payment_method_id: await paymentOf(agent, "Visa"),
      note,
    });
    assert.equal(placed.note, note);
    const { suggestions } = await agent.ask("groceries_search_products", {
      query: "حليب",
      ...home,
    });
    const query = suggestions[0]!;
    const { products } = await agent.ask("groceries_search_products", { query, ...home });
    pick(products, ({ name }) => name.ar.includes("حليب"));
    const none = await agent.ask("groceries_search_products", {
      query: "خالي من الغلوتين",
      ...home,
    });
    assert.deepEqual(none.products, []);
    const mall = (await agent.ask("location_search", { query: "دبي مول" })).locations[0]!;
    const { estimates } = await agent.ask("ride_get_estimates", {
      pickup: { locationUuid },
      dropoff: { locationUuid: mall.locationUuid },
    });
    assert(estimates.length > 0);
    const { order: cancelled } = await agent.ask("order_cancel", {
      order_id: placed.order_id,
      reason: "غيرت رأيي",
    });
    assert.equal(cancelled.reason, "غيرت رأيي");
    const nothing = await agent.ask("location_search", { query: "مدريد" });
    assert.deepEqual(nothing.locations, []);
  },
};

Deno.test("conversations with a real client", async (t) => {
  const folder = await Deno.makeTempDir();
  const overrides = join(folder, "overrides.json");
  try {
    await using client = await connect("Streamable HTTP", ["--overrides", overrides]);
    for (const [name, walk] of Object.entries(CONVERSATIONS)) {
      await Deno.writeTextFile(overrides, "{}");
      await t.step(name, async () => await walk(await Agent.with(client, overrides)));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** The place of a saved address. */
async function addressOf(agent: Agent, label: string): Promise<string> {
  const { addresses } = await agent.ask("location_get_saved_addresses");
  const is = (address: Answer): boolean => address.label.toLowerCase() === label.toLowerCase();
  return pick(addresses, is).locationUuid;
}

/** A payment method by what its label has. */
async function paymentOf(agent: Agent, label: string): Promise<string> {
  const { paymentMethods } = await agent.ask("pay_list_payment_methods");
  const is = (method: Answer): boolean => method.label.toLowerCase().includes(label.toLowerCase());
  return pick(paymentMethods, is).paymentMethodId;
}

function dishesOf({ categories }: Answer): Answer[] {
  return categories.flatMap(({ items }) => [...items]);
}

/** A dish that can be had as it is. */
function plain({ sold_out, requires_choice }: Answer): boolean {
  return !sold_out && !requires_choice;
}

/** Looks a dish up in a restaurant's menu. */
async function findDish(
  agent: Agent,
  restaurant: Answer,
  is: (dish: Answer) => boolean,
): Promise<{ dish: Answer; item: Answer }> {
  const menu = await agent.ask("food_get_restaurant_menu", {
    restaurant_id: restaurant.id,
    ...PHONE,
  });
  const dish = pick(dishesOf(menu), is);
  const { item } = await agent.ask("food_get_item_details", {
    restaurant_id: restaurant.id,
    item_id: dish.id,
  });
  return { dish, item };
}

/** Puts a dish of a restaurant into its basket, and returns the basket's id. */
async function addDish(
  agent: Agent,
  restaurant: Answer,
  is: (dish: Answer) => boolean,
): Promise<string> {
  const { dish } = await findDish(agent, restaurant, is);
  const { added } = await agent.ask("cart_add_item", {
    merchant_id: restaurant.id,
    item_id: dish.id,
    quantity: 1,
  });
  assert.deepEqual([added.name, added.unit_price], [dish.name.value, dish.price]);
  return added.basket_id;
}

/** Reads the bill, and orders what was read. */
async function order(agent: Agent, basket_id: string, args: JsonObject): Promise<Answer> {
  const { basket } = await agent.ask("cart_get_basket", { basket_id });
  const { note, ...billed } = { note: "", ...args, basket_id };
  const { summary } = await agent.ask("checkout_get_summary", billed);
  assertBill(summary, basket);
  const { order } = await agent.ask("checkout_place_order", { ...billed, note });
  assert.equal(order.total, summary.total);
  assert.equal(order.payment.payment_method_id, args.payment_method_id);
  assert.equal(order.locationUuid, args.locationUuid);
  return order;
}

function assertBill(summary: Answer, { total }: Answer): void {
  const { delivery_fee, service_fee, discount } = summary;
  const sum = total + delivery_fee + service_fee - discount;
  assert.equal(summary.total, Math.round(sum * 100) / 100);
}

/** The first sold-out product that something may replace. */
async function withSubstitutes(agent: Agent, soldOut: readonly Answer[]): Promise<Answer> {
  for (const { id } of soldOut) {
    const answer = await agent.ask("groceries_get_product", { product_id: id });
    if (answer.product.substitutes.length > 0) return answer;
  }
  throw new Error("nothing sold out has a substitute");
}
