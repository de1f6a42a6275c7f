import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import { readFolder } from "../../lib/store/folder.ts";
import { connect, type ConnectedClient, TRANSPORTS } from "../support/client.ts";
import { ROOT } from "../support/program.ts";

// The acceptance list of docs/SPEC.md, section 9, by its numbers, over every transport with the SDK's client.

const HOME = { latitude: 25.0866, longitude: 55.1474 };
const { fixtures } = readFolder(join(ROOT, "tools"));

/** Words that would tell a client that this is not production (§7.12). */
const HINTS = /mock|sandbox|sbx|fake|dummy|example\.com/i;

for (const transport of TRANSPORTS) {
  Deno.test(`acceptance over ${transport}`, async (t) => {
    const folder = await Deno.makeTempDir();
    const overrides = join(folder, "overrides.json");
    await Deno.writeTextFile(overrides, "{}");
    try {
      await using connected = await connect(transport, ["--overrides", overrides]);
      for (const [name, check] of Object.entries(CHECKS)) {
        await t.step(name, () => check(connected, overrides));
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

const CHECKS: Record<string, (client: ConnectedClient, overrides: string) => Promise<void> | void> =
  {
    "1. the server has production's identity and no instructions"({ client }) {
      assert.deepEqual(client.getServerVersion(), {
        name: "careem-mcp-service",
        version: "v1.0.0",
      });
      assert.equal(client.getInstructions(), undefined);
      assert.deepEqual(client.getServerCapabilities(), {
        logging: {},
        resources: { listChanged: true },
        tools: { listChanged: true },
      });
    },
    async "2. the tools are listed verbatim, by name, and the widget resource is there"(
      { client },
    ) {
      const { tools } = await client.listTools();
      const names = [...fixtures.keys()].sort();
      assert.deepEqual(tools.map(({ name }) => name), names);
      for (const tool of tools) assert.deepEqual(tool, fixtures.get(tool.name)!.definition);
      const { resources } = await client.listResources();
      assert.deepEqual(resources.map(({ uri }) => uri), ["ui://careem-mcp-app"]);
      const { contents } = await client.readResource({ uri: "ui://careem-mcp-app" });
      assert.equal(contents.length, 1);
      assert.equal(contents[0]!.mimeType, "text/html;profile=mcp-app");
      assert.match(
        String((contents[0] as JsonObject).text),
        /https:\/\/careem-mcp-app\.pages\.dev\//,
      );
    },
    async "3. the menu of restaurant 30104"({ call }) {
      await expectRestaurant(call, 30104, "Morning Syrniki Café");
    },
    async "4. the menu of restaurant 30101, chosen by its id"({ call }) {
      await expectRestaurant(call, 30101, "Shawarma Station");
    },
    async "5. an unknown restaurant is a business failure"({ call }) {
      const { isError, structured } = await call("food_get_restaurant_menu", {
        restaurant_id: 1,
        ...HOME,
      });
      assert.equal(isError, false);
      assert.equal(
        structured?.error,
        "failed to get restaurant menu: unexpected response status 404",
      );
    },
    async "6. bad arguments are refused in the validator's words"({ call }) {
      const wrong = await call("food_get_restaurant_menu", { restaurant_id: "x", ...HOME });
      assert.equal(wrong.isError, true);
      assert.equal(
        wrong.text,
        'validating "arguments": validating root: validating /properties/restaurant_id: ' +
          'type: x has type "string", want "integer"',
      );
      assert.equal(wrong.structured, undefined);
      const missing = await call("food_get_restaurant_menu", {});
      assert.equal(missing.isError, true);
      assert.equal((await call("food_get_restaurant_menu")).isError, true);
    },
    async "7. searching finds by query"({ call }) {
      const found = await call("food_merchant_search", { query: "sushi", ...HOME });
      assert.equal((found.structured?.restaurants as JsonObject[])[0]?.id, 30102);
      const none = await call("food_merchant_search", { query: "NOPE", ...HOME });
      assert.deepEqual(none.structured?.restaurants, []);
      const invalid = await call("food_merchant_search", { query: "sushi", longitude: 55.1474 });
      assert.equal(invalid.isError, true);
    },
    async "8. geocoding matches exact numbers"({ call }) {
      const home = await call("reverse_geocode", HOME);
      assert.equal((home.structured?.location as JsonObject).locationUuid, "LOC-50001");
      const nowhere = await call("reverse_geocode", { latitude: 91, longitude: 55 });
      assert.equal(typeof nowhere.structured?.error, "string");
    },
    async "9. a forced scenario answers from the next call on, until it is cleared"(
      { call },
      overrides,
    ) {
      await Deno.writeTextFile(overrides, '{"food_get_restaurant_menu": "upstream-unavailable"}');
      const forced = await call("food_get_restaurant_menu", { restaurant_id: 30104, ...HOME });
      assert.equal(
        forced.structured?.error,
        "failed to get restaurant menu: unexpected response status 503",
      );
      await Deno.writeTextFile(overrides, "{}");
      await expectRestaurant(call, 30104, "Morning Syrniki Café");
    },
    async "10. an unknown tool is a JSON-RPC error"({ call }) {
      await assert.rejects(call("does_not_exist"), (error: { code: number; message: string }) => {
        assert.equal(error.code, -32602);
        assert.match(error.message, /unknown tool "does_not_exist"$/);
        return true;
      });
    },
    async "12. nothing that a client observes hints at a local copy"({ client, call }, overrides) {
      const observed: [string, unknown][] = [
        ["server", [client.getServerVersion(), client.getServerCapabilities()]],
        ["tools", await client.listTools()],
        ["resources", await client.listResources()],
        ["widget", await client.readResource({ uri: "ui://careem-mcp-app" })],
      ];
      // Each tool's most telling answers: its default, and an outage.
      for (const [tool, { scenarios }] of fixtures) {
        await Deno.writeTextFile(overrides, JSON.stringify({ [tool]: scenarios.at(-1)!.name }));
        observed.push([tool, await call(tool, {})]);
      }
      await Deno.writeTextFile(overrides, "{}");
      for (const [where, value] of observed) {
        assert.doesNotMatch(JSON.stringify(value), HINTS, where);
      }
    },
  };

async function expectRestaurant(
  call: ConnectedClient["call"],
  id: number,
  name: string,
): Promise<void> {
  const { isError, structured, text } = await call("food_get_restaurant_menu", {
    restaurant_id: id,
    ...HOME,
  });
  assert.equal(isError, false);
  const restaurant = structured?.restaurant as JsonObject;
  assert.equal(restaurant.id, id);
  assert.equal((restaurant.name as JsonObject).value, name);
  assert.deepEqual(JSON.parse(text), structured);
}
