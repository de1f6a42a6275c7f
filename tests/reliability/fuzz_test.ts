import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject } from "../../lib/json.ts";
import { startServer } from "../support/program.ts";
import { assertHarmless, Gun } from "./_gun.ts";
import { shot, targetsOf } from "./_hostile.ts";
import { assertServes, initialize, messageOf, post, residentMemory } from "./_wire.ts";

/** CAREEM_MCP_FUZZ_RUNS asks for another number of requests, and for other ones each time. */
const asked = Number(Deno.env.get("CAREEM_MCP_FUZZ_RUNS") ?? 0);
const RUNS = asked || 3000;

Deno.test(`${RUNS} hostile requests: no crash, no hang, no 500, and the server still serves`, async () => {
  await using server = await startServer(["--max-sessions", "50"]);
  const { port, pid } = server;
  const opened = await initialize(port);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const { body } = await post(port, list, { "mcp-session-id": opened });
  const { tools } = messageOf(body).result as { tools: JsonObject[] };
  const gun = new Gun(port);
  const statuses = new Map<number, number>();
  let warm = 0;
  let slowest = 0;
  try {
    await fc.assert(
      fc.asyncProperty(shot(targetsOf(tools)), async (given) => {
        const started = performance.now();
        const response = await gun.fire(given);
        slowest = Math.max(slowest, performance.now() - started);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        assertHarmless(given, response);
        if (++gun.shots === Math.floor(RUNS / 2)) warm = await residentMemory(pid);
      }),
      asked ? { numRuns: RUNS } : { numRuns: RUNS, seed: 7 },
    );
  } finally {
    gun.close();
  }
  const faults = server.log().split("\n").filter((line) =>
    /^[\d:]{8} request failed|Uncaught/.test(line)
  );
  assert.deepEqual(faults, []);
  await assertServes(port);
  const memory = await residentMemory(pid);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`);
  const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
  console.log(
    `${gun.shots} requests: ${counts.join(", ")}; slowest ${Math.round(slowest)} ms; ` +
      `memory ${mib(warm)} half-way, ${mib(memory)} at the end`,
  );
  // The target is no target if most of what it sends is turned away at the door.
  assert((statuses.get(200) ?? 0) > RUNS / 5 && (statuses.get(400) ?? 0) > RUNS / 50);
  assert(memory < warm + 256 * 1024 * 1024, `${mib(warm)}, then ${mib(memory)}`);
});
