import assert from "node:assert/strict";
import fc from "fast-check";
import { closest, didYouMean } from "../../lib/suggest.ts";

const TOOLS = [
  "cart_add_item",
  "cart_get_basket",
  "cart_remove_item",
  "food_get_restaurant_menu",
  "food_merchant_search",
  "ride_book",
  "ride_get_status",
];

Deno.test("a slip of the pen finds the word that was meant, parts of a name find the name", () => {
  const cases: [string, string[]][] = [
    ["ride_bok", ["ride_book"]],
    ["rdie_book", ["ride_book"]],
    ["RIDE-BOOK", ["ride_book"]],
    ["ridebook", ["ride_book"]],
    ["cart_get_bascet", ["cart_get_basket"]],
    ["food_mercant_serch", ["food_merchant_search"]],
    ["menu", ["food_get_restaurant_menu"]],
    ["restaurant_menu", ["food_get_restaurant_menu"]],
    ["item cart", ["cart_add_item", "cart_remove_item"]],
    ["ride", ["ride_book", "ride_get_status"]],
    ["pay_pal", []],
    ["ook", []],
    ["x", []],
    ["", []],
  ];
  for (const [word, expected] of cases) assert.deepEqual(closest(word, TOOLS), expected, word);
});

Deno.test("at most three guesses are offered, as the end of a sentence", () => {
  assert.equal(
    didYouMean("cat", ["bat", "hat", "rat", "mat"]),
    ", did you mean `bat`, `hat` or `rat`?",
  );
  assert.equal(didYouMean("cat", ["bat", "hat"]), ", did you mean `bat` or `hat`?");
  assert.equal(didYouMean("cat", ["bat"]), ", did you mean `bat`?");
  assert.equal(didYouMean("cat", ["dog"]), "");
});

Deno.test("one wrong, missing, added or swapped letter is always found in a word of five or more", () => {
  const word = fc.stringMatching(/^[a-z]{5,20}$/);
  fc.assert(fc.property(word, fc.nat(), fc.nat(3), (meant, seed, slip) => {
    const at = seed % (meant.length - 1);
    const [before, after] = [meant.slice(0, at), meant.slice(at)];
    const written = [
      `${before}q${after.slice(1)}`,
      before + after.slice(1),
      `${before}q${after}`,
      before + after[1] + after[0] + after.slice(2),
    ][slip]!;
    assert.deepEqual(closest(written, [meant, "0000000000000000000000000"]), [meant], written);
  }));
});

Deno.test("two slips in a short word make another word, which is not guessed at", () => {
  const commands = ["start", "scenarios", "scenario", "reset", "check", "call"];
  for (const word of ["test", "set", "best"]) assert.deepEqual(closest(word, commands), [], word);
  assert.deepEqual(closest("strat", commands), ["start"]);
});
