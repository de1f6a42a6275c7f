import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { type Incoming, readPayload } from "../../lib/mcp/messages.ts";
import { type Method, METHODS } from "../../lib/mcp/methods.ts";
import { openSession, type Session } from "../../lib/mcp/session.ts";
import { encode } from "../../lib/wire_json.ts";
import { makeTwin, scenario, toolFile } from "./_twin.ts";

const PROBE = toolFile({ name: "probe", inputSchema: { type: "object" } }, scenario("only", "{}"));

function message(content: JsonObject): Incoming {
  return readPayload(JSON.stringify({ jsonrpc: "2.0", ...content })).messages[0]!;
}

/** What a session answers, as a client reads it. */
async function ask(session: Session, content: JsonObject, gone?: () => AbortSignal) {
  const answer = await session.receive(message(content), gone);
  return answer && JSON.parse(new TextDecoder().decode(encode(answer)));
}

function cancel(session: Session, params: JsonValue): void {
  session.receive(message({ method: "notifications/cancelled", params }));
}

/** An open session in which a call waits until it is cancelled, and what became of those calls. */
async function openWaiting(): Promise<{ session: Session; calls: AbortSignal[] }> {
  const calls: AbortSignal[] = [];
  const wait: Method = async (_params, _twin, exchange) => {
    const signal = exchange.signal();
    calls.push(signal);
    while (!signal.aborted) await arrived();
    if (signal.reason === "fail") throw new Error("broken");
    return { said: String(signal.reason) };
  };
  const session = openSession(makeTwin([]).twin, {}, { ...METHODS, "tools/call": wait });
  await ask(session, { id: 0, method: "initialize", params: {} });
  await ask(session, { id: 0, method: "ping" });
  return { session, calls };
}

const CALL = { method: "tools/call", params: { name: "probe" } };

/** Lets what was sent arrive. */
const arrived = (): Promise<void> => new Promise((resume) => setTimeout(resume, 5));

Deno.test("no message can leave a request without an answer", async () => {
  const { twin } = makeTwin([PROBE]);
  const session = openSession(twin, {});
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} };
  await ask(session, { id: 1, method: "initialize", params: initialize });
  const params: JsonObject[] = [
    { _meta: { progressToken: { a: 1 } } },
    { _meta: { progressToken: 1.5, "io.modelcontextprotocol/related-task": 5 } },
    { task: 5 },
    { task: { ttl: 1 } },
    JSON.parse('{"__proto__": {"a": 1}, "constructor": 5}'),
  ];
  const methods = ["ping", "tools/list", "tools/call", "server/discover", "resources/read"];
  for (const method of methods) {
    for (const value of params) {
      for (const id of [0, -1, 1e300, 2 ** 60, "", "x"]) {
        const given = method === "tools/call" ? { name: "probe", ...value } : value;
        const answer = await ask(session, { id, method, params: given });
        // What Go's int64 makes of it.
        const expected = id === 1e300 ? -(2 ** 63) : id;
        assert.equal(answer?.id, expected, `${method} ${JSON.stringify(given)}`);
      }
    }
  }
  session.close();
});

Deno.test("a request that a client cancels has its handler know, and gets the handler's answer", async () => {
  const { session, calls } = await openWaiting();
  const answers = [7, "7", 8].map((id) => ask(session, { id, ...CALL }));
  await arrived();
  // Nothing that names no request of its client's cancels any.
  const idle = [{}, { requestId: null }, { requestId: [7] }, { requestId: 1 }, [7], "7"];
  for (const params of idle) cancel(session, params);
  // A reason that is no text makes the whole notification unreadable, as in the Go SDK.
  cancel(session, { requestId: 7, reason: 5 });
  await arrived();
  assert.deepEqual(calls.map(({ aborted }) => aborted), [false, false, false]);

  cancel(session, { requestId: 7.9, reason: "too slow" });
  cancel(session, { requestId: 8, reason: "fail" });
  assert.deepEqual(await answers[0], { jsonrpc: "2.0", id: 7, result: { said: "too slow" } });
  assert.deepEqual(await answers[2], {
    jsonrpc: "2.0",
    id: 8,
    error: { code: -32603, message: "internal error" },
  });
  assert.deepEqual(calls.map(({ aborted }) => aborted), [true, false, true]);
  session.close();
  assert.equal(await answers[1], undefined);
});

Deno.test("whenever a cancellation comes, the request is answered", async () => {
  const { twin } = makeTwin([PROBE]);
  const session = openSession(twin, {});
  await ask(session, { id: 0, method: "initialize", params: {} });
  for (const method of ["ping", "tools/list"]) {
    for (let steps = 0; steps < 30; steps++) {
      const answer = ask(session, { id: 1, method });
      for (let step = 0; step < steps; step++) await null;
      cancel(session, { requestId: 1 });
      assert((await answer)?.result, `${method} after ${steps} steps`);
    }
  }
  session.close();
});

Deno.test("a request that is abandoned has its handler know", async () => {
  const { session, calls } = await openWaiting();
  const gone = new AbortController();
  const answers = [1, 2].map((id) => ask(session, { id, ...CALL }, () => gone.signal));
  const other = ask(session, { id: 3, ...CALL });
  await arrived();
  gone.abort();
  await Promise.all(answers);
  await ask(session, { id: 4, ...CALL }, () => gone.signal);
  assert.deepEqual(calls.map(({ aborted }) => aborted), [true, true, false, true]);
  session.close();
  assert.equal(await other, undefined);
});

Deno.test("requests under way when a session ends are let go, and their handlers know", async () => {
  const { session, calls } = await openWaiting();
  const pending = ask(session, { id: 3, ...CALL });
  await arrived();
  session.close();
  assert.equal(await pending, undefined);
  assert.deepEqual(calls.map(({ aborted }) => aborted), [true]);
  assert.equal(await ask(session, { id: 4, ...CALL }), undefined);
});

Deno.test("a session that ends before the SDK is loaded leaves nothing waiting", async () => {
  const session = openSession(makeTwin([]).twin, {});
  const pending = ask(session, { id: 1, method: "ping" });
  session.close();
  assert.equal(await pending, undefined);
});
