import assert from "node:assert/strict";
import type { WrittenCall } from "../../lib/control/journal.ts";
import type { Step } from "../../lib/control/overrides.ts";
import type { WireJson } from "../../lib/wire_json.ts";
import { makeTwin, resultOf, scenario, toolFile } from "./_twin.ts";

const FILE = toolFile(
  {
    name: "ride_book",
    inputSchema: { type: "object", properties: { q: { type: "string", default: "d" } } },
  },
  scenario("near", '{"near": true}', { match: { q: "~near" } }),
  scenario("usual", '{"usual": true}'),
  scenario("failed", '{"failed": true}', { kind: "error" }),
);

/** A server whose journal is a list. */
function makeJournaled() {
  const lines: (WrittenCall & { readonly result?: string[] })[] = [];
  const { twin, force, notes } = makeTwin([FILE]);
  let count = 0;
  const journal = {
    id: () => String(++count),
    // As JSON has it, what is undefined is not there.
    write: (call: WrittenCall, result?: WireJson) =>
      void lines.push(JSON.parse(JSON.stringify({ ...call, result }))),
    flush: () => Promise.resolve(),
  };
  return { twin: { ...twin, journal }, force, notes, lines };
}

Deno.test("a list forces one step a call, and what does not exist is told", async () => {
  const { twin, force, notes } = makeJournaled();
  force("ride_book", ["NEAR", null, "gone", { scenario: "failed", times: 1 }]);
  const seen: string[] = [];
  for (let call = 0; call < 6; call++) {
    const result = await resultOf(twin, "ride_book", {});
    seen.push(result.content[0].text);
  }
  const [near, usual, failed] = ['{"near":true}', '{"usual":true}', '{"failed":true}'];
  assert.deepEqual(seen, [near, usual, usual, failed, usual, usual]);
  assert.deepEqual(notes, ["`ride_book` has no scenario `gone`, so the entry does nothing"]);
});

Deno.test("each call is a line of the journal, with why it was answered so", async () => {
  const { twin, force, lines } = makeJournaled();
  const caller = { transport: "stdio", client: { name: "c", version: "1" } } as const;
  await resultOf(twin, "ride_book", undefined, { caller });
  await resultOf(twin, "ride_book", { q: "nearby" });
  force("ride_book", "failed");
  await resultOf(twin, "ride_book", {});
  await resultOf(twin, "ride_book", { q: 5 });
  await assert.rejects(resultOf(twin, "ride_bok", { a: 1 }), /unknown tool "ride_bok"/);
  force("ride_book", { fault: 503 });
  await assert.rejects(resultOf(twin, "ride_book", {}), { name: "ForcedFault", fault: "503" });
  const [first] = lines;
  assert.equal(new Date(first!.time).toISOString(), first!.time);
  assert.deepEqual([first!.pid, typeof first!.ms], [Deno.pid, "number"]);
  const rest = lines.map(({ time: _time, pid: _pid, ms: _ms, result, ...call }) => ({
    ...call,
    ...(result !== undefined && { text: JSON.parse(result.join("")).content[0].text }),
  }));
  const invalid =
    'validating "arguments": validating root: validating /properties/q: type: 5 has ' +
    'type "integer", want "string"';
  const tool = "ride_book";
  const args = { q: "d" };
  assert.deepEqual(rest, [
    {
      ...{ id: "1", ...caller, tool, arguments: args, scenario: "usual", isError: false },
      ...{ why: "default", text: '{"usual":true}' },
    },
    {
      ...{ id: "2", tool, arguments: { q: "nearby" }, scenario: "near", isError: false },
      ...{ why: "rule", rule: { q: "~near" }, text: '{"near":true}' },
    },
    {
      ...{ id: "3", tool, arguments: args, scenario: "failed", isError: true },
      ...{ why: "forced", text: '{"failed":true}' },
    },
    {
      ...{ id: "4", tool, arguments: { q: 5 }, why: "invalid", problem: invalid, isError: true },
      text: invalid,
    },
    {
      ...{ id: "5", tool: "ride_bok", arguments: { a: 1 }, why: "unknown-tool" },
      problem: 'unknown tool "ride_bok"',
    },
    {
      ...{ id: "6", tool, arguments: {}, why: "fault", fault: "503" },
      problem: "fault 503, as forced",
    },
  ]);
});

Deno.test("a call that waits is seen at once, and ends when its client does not wait any more", async () => {
  const { twin, force, lines } = makeJournaled();
  const caught = async (step: Record<string, string>): Promise<[number, unknown]> => {
    force("ride_book", step);
    const started = performance.now();
    const signal = AbortSignal.timeout(60);
    const { content } = await resultOf(twin, "ride_book", { q: "x" }, { signal: () => signal });
    const outcome = content[0].text;
    return [performance.now() - started, outcome];
  };
  const ofLast = (): Partial<WrittenCall>[] => {
    const { id } = lines.at(-1)!;
    return lines.filter((call) => call.id === id)
      .map(({ pending, fault, delayMs, why, ms }) => ({
        ...(pending && { pending }),
        ...(why && { why }),
        ...(fault && { fault }),
        ...(delayMs && { delayMs }),
        ...(ms !== undefined && { ms: 0 }),
      }));
  };
  const [delayed, answer] = await caught({ delay: "20ms" });
  assert(delayed >= 19 && answer === '{"usual":true}', `${delayed} ${answer}`);
  assert.deepEqual(ofLast(), [{ pending: true, delayMs: 20 }, {
    ...{ why: "default", delayMs: 20, ms: 0 },
  }]);
  const [cancelled, canceled] = await caught({ delay: "10s" });
  assert(cancelled < 5_000 && canceled === "context canceled", `${cancelled} ${canceled}`);
  assert.deepEqual(ofLast()[1]?.why, "error");
  const [hung, reason] = await caught({ fault: "hang" });
  assert(hung >= 50 && hung < 5_000 && reason === "context canceled", `${hung} ${reason}`);
  assert.deepEqual(ofLast(), [
    { pending: true, fault: "hang" },
    { why: "fault", fault: "hang", ms: 0 },
  ]);
});

Deno.test("ten thousand calls can wait, and others are answered meanwhile", async () => {
  const { twin, force } = makeJournaled();
  const hang: { fault: Step["fault"] & string } = { fault: "hang" };
  force("ride_book", hang);
  const client = new AbortController();
  const waiting = Array.from(
    { length: 10_000 },
    () =>
      resultOf(twin, "ride_book", {}, { signal: () => client.signal })
        .then(({ content }) => content[0].text),
  );
  await new Promise((resume) => setTimeout(resume, 20));
  force("ride_book", "");
  const result = await resultOf(twin, "ride_book", {});
  assert.deepEqual(result.structuredContent, { usual: true });
  client.abort();
  const outcomes = await Promise.all(waiting);
  assert(outcomes.every((outcome) => outcome === "context canceled"));
});
