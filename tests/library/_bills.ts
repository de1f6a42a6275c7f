import type { Finding } from "../../lib/check/finding.ts";
import { aboutScenario } from "../../lib/check/finding.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { call, type Case, casesOf, type Library } from "./_library.ts";

/**
 * What several tools together say of one bill: the basket's total and the fees less the discount are
 * what checkout asks for, checkout's total is what is ordered, and what was paid is what it cost.
 *
 * @param library The fixtures.
 * @returns The answers that do not add up.
 */
export function billFaults(library: Library): Finding[] {
  const answer = (tool: string, args: JsonObject = {}): JsonObject => {
    const reply = call(library, tool, args);
    return typeof reply !== "string" && isJsonObject(reply.answer) ? reply.answer : {};
  };
  const answers = (tool: string, key: string): [Case, JsonObject][] =>
    casesOf(library, tool).flatMap((each): [Case, JsonObject][] => {
      const value = isJsonObject(each.answer) ? each.answer[key] : undefined;
      return isJsonObject(value) ? [[each, value]] : [];
    });
  const compare = (each: Case, what: string, said: unknown, right: unknown): Finding[] => {
    if (said === right) return [];
    const message = `\`${what}\` is ${said}, but the bill makes ${right}`;
    return [aboutScenario("coherence", each.fixture, each.scenario, message)];
  };
  const promoOf = ({ args }: Case): string => String(args.promo_code ?? "");
  const discountOf = (basket_id: JsonValue, code: string): number => {
    if (code === "") return 0;
    return Number((answer("cart_apply_promo", { basket_id, code }).applied as JsonObject).discount);
  };
  const feeOf = (merchant: JsonValue): unknown => {
    const menu = answer("food_get_restaurant_menu", { restaurant_id: merchant, ...HOME });
    const { restaurant } = menu;
    const store = answer("groceries_list_categories", HOME).merchant;
    return [restaurant, store].filter(isJsonObject).find(({ id }) => id === merchant)?.delivery_fee;
  };

  const summaries = answers("checkout_get_summary", "summary").flatMap(([each, summary]) => {
    const { basket_id = "", merchant_id = 0 } = summary;
    const { basket } = answer("cart_get_basket", { basket_id });
    const goods = isJsonObject(basket) ? Number(basket.total) : NaN;
    const [delivery, service, discount] = [
      summary.delivery_fee,
      summary.service_fee,
      summary.discount,
    ].map(Number);
    return [
      ...compare(each, "delivery_fee", delivery, feeOf(merchant_id)),
      ...compare(each, "discount", discount, discountOf(basket_id, promoOf(each))),
      ...compare(each, "total", summary.total, cents(goods + delivery! + service! - discount!)),
    ];
  });
  const orders = answers("checkout_place_order", "order").flatMap(([each, order]) => {
    const { summary } = answer("checkout_get_summary", {
      basket_id: order.basket_id ?? "",
      locationUuid: each.args.locationUuid ?? "",
      promo_code: promoOf(each),
      slot_id: each.args.slot_id ?? "",
    });
    return compare(each, "total", order.total, isJsonObject(summary) ? summary.total : undefined);
  });
  return [...summaries, ...orders];
}

const HOME = { latitude: 25.0866, longitude: 55.1474 };

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
