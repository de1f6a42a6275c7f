import assert from "node:assert/strict";
import fc from "fast-check";
import { readLines } from "../../lib/stdio/_lines.ts";

async function lines(
  input: ReadableStream<Uint8Array>,
  limit = 1000,
  signal = new AbortController().signal,
): Promise<(string | undefined)[]> {
  return await Array.fromAsync(readLines(input, limit, signal));
}

/** The bytes of a text, cut into pieces of the given lengths. */
function stream(text: string, cuts: readonly number[] = []): ReadableStream<Uint8Array> {
  let rest = new TextEncoder().encode(text);
  const pieces = cuts.map((cut) => {
    const piece = rest.subarray(0, cut);
    rest = rest.subarray(cut);
    return piece;
  });
  return ReadableStream.from([...pieces, rest]);
}

Deno.test("lines come out as they went in, however the bytes are cut", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", " "));
  return fc.assert(fc.asyncProperty(
    fc.array(line),
    fc.boolean(),
    fc.array(fc.nat(9)),
    async (texts, ended, cuts) => {
      const expected = texts.map((text) => text.toWellFormed());
      // Without a line end after it, an empty last line is none.
      if (!ended && expected.at(-1) === "") expected.pop();
      const text = texts.join("\n") + (ended && texts.length > 0 ? "\n" : "");
      assert.deepEqual(await lines(stream(text, cuts)), expected);
    },
  ));
});

Deno.test("a byte order mark is a character like any other", async () => {
  assert.deepEqual(await lines(stream("\uFEFFa\n\uFEFFb")), ["\uFEFFa", "\uFEFFb"]);
});

Deno.test("a line of the limit is kept, a longer one is told and what follows is read", async () => {
  for (const cuts of [[], [1, 1, 1], [5, 5], [11]]) {
    const text = `${"a".repeat(10)}\n${"b".repeat(11)}\nc\n${"d".repeat(10_000)}\ne`;
    assert.deepEqual(await lines(stream(text, cuts), 10), [
      "a".repeat(10),
      undefined,
      "c",
      undefined,
      "e",
    ]);
  }
});

Deno.test("a line without end is not kept in memory", async () => {
  const piece = new Uint8Array(64 * 1024).fill(97);
  let pieces = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pieces++ < 4000) controller.enqueue(piece);
      else controller.close();
    },
  });
  const before = Deno.memoryUsage();
  assert.deepEqual(await lines(endless, 1000), [undefined]);
  const after = Deno.memoryUsage();
  // 256 MB went through.
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  assert(grown < 64 * 1024 * 1024, `${grown} bytes`);
});

Deno.test("a buffer that the stream uses again does not change a line", async () => {
  const buffer = new Uint8Array(2);
  const texts = ["ab", "cd", "e\n"];
  const reused = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = texts.shift();
      if (text === undefined) return controller.close();
      buffer.set(new TextEncoder().encode(text));
      controller.enqueue(buffer);
    },
  }, { highWaterMark: 0 });
  assert.deepEqual(await lines(reused), ["abcde"]);
});

Deno.test("reading ends when it is told to, also while it waits", async () => {
  let cancelled = false;
  const silent = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
  const controller = new AbortController();
  const reading = lines(silent, 10, controller.signal);
  controller.abort();
  assert.deepEqual(await reading, []);
  assert(cancelled);
});
