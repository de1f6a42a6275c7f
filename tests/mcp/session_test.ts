import assert from "node:assert/strict";
import * as SDK_LINK from "../../lib/mcp/sdk_link.ts";
import { openSession } from "../../lib/mcp/session.ts";
import { makeTwin, scenario, toolFile } from "./_twin.ts";

const PROBE = toolFile({ name: "probe", inputSchema: { type: "object" } }, scenario("only", "{}"));

Deno.test("no message can leave a request without an answer", async () => {
  const { twin } = makeTwin([PROBE]);
  const session = openSession(twin);
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} };
  await session.receive({ id: 1, method: "initialize", params: initialize });
  const params = [
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
        const reply = await session.receive({ id, method, params: given });
        assert.equal(reply?.id, id, `${method} ${JSON.stringify(given)}`);
      }
    }
  }
  session.close();
});

Deno.test("initialize is answered without the SDK, which is loaded once for all other requests", async () => {
  const { twin } = makeTwin([PROBE]);
  const sdk = Promise.withResolvers<typeof SDK_LINK>();
  let loads = 0;
  const session = openSession(twin, () => {
    loads++;
    return sdk.promise;
  });
  const replied = await session.receive({ id: 1, method: "initialize", params: {} });
  assert(replied !== undefined && "result" in replied && session.initialized);
  assert.equal(loads, 0);
  await new Promise((resume) => setTimeout(resume, 50));
  assert.equal(loads, 1);

  const replies = [2, 3].map((id) => session.receive({ id, method: "ping" }));
  assert.equal(await Promise.race([...replies, "none yet"]), "none yet");
  sdk.resolve(SDK_LINK);
  assert.deepEqual(
    await Promise.all(replies),
    [2, 3].map((id) => ({ jsonrpc: "2.0", id, result: {} })),
  );
  assert.equal(loads, 1);
  session.close();
});

Deno.test("an SDK that cannot be loaded fails the requests that need it, and nothing else", async () => {
  const { twin, notes } = makeTwin([PROBE]);
  const session = openSession(twin, () => Promise.reject(new Error("no such module")));
  const replied = await session.receive({ id: 1, method: "initialize", params: {} });
  assert(replied !== undefined && "result" in replied);
  await new Promise((resume) => setTimeout(resume, 50));
  assert.deepEqual(await session.receive({ id: 2, method: "ping" }), {
    jsonrpc: "2.0",
    id: 2,
    error: { code: -32603, message: "internal error" },
  });
  assert.deepEqual(notes, ["request failed: no such module"]);
  session.close();
});

Deno.test("requests under way when a session ends are let go", async () => {
  const { twin, replace } = makeTwin([PROBE]);
  replace("probe", () => new Promise(() => {}) as never);
  const session = openSession(twin);
  await session.receive({ id: 1, method: "initialize", params: {} });
  await session.receive({ id: 2, method: "ping" });
  const pending = session.receive({ id: 3, method: "tools/call", params: { name: "probe" } });
  session.close();
  assert.equal(await pending, undefined);
});

Deno.test("a session that ends with its handshake never loads the SDK", async () => {
  const { twin } = makeTwin([PROBE]);
  let loads = 0;
  const session = openSession(twin, () => {
    loads++;
    return Promise.resolve(SDK_LINK);
  });
  await session.receive({ id: 1, method: "initialize", params: {} });
  session.close();
  await new Promise((resume) => setTimeout(resume, 50));
  assert.equal(loads, 0);
});

Deno.test("a session that ends while the SDK is loaded leaves nothing open", async () => {
  const { twin } = makeTwin([PROBE]);
  let open = 0;
  const session = openSession(twin, () =>
    Promise.resolve({
      async linkToSdk(answer) {
        const link = await SDK_LINK.linkToSdk(answer);
        open++;
        return {
          ...link,
          close() {
            open--;
            link.close();
          },
        };
      },
    }));
  const pending = session.receive({ id: 1, method: "ping" });
  session.close();
  assert.equal(await pending, undefined);
  assert.equal(open, 0);
  assert.equal(await session.receive({ id: 2, method: "ping" }), undefined);
});
