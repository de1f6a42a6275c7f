import type { JsonObject } from "../../lib/json.ts";

/** The calls that are measured. */
export const CALLS: readonly { readonly name: string; readonly params: JsonObject }[] = [
  {
    name: "small answer",
    params: { name: "reverse_geocode", arguments: { latitude: 25.0866, longitude: 55.1474 } },
  },
  {
    name: "large answer",
    params: {
      name: "food_get_restaurant_menu",
      arguments: { restaurant_id: 30104, latitude: 25.0866, longitude: 55.1474 },
    },
  },
];
