import assert from "node:assert/strict";
import fc from "fast-check";
import {
  asBody,
  asString,
  encodedOnce,
  isCostly,
  joined,
  type Pieces,
  startsWith,
} from "../../lib/pieces.ts";

const LONG = "مطعم ".repeat(200);

/** Pieces of all kinds, and the text they make. */
const PIECES: fc.Arbitrary<{ pieces: Pieces; text: string }> = fc.array(
  fc.oneof(
    fc.constantFrom("", "{", "é", LONG, "x".repeat(600), `{${LONG}`),
    fc.string({ unit: "grapheme" }),
  ),
).map((texts) => ({ pieces: joined(...texts.map(encodedOnce)), text: texts.join("") }));

async function bodyText(pieces: Pieces): Promise<string> {
  return await new Response(asBody(pieces)).text();
}

Deno.test("pieces make the text of their parts, however they are written", () =>
  fc.assert(fc.asyncProperty(PIECES, PIECES, async (first, second) => {
    const both = joined(first.pieces, second.pieces);
    assert.equal(asString(both), first.text + second.text);
    assert.equal(await bodyText(both), first.text + second.text);
    for (const start of ["{", "م"]) {
      assert.equal(startsWith(first.pieces, start), first.text.startsWith(start));
    }
  })));

Deno.test("only what is long and costly is encoded beforehand", () => {
  for (const text of ["", "م", "x".repeat(10_000), "é".repeat(10_000)]) assert(!isCostly(text));
  assert(isCostly(LONG));
  assert.equal(encodedOnce("é"), "é");
  assert.notEqual(typeof encodedOnce("م"), "string");
});

Deno.test("a body is not changed by those that are made before it is read", async () => {
  const responses = ["a", "b", "c"].map((name) =>
    new Response(asBody(joined(name, encodedOnce(LONG), name)))
  );
  const texts = await Promise.all(responses.map((response) => response.text()));
  assert.deepEqual(texts, ["a", "b", "c"].map((name) => name + LONG + name));
});

Deno.test("a body may be of any size", async () => {
  const million = encodedOnce("م".repeat(500_000));
  for (const pieces of [[million, million], [million, "é".repeat(500_000)], ["é", million, "é"]]) {
    const all = joined(...pieces);
    assert.equal(await bodyText(all), asString(all));
  }
});
