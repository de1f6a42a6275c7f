import assert from "node:assert/strict";
import { openSession } from "../../lib/server/session.ts";
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

Deno.test("requests under way when a session ends are let go", async () => {
  const { twin, replace } = makeTwin([PROBE]);
  replace("probe", () => new Promise(() => {}) as never);
  const session = openSession(twin);
  await session.receive({ id: 1, method: "initialize", params: {} });
  const pending = session.receive({ id: 2, method: "tools/call", params: { name: "probe" } });
  session.close();
  assert.equal(await pending, undefined);
});

Deno.test("requests are let go as well when a session ends before it could take them", async () => {
  const { twin } = makeTwin([PROBE]);
  const session = openSession(twin);
  const pending = session.receive({ id: 1, method: "ping" });
  session.close();
  assert.equal(await pending, undefined);
  assert.equal(await session.receive({ id: 2, method: "ping" }), undefined);
});
