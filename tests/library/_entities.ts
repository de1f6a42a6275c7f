import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { Reply } from "./_library.ts";
import { visit } from "./_library.ts";

/** An id that an answer shows. */
export interface Sighting {
  readonly id: string | number;
  /** The objects around the id, the one that holds it first. */
  readonly around: readonly JsonObject[];
  /** Asks a tool something else on the way, such as which options a dish needs. */
  readonly ask: (tool: string, args: JsonObject) => Reply | string;
}

/** What is told of an entity: the fact's name and where it stands in the object that tells it. */
export type Facts = Readonly<Record<string, string | ((teller: JsonObject) => JsonValue)>>;

/** Where answers show ids of a kind. */
export interface Place {
  /** The end of the id's path, array indices left out, such as `lines[].item_id`. */
  readonly at: string;
  readonly when?: (sighting: Sighting) => boolean;
  /** What the object that holds the id tells of the entity. */
  readonly says?: Facts;
  /** The same for what may be otherwise in a scenario that only force reaches. */
  readonly saysUnforced?: Facts;
}

/** A call that has to know the id. */
export interface Question {
  readonly tool: string;
  readonly args: (sighting: Sighting) => JsonObject;
  /** Where the answer holds the entity, and the key of its id there. */
  readonly entity?: readonly [path: string, id: string];
  readonly says?: Facts;
  /** Whether a failure will do, as long as it is no default failure: sold out, say. */
  readonly mayFail?: true;
}

/** A kind of thing with ids that one tool shows and another takes. */
export interface Kind {
  readonly kind: string;
  readonly places: readonly Place[];
  readonly questions: readonly Question[];
}

const HOME = { latitude: 25.0866, longitude: 55.1474 };
const MALL = { latitude: 25.1972, longitude: 55.2744 };

/** The member that the nearest object around an id has of a name. */
function nearest({ around }: Sighting, key: string): JsonValue {
  return around.find((object) => key in object)?.[key] ?? null;
}

const isFood = (sighting: Sighting): boolean => nearest(sighting, "merchant_type") === "food";
const isGroceries = (sighting: Sighting): boolean => !isFood(sighting);

const isInMenu = (sighting: Sighting): boolean => nearest(sighting, "restaurant") !== null;

/** The restaurant of a dish: of the bill it is on, or of the menu it is in. */
function restaurantOf(sighting: Sighting): JsonValue {
  const restaurant = nearest(sighting, "restaurant");
  if (isJsonObject(restaurant)) return restaurant.id ?? null;
  const own = nearest(sighting, "merchant_id");
  return own === null ? nearest(sighting, "restaurant_id") : own;
}

/** The first options of each group of a dish, as many as it needs. */
function requiredOptions(sighting: Sighting, details: JsonObject): JsonValue[] {
  const reply = sighting.ask("food_get_item_details", details);
  if (typeof reply === "string") return [];
  return [...visit(reply.answer)].flatMap(({ value }) => {
    if (!isJsonObject(value) || !Array.isArray(value.options)) return [];
    const options = value.options.filter(isJsonObject).map(({ id }) => id ?? null);
    return options.slice(0, Number(value.min));
  });
}

const RESTAURANT: Facts = {
  name: "name.value",
  arabic: "name.ar",
  rating: "rating",
  cuisines: "cuisines",
  minimum: "minimum_order",
  fee: "delivery_fee",
  image: "image_url",
};
const DISH: Facts = { name: "name.value", arabic: "name.ar", price: "price" };
const PRODUCT: Facts = {
  ...DISH,
  brand: "brand",
  unit: "unit",
  category: "category_id",
  image: "image_url",
  before: "original_price",
  limit: "max_quantity",
};
const LINE: Facts = { name: "name", price: "base_price" };
const LOCATION: Facts = {
  name: "name",
  address: "formattedAddress",
  area: "area",
  city: "city",
  latitude: "latitude",
  longitude: "longitude",
  type: "type",
};
const WINDOW: Facts = { starts: "starts_at", ends: "ends_at", day: "date", weekday: "weekday" };
const RIDE: Facts = {
  product: "productId",
  productName: "productName",
  fare: "fare",
  from: "pickup",
  to: "dropoff",
  kilometres: "distanceKm",
  minutes: "durationMinutes",
};
const PAST_RIDE: Facts = {
  ...RIDE,
  status: "status",
  booked: "bookedAt",
  started: "startedAt",
  completed: "completedAt",
  cancelled: "cancelledAt",
  payment: "paymentMethodId",
  charged: "amountCharged",
  stars: "ratingGiven",
};

/** What `order_list_history` says of an order's lines in words. */
function summary({ lines }: JsonObject): JsonValue {
  if (!Array.isArray(lines)) return null;
  return lines.filter(isJsonObject).map(({ quantity, name }) => `${quantity} x ${name}`).join(", ");
}

const ORDER: Facts = {
  type: "merchant_type",
  merchant: "merchant_id",
  merchantName: "merchant_name",
};

/** Every kind of entity. A new tool needs a line here only if its ids have names of their own. */
export const KINDS: readonly Kind[] = [
  {
    kind: "restaurant",
    places: [
      { at: "restaurants[].id", says: RESTAURANT },
      { at: "restaurant.id", says: RESTAURANT },
      { at: "restaurant_id" },
      {
        at: "merchant_id",
        when: isFood,
        says: { name: "merchant_name", minimum: "minimum_order" },
      },
    ],
    questions: [
      {
        tool: "food_get_restaurant_menu",
        args: ({ id }) => ({ restaurant_id: id, ...HOME }),
        entity: ["restaurant", "id"],
        says: RESTAURANT,
      },
      { tool: "food_get_offers", args: ({ id }) => ({ restaurant_id: id, ...HOME }) },
    ],
  },
  {
    kind: "cuisine",
    places: [
      { at: "cuisines[].id", says: { name: "name.value", arabic: "name.ar" } },
      { at: "cuisines[]" },
    ],
    questions: [
      {
        tool: "food_list_cuisines",
        args: () => HOME,
        entity: ["cuisines[]", "id"],
        says: { name: "name.value", arabic: "name.ar" },
      },
      { tool: "food_merchant_search", args: ({ id }) => ({ query: "food", cuisine: id, ...HOME }) },
    ],
  },
  {
    kind: "dish",
    places: [
      { at: "categories[].items[].id", says: DISH, saysUnforced: { soldOut: "sold_out" } },
      { at: "item.id", says: DISH, saysUnforced: { soldOut: "sold_out" } },
      { at: "lines[].item_id", when: isFood, says: LINE },
    ],
    questions: [
      {
        tool: "food_get_item_details",
        args: (sighting) => ({ restaurant_id: restaurantOf(sighting), item_id: sighting.id }),
        entity: ["item", "id"],
        says: { ...DISH, soldOut: "sold_out" },
      },
      {
        tool: "food_get_restaurant_menu",
        args: (sighting) => ({ restaurant_id: restaurantOf(sighting), ...HOME }),
        entity: ["categories[].items[]", "id"],
        says: { ...DISH, soldOut: "sold_out" },
      },
      {
        tool: "cart_add_item",
        args: (sighting) => {
          const restaurant = restaurantOf(sighting);
          const details = { restaurant_id: restaurant, item_id: sighting.id };
          const options = requiredOptions(sighting, details);
          return {
            merchant_type: "food",
            merchant_id: restaurant,
            item_id: sighting.id,
            quantity: 1,
            ...(options.length > 0 && { options }),
          };
        },
        entity: ["basket.lines[]", "item_id"],
        says: LINE,
        mayFail: true,
      },
    ],
  },
  {
    kind: "menu category",
    places: [{ at: "item.category_id" }, { at: "categories[].id", when: isInMenu }],
    questions: [
      {
        tool: "food_get_restaurant_menu",
        args: (sighting) => ({ restaurant_id: restaurantOf(sighting), ...HOME }),
        entity: ["categories[]", "id"],
      },
    ],
  },
  {
    kind: "option",
    places: [
      { at: "options[].option_id", says: { name: "name", price: "price" } },
      { at: "options[].id", says: { name: "name.value", price: "price" } },
    ],
    questions: [
      {
        tool: "food_get_item_details",
        args: (sighting) => {
          const item = nearest(sighting, "item");
          return {
            restaurant_id: restaurantOf(sighting),
            item_id: isJsonObject(item) ? item.id! : nearest(sighting, "item_id"),
          };
        },
        entity: ["item.option_groups[].options[]", "id"],
        says: { name: "name.value", price: "price" },
      },
    ],
  },
  {
    kind: "store",
    places: [
      { at: "merchant.id", says: { name: "name", minimum: "minimum_order" } },
      {
        at: "merchant_id",
        when: isGroceries,
        says: { name: "merchant_name", minimum: "minimum_order" },
      },
    ],
    questions: [
      {
        tool: "groceries_list_categories",
        args: () => HOME,
        entity: ["merchant", "id"],
        says: { name: "name", minimum: "minimum_order" },
      },
    ],
  },
  {
    kind: "product",
    places: [
      { at: "products[].id", says: PRODUCT, saysUnforced: { soldOut: "sold_out" } },
      { at: "product.id", says: PRODUCT, saysUnforced: { soldOut: "sold_out" } },
      { at: "substitutes[].id", says: PRODUCT },
      { at: "lines[].item_id", when: isGroceries, says: LINE },
    ],
    questions: [
      {
        tool: "groceries_get_product",
        args: ({ id }) => ({ product_id: id }),
        entity: ["product", "id"],
        says: { ...PRODUCT, soldOut: "sold_out" },
      },
      {
        tool: "cart_add_item",
        args: ({ id }) => ({
          merchant_type: "groceries",
          merchant_id: 40001,
          item_id: id,
          quantity: 1,
        }),
        entity: ["basket.lines[]", "item_id"],
        says: LINE,
        mayFail: true,
      },
    ],
  },
  {
    kind: "grocery category",
    places: [
      {
        at: "category_id",
        when: (sighting) => nearest(sighting, "item") === null,
        says: { name: "category_name.value", arabic: "category_name.ar" },
      },
      {
        at: "categories[].id",
        when: (sighting) => !isInMenu(sighting),
        says: { name: "name.value", arabic: "name.ar", size: "product_count" },
      },
    ],
    questions: [
      {
        tool: "groceries_list_categories",
        args: () => HOME,
        entity: ["categories[]", "id"],
        says: { name: "name.value", arabic: "name.ar", size: "product_count" },
      },
      {
        tool: "groceries_search_products",
        args: ({ id }) => ({ query: "", category_id: id, ...HOME }),
        entity: ["products[]", "category_id"],
      },
    ],
  },
  {
    kind: "offer",
    places: [{ at: "offers[].code" }, { at: "promo.code" }],
    questions: [
      { tool: "cart_apply_promo", args: ({ id }) => ({ code: id }), mayFail: true },
    ],
  },
  {
    kind: "basket",
    places: [
      {
        at: "basket_id",
        says: { type: "merchant_type", merchant: "merchant_id", name: "merchant_name" },
      },
    ],
    questions: ["cart_get_basket", "cart_clear"].map((tool) => ({
      tool,
      args: ({ id }) => ({ basket_id: id }),
      entity: ["basket", "basket_id"],
      says: { type: "merchant_type", merchant: "merchant_id", name: "merchant_name" },
    })),
  },
  {
    kind: "line",
    places: ["basket", "summary"].map((bill) => ({
      at: `${bill}.lines[].line_id`,
      says: { ...LINE, item: "item_id" },
    })),
    questions: [
      {
        tool: "cart_update_item",
        args: ({ id }) => ({ line_id: id, quantity: 2 }),
        entity: ["basket.lines[]", "line_id"],
        says: { ...LINE, item: "item_id" },
        mayFail: true,
      },
      { tool: "cart_remove_item", args: ({ id }) => ({ line_id: id }) },
    ],
  },
  {
    kind: "order",
    places: [
      {
        at: "orders[].order_id",
        says: { ...ORDER, total: "total", pieces: "item_count", items: "items_summary" },
        saysUnforced: { status: "status", placed: "placed_at" },
      },
      { at: "order.order_id", says: ORDER },
    ],
    questions: [
      {
        tool: "order_get_status",
        args: ({ id }) => ({ order_id: id }),
        entity: ["order", "order_id"],
        says: {
          ...ORDER,
          total: "total",
          pieces: "item_count",
          items: summary,
          status: "status",
          placed: "placed_at",
        },
      },
      { tool: "order_cancel", args: ({ id }) => ({ order_id: id }), mayFail: true },
    ],
  },
  {
    kind: "ride",
    places: [
      { at: "rides[].rideId", says: PAST_RIDE },
      { at: "transactions[].rideId", says: { payment: paidFrom, charged: paid } },
      { at: "ride.rideId" },
      { at: "ride.rideId", when: (sighting) => "cancellation" in sighting.around[1]!, says: RIDE },
    ],
    questions: [
      {
        tool: "ride_get_status",
        args: ({ id }) => ({ rideId: id }),
        entity: ["ride", "rideId"],
        says: PAST_RIDE,
      },
      { tool: "ride_cancel", args: ({ id }) => ({ rideId: id }), mayFail: true },
    ],
  },
  {
    kind: "ride product",
    places: [
      {
        at: "estimates[].productId",
        says: { name: "productName" },
        saysUnforced: { fare: "fare" },
      },
      { at: "productId", says: { name: "productName" } },
    ],
    questions: [
      {
        tool: "ride_get_estimates",
        args: () => ({ pickup: HOME, dropoff: MALL }),
        entity: ["estimates[]", "productId"],
        says: { name: "productName" },
      },
      {
        tool: "ride_book",
        args: (sighting) => ({
          pickup: point(nearest(sighting, "pickup")),
          dropoff: point(nearest(sighting, "dropoff")),
          productId: sighting.id,
        }),
        entity: ["ride", "productId"],
        says: { name: "productName", fare: "fare" },
        mayFail: true,
      },
    ],
  },
  {
    kind: "pickup slot",
    places: [{ at: "slotId", says: { starts: "startsAt" } }],
    questions: [
      {
        tool: "ride_book",
        args: ({ around }) => ({
          pickup: HOME,
          dropoff: MALL,
          productId: "careem-go",
          scheduledAt: around[0]!.startsAt!,
        }),
        says: { starts: ({ ride }) => isJsonObject(ride) ? ride.scheduledFor! : null },
      },
    ],
  },
  {
    kind: "location",
    places: [
      { at: "locationUuid", when: hasPoint, says: LOCATION },
      { at: "delivery_location.locationUuid", says: { address: "address" } },
      { at: "locationUuid" },
    ],
    questions: [
      {
        tool: "location_save_address",
        args: ({ id }) => ({ locationUuid: id, label: "Gym" }),
        entity: ["address", "locationUuid"],
        says: LOCATION,
        mayFail: true,
      },
      {
        tool: "groceries_get_delivery_slots",
        args: ({ id }) => ({ locationUuid: id }),
        mayFail: true,
      },
      { tool: "checkout_get_summary", args: ({ id }) => ({ locationUuid: id }), mayFail: true },
    ],
  },
  {
    kind: "place on the map",
    places: [{ at: "locationUuid", when: hasPoint, says: LOCATION }],
    questions: [
      {
        tool: "reverse_geocode",
        args: ({ around: [place] }) => point(place!),
        entity: ["location", "locationUuid"],
        says: LOCATION,
      },
    ],
  },
  {
    kind: "saved address",
    places: [
      {
        at: "delivery_location.locationUuid",
        when: ({ around: [place] }) => "label" in place!,
        says: { label: "label", address: "address", details: "details" },
      },
      {
        at: "locationUuid",
        when: ({ around: [place] }) => "savedLabel" in place!,
        says: { label: "savedLabel", address: "formattedAddress" },
      },
    ],
    questions: [
      {
        tool: "location_get_saved_addresses",
        args: () => ({}),
        entity: ["addresses[]", "locationUuid"],
        says: { label: "label", address: "formattedAddress", details: "details" },
      },
    ],
  },
  {
    kind: "delivery slot",
    places: [{ at: "slot_id", says: WINDOW }],
    questions: [
      {
        tool: "groceries_get_delivery_slots",
        args: () => ({ locationUuid: "LOC-50001" }),
        entity: ["slots[]", "slot_id"],
        says: WINDOW,
      },
      {
        tool: "checkout_get_summary",
        args: ({ id }) => ({ locationUuid: "LOC-50001", slot_id: id }),
        entity: ["summary.delivery", "slot_id"],
        says: WINDOW,
        mayFail: true,
      },
    ],
  },
  {
    kind: "payment method",
    places: [
      { at: "payment_method_id", says: { label: "label" } },
      { at: "paymentMethodId", says: { label: "paymentLabel" } },
      {
        at: "paymentMethods[].paymentMethodId",
        says: { label: "label", type: "type", brand: "brand", last4: "last4" },
      },
      { at: "wallet.paymentMethodId", saysUnforced: { balance: "balance" } },
      { at: "defaultPaymentMethodId" },
    ],
    questions: [
      {
        tool: "pay_list_payment_methods",
        args: () => ({}),
        entity: ["paymentMethods[]", "paymentMethodId"],
        says: {
          label: "label",
          type: "type",
          brand: "brand",
          last4: "last4",
          balance: "balance",
        },
      },
      {
        tool: "checkout_get_summary",
        args: ({ id }) => ({ locationUuid: "LOC-50001", payment_method_id: id }),
        entity: ["summary.payment_method", "payment_method_id"],
        says: { label: "label" },
      },
    ],
  },
];

/** Ids that no tool takes: they are for the caller's own records. */
export const OPAQUE: readonly string[] = [
  "search_id",
  "quote_id",
  "quote.quoteId",
  "offers[].offer_id",
  "wallet.walletId",
  "transactions[].transactionId",
  "receipt.receiptId",
  "option_groups[].id",
  // What is ordered can no longer be changed.
  "order.lines[].line_id",
];

function hasPoint({ around: [place] }: Sighting): boolean {
  return typeof place!.latitude === "number" && typeof place!.longitude === "number";
}

/** The coordinates of a place, or home's where there are none. */
function point(place: JsonValue): JsonObject {
  if (!isJsonObject(place)) return HOME;
  const { latitude, longitude } = place;
  return typeof latitude === "number" && typeof longitude === "number"
    ? { latitude, longitude }
    : HOME;
}

/** What a movement of the wallet took for a ride; other movements tell nothing. */
function paid({ type, amount }: JsonObject): JsonValue {
  return type === "ride-payment" ? -Number(amount) : null;
}

function paidFrom({ type }: JsonObject): JsonValue {
  return type === "ride-payment" ? "PM-1003" : null;
}
