import assert from "node:assert/strict";
import { join } from "node:path";
import { formatProblem } from "../../lib/fixture/problem.ts";
import type { JsonObject } from "../../lib/json.ts";
import { Agent, pick } from "../support/agent.ts";
import { connect } from "../support/client.ts";
import { ROOT } from "../support/program.ts";
import { billFaults } from "./_bills.ts";
import { type Copy, copyLibrary, findingsOf, readLibrary } from "./_library.ts";

// The scenarios of `new_restaurant.md`, which doubles as the example for whoever adds a restaurant.

const GUIDE = Deno.readTextFileSync(join(ROOT, "tests", "library", "new_restaurant.md"));
const HOME = { latitude: 25.086612344, longitude: 55.147399871 };
const MOST = 20;

Deno.test("a restaurant of three dishes is added and ordered from", async (t) => {
  using copy = copyLibrary();
  const count = addRestaurant(copy);
  // The figure is in the step's name, where a run shows it.
  await t.step(`${count} scenarios, of at most ${MOST}`, () => assert(count <= MOST));
  await t.step("check and the bills find nothing new", () => {
    using before = copyLibrary();
    const known = findingsOf(before.directory).map(({ message }) => message);
    const found = findingsOf(copy.directory).filter(({ message }) => !known.includes(message));
    assert.deepEqual(found.map(formatProblem), []);
    assert.deepEqual(billFaults(readLibrary(copy.directory)).map(formatProblem), []);
  });
  await t.step("a client walks from search to delivered", async () => {
    const overrides = join(copy.directory, "overrides.json");
    const flags = ["--tools", copy.directory, "--overrides", overrides];
    await using client = await connect("Streamable HTTP", flags);
    await walk(await Agent.with(client, overrides));
  });
});

/** Sets each scenario above the heading that the guide names, and counts them. */
function addRestaurant(copy: Copy): number {
  const parts = [...GUIDE.matchAll(/^# (\S+\.md), above `(.+)`\n\n([^]*?)(?=\n# |$(?![^]))/gm)];
  for (const [, file, heading, scenarios] of parts) {
    copy.edit(file!, `\n${heading}\n`, `\n${scenarios!.trim()}\n\n${heading}\n`);
  }
  const groceries = '    { "basket_id": "BSK-40001"';
  const basket = `    { "basket_id": "BSK-30107", "merchant_type": "food", "merchant_id": 30107, ` +
    `"merchant": "Manakish House", "item_count": 3, "total": 45.5 },\n`;
  copy.edit("cart/cart_list_baskets.md", groceries, basket + groceries);
  return parts.flatMap(([, , , scenarios]) => scenarios!.match(/^## Scenario: /gm) ?? []).length;
}

async function walk(agent: Agent): Promise<void> {
  const { restaurants } = await agent.ask("food_merchant_search", { query: "Manakish", ...HOME });
  const restaurant_id = restaurants[0]!.id;
  const { categories } = await agent.ask("food_get_restaurant_menu", { restaurant_id, ...HOME });
  const dishes = categories.flatMap(({ items }) => items);
  assert.equal(dishes.length, 3);
  assert.deepEqual((await agent.ask("food_get_offers", { restaurant_id, ...HOME })).offers, []);
  let line: JsonObject = {};
  for (const dish of dishes) {
    const { item } = await agent.ask("food_get_item_details", { restaurant_id, item_id: dish.id });
    const options = item.option_groups.flatMap((group) => group.options.map(({ id }) => id));
    const { added } = await agent.ask("cart_add_item", {
      merchant_id: restaurant_id,
      item_id: dish.id,
      quantity: 1,
      options,
    });
    assert.deepEqual([added.unit_price, added.options], [dish.price, options]);
    line = { basket_id: added.basket_id, line_id: added.line_id };
  }
  const { basket_id = "" } = line;
  await agent.ask("cart_update_item", { ...line, quantity: 2 });
  await agent.ask("cart_remove_item", line);
  const { baskets } = await agent.ask("cart_list_baskets");
  const { basket } = await agent.ask("cart_get_basket", { basket_id });
  assert.equal(pick(baskets, (each) => each.basket_id === basket_id).total, basket.total);
  const { location } = await agent.ask("reverse_geocode", HOME);
  const { paymentMethods } = await agent.ask("pay_list_payment_methods");
  const bill = {
    basket_id,
    locationUuid: location.locationUuid,
    payment_method_id: paymentMethods[0]!.paymentMethodId,
  };
  const { summary } = await agent.ask("checkout_get_summary", bill);
  const { order } = await agent.ask("checkout_place_order", bill);
  assert.equal(order.total, summary.total);
  const { order_id } = order;
  assert.equal((await agent.ask("order_get_status", { order_id })).order.status, "placed");
  for (const stage of ["preparing", "on-the-way", "delivered"]) {
    await agent.force({ order_get_status: stage });
    assert.equal((await agent.ask("order_get_status", { order_id })).order.status, stage);
  }
  const report = { subject_id: order_id, topic: "missing-item", description: "No molasses" };
  const { ticket } = await agent.ask("support_report_issue", report);
  await agent.ask("support_get_ticket", { ticket_id: ticket.ticket_id });
  assert.equal((await agent.ask("order_reorder", { order_id })).reorder.basket_id, basket_id);
  await agent.ask("cart_clear", { basket_id });
}
