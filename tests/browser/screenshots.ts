// Makes the pictures of the README, in docs/images/:
// `deno task screenshots`.
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { JsonObject } from "../../lib/json.ts";
import { ROOT, startServer } from "../support/program.ts";
import { connectClient, launch, makeWholeProject, openPage, startConsole } from "./_browser.ts";

const HOME = { latitude: 25.0866, longitude: 55.1474 };
const ROLL = { restaurant_id: 30102, item_id: 3010201 };
const BASKET = { basket_id: "BSK-30102" };
const ORDERED = { ...BASKET, locationUuid: "LOC-50001", payment_method_id: "PM-1001" };

/** An agent that orders food, is refused once and meets a card that is declined. */
const ORDER: readonly [string, JsonObject?][] = [
  ["location_get_saved_addresses"],
  ["food_merchant_search", { ...HOME, query: "sushi" }],
  ["food_get_restaurant_menu", { ...HOME, restaurant_id: 30102 }],
  ["food_get_item_details", ROLL],
  ["cart_add_item", { merchant_id: 30102, item_id: 3010201, quantity: "two" }],
  ["food_get_item_details", ROLL],
  ["cart_add_item", { merchant_id: 30102, item_id: 3010201, quantity: 2 }],
  ["cart_get_basket", BASKET],
  ["checkout_get_summary", { ...BASKET, locationUuid: "LOC-50001" }],
  ["pay_list_payment_methods"],
  ["checkout_place_order", ORDERED],
  ["pay_list_payment_methods"],
  ["checkout_place_order", ORDERED],
  ["order_get_status", { order_id: "ORD-80001" }],
  ["order_get_status", { order_id: "ORD-80001" }],
];

const RIDE: readonly [string, JsonObject?][] = [
  ["location_search", { query: "mall" }],
  ["reverse_geocode", HOME],
  ["ride_book", { fareId: "FARE-05-GO", paymentMethodId: "PM-1001" }],
  ["ride_get_status", { rideId: "RIDE-90001" }],
];

using project = makeWholeProject();
await using server = await startServer(["--project", project.directory]);
await using shown = await startConsole(project);
await project.run(["scenario", "checkout_place_order", "card-declined", "--times", "1"]);
await project.run(["scenario", "order_get_status", "preparing", "on-the-way", "delivered"]);
await make("codex", RIDE);
await make("claude-code", ORDER);

const browser = await launch();
try {
  await shoot("console-light", "light", "#/calls", async (page) => {
    await page.getByRole("link", { name: "food_merchant_search" }).first().click();
    await page.getByText("Do it again").waitFor();
  });
  await shoot("console-dark", "dark", "#/calls?as=journey", async (page) => {
    await page.locator(".stops li").nth(4).scrollIntoViewIfNeeded();
    await page.locator(".point").nth(4).click();
    await page.getByText("Do it again").waitFor();
  });
} finally {
  await browser.close();
}

/** Makes calls as a client does. */
async function make(name: string, calls: typeof ORDER): Promise<void> {
  await using client = await connectClient(server.url, name);
  for (const [tool, args] of calls) await client.call(tool, args).catch(() => {});
}

/** Takes one picture. */
async function shoot(
  name: string,
  scheme: "light" | "dark",
  hash: string,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  await using opened = await openPage(browser, `${shown.url}${hash}`, { scheme, height: 720 });
  await opened.page.getByText("Live", { exact: true }).waitFor();
  await show(opened.page);
  await opened.page.mouse.move(640, 20);
  await opened.page.waitForTimeout(500);
  await opened.page.screenshot({ path: join(ROOT, "docs", "images", `${name}.png`) });
}
