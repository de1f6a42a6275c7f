import assert from "node:assert/strict";
import { formatProblem } from "../../lib/fixture/problem.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { billFaults } from "./_bills.ts";
import { call, copyLibrary, readLibrary } from "./_library.ts";

// Amounts that no tool states alone.

const library = readLibrary();

Deno.test("what checkout asks for is what the basket and the fees make", () => {
  assert.equal(billFaults(library).map(formatProblem).join("\n"), "");
});

Deno.test("a wrong bill and a wrong order are found", () => {
  using copy = copyLibrary();
  copy.edit("checkout/checkout_get_summary.md", '"total": 77', '"total": 78');
  copy.edit("checkout/checkout_place_order.md", '"total": 97.5', '"total": 105.5');
  copy.edit("food/food_get_restaurant_menu.md", '"delivery_fee": 9', '"delivery_fee": 10');
  assert.deepEqual(
    billFaults(readLibrary(copy.directory)).map(({ tool, scenario, message }) =>
      `${tool} ${scenario}: ${message}`
    ),
    [
      "checkout_get_summary shawarma-station: `total` is 78, but the bill makes 77",
      "checkout_get_summary umi-sushi-bar: `delivery_fee` is 9, but the bill makes 10",
      "checkout_get_summary umi-sushi-bar-save20: `delivery_fee` is 9, but the bill makes 10",
      "checkout_place_order shawarma-station: `total` is 77, but the bill makes 78",
      "checkout_place_order morning-syrniki-cafe-freedel: `total` is 105.5, but the bill makes 97.5",
    ],
  );
});

Deno.test("what was paid is what orders and rides cost, on the day of each", () => {
  const transactions = listOf("pay_list_transactions", "transactions");
  const paid = (id: string, type: RegExp): JsonObject | undefined =>
    transactions.find((each) =>
      [each.order_id, each.rideId].includes(id) && type.test(String(each.type))
    );
  const orders = listOf("order_list_history", "orders");
  assert(orders.length > 0);
  for (const { order_id, total, status, placed_on } of orders) {
    const payment = paid(String(order_id), /payment/);
    assert.deepEqual(
      [payment?.amount, payment?.date],
      [-Number(total), placed_on],
      String(order_id),
    );
    assert.equal(
      paid(String(order_id), /refund/)?.amount,
      status === "cancelled" ? total : undefined,
    );
  }
  const rides = listOf("ride_list_history", "rides");
  assert(rides.length > 0);
  for (const { rideId, amountCharged, paymentMethodId, date } of rides) {
    // Cash was given to the captain.
    if (paymentMethodId === "PM-1004") continue;
    const payment = paid(String(rideId), /payment/);
    assert.deepEqual(
      [payment?.amount, payment?.payment_method_id, payment?.date],
      [-Number(amountCharged), paymentMethodId, date],
      String(rideId),
    );
  }
});

Deno.test("a past ride cost what it would cost now", () => {
  for (const { pickup, dropoff, productId, fare } of listOf("ride_list_history", "rides")) {
    const trip = [pickup, dropoff].map((place) => ({
      locationUuid: (place as JsonObject).locationUuid ?? "",
    }));
    const estimates = listOf("ride_get_estimates", "estimates", {
      pickup: trip[0]!,
      dropoff: trip[1]!,
    });
    assert.equal(estimates.find((each) => each.productId === productId)?.fare, fare);
  }
});

Deno.test("the wallet holds what the list of payment methods says", () => {
  const reply = call(library, "pay_get_wallet_balance", {});
  assert(typeof reply !== "string" && isJsonObject(reply.answer));
  const { paymentMethodId, balance } = reply.answer.wallet as JsonObject;
  const listed = listOf("pay_list_payment_methods", "paymentMethods")
    .find((method) => method.paymentMethodId === paymentMethodId);
  assert.equal(listed?.balance, balance);
});

function listOf(tool: string, key: string, args: JsonObject = {}): JsonObject[] {
  const reply = call(library, tool, args);
  assert(typeof reply !== "string" && isJsonObject(reply.answer));
  const list = reply.answer[key];
  assert(Array.isArray(list), `${tool}: ${JSON.stringify(reply.answer)}`);
  return list.filter(isJsonObject);
}
