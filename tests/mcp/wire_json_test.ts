import assert from "node:assert/strict";
import fc from "fast-check";
import { bodyOf, encode, encodedOnce } from "../../lib/wire_json.ts";

const TEXT = fc.oneof(
  fc.constantFrom("", "{", "é", "مطعم ".repeat(200), "x".repeat(600), "😀"),
  fc.string({ unit: "grapheme" }),
);

Deno.test("parts make the text that they are made of, however they are sent", () =>
  fc.assert(fc.asyncProperty(fc.array(TEXT), async (texts) => {
    const text = texts.join("");
    for (const parts of [texts, texts.map(encodedOnce)]) {
      assert.equal(new TextDecoder().decode(encode(parts)), text);
      assert.equal(await new Response(bodyOf(parts)).text(), text);
    }
  })));

Deno.test("text is encoded beforehand where that takes long", () => {
  assert.equal(encodedOnce("é"), "é");
  assert.deepEqual(encodedOnce("م"), new TextEncoder().encode("م"));
});
