import assert from "node:assert/strict";
import fc from "fast-check";
import { endOfTurn } from "../../lib/http/turn.ts";
import { serveStdio } from "../../lib/stdio/stdio.ts";
import { makeTwin, scenario, toolFile } from "../mcp/_twin.ts";

const { twin } = makeTwin([
  toolFile({ name: "echo", inputSchema: { type: "object" } }, scenario("only", "{{args.n}}")),
]);
const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} };

/** Sends messages with pauses between them, to a client that takes its time to read. */
async function exchange(
  messages: readonly object[],
  sent: (nth: number) => Promise<void>,
  read: (nth: number) => Promise<void>,
): Promise<{ lines: string[]; writes: number }> {
  let output = "";
  let writes = 0;
  const decoder = new TextDecoder();
  const input = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const [nth, message] of messages.entries()) {
        controller.enqueue(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
        await sent(nth);
      }
      controller.close();
    },
  });
  await serveStdio(twin, {
    input,
    async write(bytes) {
      await read(writes++);
      output += decoder.decode(bytes, { stream: true });
    },
  });
  assert(output.endsWith("\n"));
  return { lines: output.slice(0, -1).split("\n"), writes };
}

function calls(count: number): object[] {
  const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: INITIALIZE };
  return [
    initialize,
    ...Array.from({ length: count }, (_, nth) => ({
      jsonrpc: "2.0",
      id: nth + 1,
      method: "tools/call",
      params: { name: "echo", arguments: { n: nth + 1 } },
    })),
  ];
}

/** Pauses that end in any order with what else is going on. */
const PAUSES = fc.array(fc.record({ turns: fc.nat(2), steps: fc.nat(40) }), { minLength: 1 });

Deno.test("every request gets its own answer, whenever it comes and however slowly it is read", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(80), PAUSES, async (count, pauses) => {
      const pause = async (nth: number): Promise<void> => {
        const { turns, steps } = pauses[nth % pauses.length]!;
        for (let turn = 0; turn < turns; turn++) await endOfTurn();
        for (let step = 0; step < steps; step++) await null;
      };
      const { lines } = await exchange(calls(count), pause, pause);
      const answers = lines.map((line) => JSON.parse(line));
      answers.sort((a, b) => a.id - b.id);
      assert.deepEqual(
        answers.map(({ id }) => id),
        Array.from({ length: count + 1 }, (_, n) => n),
      );
      for (const { id, result } of answers.slice(1)) {
        assert.equal(result.content[0].text, `${id}`);
      }
    }),
  ));

Deno.test("an answer that comes just when the one before it is written is written, too", async () => {
  for (let turns = 0; turns < 5; turns++) {
    for (let steps = 0; steps < 50; steps++) {
      const { lines } = await exchange(calls(1), () => Promise.resolve(), async () => {
        for (let turn = 0; turn < turns; turn++) await endOfTurn();
        for (let step = 0; step < steps; step++) await null;
      });
      assert.equal(lines.length, 2, `after ${turns} turns and ${steps} steps`);
    }
  }
});

Deno.test("answers that come while others are read are written together", async () => {
  const { lines, writes } = await exchange(calls(50), () => Promise.resolve(), endOfTurn);
  assert.equal(lines.length, 51);
  assert(writes < 10, String(writes));
});

Deno.test("what is cut comes after whole lines, and nothing comes after it", async () => {
  const { twin, force } = makeTwin([
    toolFile({ name: "echo", inputSchema: { type: "object" } }, scenario("only", "{{args.n}}")),
  ]);
  force("echo", [null, null, { fault: "cut" }]);
  const input = async function* (): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (const one of calls(6)) {
      yield new TextEncoder().encode(`${JSON.stringify(one)}\n`);
      for (let turn = 0; turn < 3; turn++) await endOfTurn();
    }
  };
  let output = "";
  const endedWell = await serveStdio(twin, {
    input: ReadableStream.from(input()),
    async write(bytes) {
      for (const half of [bytes.slice(0, 20), bytes.slice(20)]) {
        // So slow that other answers come meanwhile.
        for (let turn = 0; turn < 10; turn++) await endOfTurn();
        output += new TextDecoder().decode(half);
      }
    },
  });
  assert.equal(endedWell, false);
  const lines = output.split("\n");
  const half = lines.pop()!;
  assert.match(half, /^\{"jsonrpc":"2\.0","id":\d,"result"[^}]*$/);
  assert.deepEqual(lines.map((line) => JSON.parse(line).id), [0, 1, 2]);
});
