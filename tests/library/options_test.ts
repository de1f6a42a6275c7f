import assert from "node:assert/strict";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { call, casesOf, failureOf, readLibrary } from "./_library.ts";

// What the menus offer, the cart takes: every option with what its dish needs beside it, and
// nothing that the dish does not have.

interface Group {
  readonly min: number;
  readonly max: number;
  readonly options: readonly string[];
}

const library = readLibrary();
const dishes = casesOf(library, "food_get_item_details")
  .map(({ answer }) => isJsonObject(answer) ? answer.item : undefined).filter(isJsonObject);

Deno.test("the cart takes each option of each dish, and no other", async (t) => {
  assert(dishes.length > 30);
  for (const dish of dishes) {
    await t.step(String((dish.name as JsonObject).value), () => {
      const add = (options: readonly string[]): JsonObject => addTo(dish, options);
      const groups = groupsOf(dish);
      const needed = groups.filter(({ min }) => min > 0);
      const base = needed.flatMap(({ options, min }) => options.slice(0, min));
      if (!dish.available) {
        assert.match(failureOf(add(base))!, /sold out$|closed/);
        return;
      }
      assert.deepEqual((add(base).added as JsonObject | undefined)?.options, base);
      for (const group of groups) {
        const others = base.filter((option) => !group.options.includes(option));
        for (const option of group.options) {
          const chosen = [...others, option];
          const { added, error } = add(chosen);
          assert.deepEqual((added as JsonObject | undefined)?.options, chosen, String(error));
        }
        if (group.min > 0) assert.match(failureOf(add(others))!, new RegExp(group.options[0]!));
        if (group.max === 1 && group.min === 1) {
          assert.match(failureOf(add([...others, ...group.options]))!, /takes one/);
        }
      }
      assert.notEqual(failureOf(add(["OP-9999999-11"])), undefined, "an option of no dish");
    });
  }
});

function addTo(
  { id = null, restaurant_id = null }: JsonObject,
  options: readonly string[],
): JsonObject {
  const args = { merchant_id: restaurant_id, item_id: id, quantity: 2, options: [...options] };
  const reply = call(library, "cart_add_item", args);
  assert(typeof reply !== "string" && isJsonObject(reply.answer), String(reply));
  return reply.answer;
}

function groupsOf({ option_groups }: JsonObject): Group[] {
  assert(Array.isArray(option_groups));
  return option_groups.filter(isJsonObject).map(({ min, max, options }) => ({
    min: Number(min),
    max: Number(max),
    options: (options as JsonObject[]).map(({ id }) => String(id)),
  }));
}
