import assert from "node:assert/strict";
import { formatProblem } from "../../lib/fixture/problem.ts";
import { casesOf, readLibrary, withEdit } from "./_library.ts";
import { closed, consistent, discreet, honest, type Rule } from "./_rules.ts";

// Fixtures broken in memory: a rule that finds nothing in the library must be one that would.

interface Breakage {
  readonly rule: Rule;
  readonly tool: string;
  /** What is replaced, the first time it stands there, and by what. */
  readonly edit: readonly [from: string, to: string];
  readonly scenario?: string;
  readonly says: string;
}

const BREAKAGES: Readonly<Record<string, Breakage>> = {
  "a wrong total": {
    rule: consistent,
    tool: "cart_get_basket",
    edit: ['"total": 77,', '"total": 78,'],
    scenario: "shawarma-station",
    says: "/basket/total: is 78, but subtotal plus fees less discount make 77",
  },
  "a wrong line": {
    rule: consistent,
    tool: "order_get_status",
    edit: ['"unit_price": 36.5', '"unit_price": 34.5'],
    scenario: "ord-80001",
    says: "/order/lines/1/unit_price: is 34.5, but base_price and options make 36.5",
  },
  "a wrong fare": {
    rule: consistent,
    tool: "ride_get_estimates",
    edit: ['"label": "Base fare", "amount": 8', '"label": "Base fare", "amount": 9'],
    scenario: "home-to-dubai-mall",
    says: "/estimates/0/fare/total: is 62.5, but the components make 63.5",
  },
  "a wrong count": {
    rule: consistent,
    tool: "order_list_history",
    edit: ['"count": 6', '"count": 5'],
    scenario: "all",
    says: "/count: is 5, but there are 6",
  },
  "a slot off its boundary": {
    rule: consistent,
    tool: "ride_get_schedule_slots",
    edit: ['"startsAt": "{{now+1h20m@20m}}"', '"startsAt": "{{now+1h20m}}"'],
    scenario: "airport-pickup-on-a-day",
    says: "/slots/0/startsAt: 2026-10-05T13:27:33Z is not on a 20-minute boundary",
  },
  "a timeline out of order": {
    rule: consistent,
    tool: "ride_get_status",
    edit: [
      '{"status": "captain-assigned", "at": "{{now-10s}}"}',
      '{"status": "captain-assigned", "at": "{{now-9m}}"}',
    ],
    scenario: "captain-assigned",
    says: "/timeline/1/at: 2026-10-05T11:58:33Z is before 2026-10-05T12:07:03Z",
  },
  "a future thing in the past": {
    rule: consistent,
    tool: "food_get_restaurant_menu",
    edit: ['"closes_at": "{{now+6h@30m}}"', '"closes_at": "{{now-6h@30m}}"'],
    scenario: "shawarma-station",
    says: "/restaurant/closes_at: 2026-10-05T06:00:00Z is in the past",
  },
  "an amount without a currency": {
    rule: consistent,
    tool: "pay_get_wallet_balance",
    edit: ['"currency": "AED",', '"currency": "USD",'],
    says: '/balance: no "currency": "AED" here or on an object around it',
  },
  "an unknown id": {
    rule: closed,
    tool: "food_merchant_search",
    edit: ['"id": 30102', '"id": 30199'],
    says: "/id: food_get_restaurant_menu does not know restaurant 30199: " +
      '"failed to get restaurant menu: unexpected response status 404"',
  },
  "a price that another tool does not know": {
    rule: closed,
    tool: "food_get_restaurant_menu",
    edit: ['"price": 34.5', '"price": 35.5'],
    scenario: "shawarma-station",
    says: "/categories/1/items/0/id: the price of dish 3010104 is 35.5, " +
      "but food_get_item_details (`chicken-shawarma-arabi-plate`) says 34.5",
  },
  "a name that another tool does not know": {
    rule: closed,
    tool: "location_get_saved_addresses",
    edit: ['"name": "Gate Village 4"', '"name": "Gate Village 5"'],
    scenario: "saved-addresses",
    says: 'the name of place on the map LOC-50002 is "Gate Village 5", ' +
      'but reverse_geocode (`work`) says "Gate Village 4"',
  },
  "an id that no kind of entity has": {
    rule: closed,
    tool: "ride_get_status",
    edit: ['"receiptId": "RCPT-90003"', '"voucherId": "RCPT-90003"'],
    scenario: "past-ride-90003",
    says: "/receipt/voucherId: no kind of entity has this id; add it to _entities.ts",
  },
  "a shadowed rule": {
    rule: honest,
    tool: "food_get_restaurant_menu",
    edit: ['{ "restaurant_id": 30102 }', '{ "restaurant_id": 30101 }'],
    scenario: "umi-sushi-bar",
    says: "never chosen: its own sample call " +
      '{"restaurant_id":30101,"latitude":1,"longitude":1} is answered by `shawarma-station`',
  },
  "a rule that asks for an unknown argument": {
    rule: honest,
    tool: "food_get_restaurant_menu",
    edit: ['{ "restaurant_id": 30102 }', '{ "restaurant_id": 30102, "area": "Marina" }'],
    scenario: "umi-sushi-bar",
    says: "the rule asks for `area`, which `inputSchema` does not declare",
  },
  "an answer that does not fit its schema": {
    rule: honest,
    tool: "food_get_restaurant_menu",
    edit: ['"open": true', '"open": "yes"'],
    scenario: "shawarma-station",
    says:
      "its answer does not fit `outputSchema`: validating root: validating /properties/restaurant: " +
      'validating /properties/restaurant/properties/open: type: yes has type "string", want "boolean"',
  },
  "a banned word in a value": {
    rule: honest,
    tool: "food_get_restaurant_menu",
    edit: ['"Charcoal shawarma carved', '"Mocked shawarma carved'],
    scenario: "shawarma-station",
    says: 'the answer has "mock" inside "Mocked" at /restaurant/description',
  },
  "a banned word in a key": {
    rule: honest,
    tool: "ride_get_status",
    edit: ['"eta": {"to": "pickup", "minutes": 4', '"eta": {"to": "pickup", "isFake": 4'],
    scenario: "captain-assigned",
    says: 'the answer has "fake" inside "isFake" at /eta/isFake',
  },
  "a banned word in a definition": {
    rule: honest,
    tool: "ride_get_status",
    edit: ['"title": "Get ride status"', '"title": "Get SBX ride status"'],
    says: 'the definition has the word "sbx" at /title',
  },
  "a hint in a definition": {
    rule: discreet,
    tool: "ride_get_status",
    edit: ['"title": "Get ride status"', '"title": "Get simulated status"'],
    says: '/title: "Get simulated status" contains the word "simulat"',
  },
  "a link that leads elsewhere": {
    rule: discreet,
    tool: "food_get_restaurant_menu",
    edit: ["https://app.careem.com/food/restaurants/30101", "https://shawarma.ae/30101"],
    scenario: "shawarma-station",
    says: "/restaurant/deep_link: links to shawarma.ae",
  },
};

const library = readLibrary();

for (const [what, { rule, tool, edit: [from, to], scenario, says }] of Object.entries(BREAKAGES)) {
  Deno.test(`the rules of the library catch ${what}`, () => {
    const broken = withEdit(library, tool, (text) => text.replace(from, () => to));
    const lines = rule(casesOf(broken, tool)).map(formatProblem);
    const line = lines.find((line) => line.includes(says));
    assert(line, `nothing says: ${says}\nbut:\n${lines.slice(0, 9).join("\n")}`);
    assert.match(line, new RegExp(`^tools/[a-z]+/${tool}\\.md:\\d+: `));
    if (scenario !== undefined) assert(line.includes(`scenario \`${scenario}\`: `), line);
  });
}
