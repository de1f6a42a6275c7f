import assert from "node:assert/strict";
import { type Reading, settled } from "../../lib/store/settled.ts";

/** Looks that give, in turn, these texts; a capital one is whole, a digit tells the file's state. */
function looks(...states: readonly string[]): () => Reading & { readonly nth: number } {
  let nth = -1;
  return () => {
    const state = states[Math.min(++nth, states.length - 1)]!;
    const text = state.slice(0, 1);
    const stamp = { modified: Number(state.slice(1)), changed: 0, size: 1, inode: 1 };
    return { text, stamp, whole: text === text.toUpperCase(), nth };
  };
}

Deno.test("a text counts when it is whole, or there twice with no change between", async () => {
  const cases: [states: string[], nth: number][] = [
    [["A1"], 0],
    [["a1", "A2"], 1],
    [["a1", "a1", "A2"], 1],
    // The halves of two saves are alike.
    [["a1", "a2", "A3"], 2],
    [["a1", "b1", "A3"], 2],
    [["a1", "b2", "b2", "A3"], 2],
  ];
  for (const [states, nth] of cases) {
    const reading = settled(looks(...states));
    assert.equal(reading instanceof Promise, nth > 0);
    assert.equal((await reading).nth, nth, states.join(" "));
  }
  const restless = Array.from({ length: 100 }, (_, nth) => `a${nth}`);
  assert((await settled(looks(...restless))).nth < 20, "nobody waits for ever");
});
