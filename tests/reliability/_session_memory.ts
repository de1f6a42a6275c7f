// Opens sessions in memory, without a network between, and prints what they cost as JSON.
// Started by memory_test.ts with V8's collector at hand: `deno run --v8-flags=--expose-gc`.
import { keepSessions } from "../../lib/http/sessions.ts";
import { serveStreamable, type StreamableSession } from "../../lib/http/streamable.ts";
import { makeTwin } from "../mcp/_twin.ts";
import { probeText } from "./_tools.ts";
import { INITIALIZE, POST_HEADERS, toolCall } from "./_wire.ts";

const SESSIONS = Number(Deno.args[0]);
const collect = (globalThis as unknown as { gc(): void }).gc;
const { twin, calls } = makeTwin([probeText(0)]);

async function send(sessions: ReturnType<typeof keep>, init: RequestInit): Promise<Response> {
  return await serveStreamable(new Request("http://127.0.0.1/mcp", init), twin, sessions);
}

function keep(max: number) {
  return keepSessions<StreamableSession>({ idleMs: 3_600_000, max });
}

/** Opens a session, asks in it, and leaves it. */
async function visit(sessions: ReturnType<typeof keep>): Promise<string> {
  const opened = await send(sessions, {
    method: "POST",
    headers: POST_HEADERS,
    body: JSON.stringify(INITIALIZE),
  });
  await opened.text();
  const id = opened.headers.get("mcp-session-id")!;
  const headers = { ...POST_HEADERS, "mcp-session-id": id };
  const body = JSON.stringify(toolCall({ name: "probe" }));
  await (await send(sessions, { method: "POST", headers, body })).text();
  calls.length = 0;
  return id;
}

async function used(): Promise<number> {
  // A turn, so that what waits for the end of this one is let go.
  await new Promise((resume) => setTimeout(resume, 10));
  collect();
  return Deno.memoryUsage().heapUsed;
}

const abandoned = keep(1000);
for (let count = 0; count < 1500; count++) await visit(abandoned);
const full = await used();
for (let count = 0; count < SESSIONS; count++) await visit(abandoned);
const afterAbandoned = await used();
abandoned.endAll();

const deleted = keep(1000);
const empty = await used();
for (let count = 0; count < SESSIONS; count++) {
  const id = await visit(deleted);
  await send(deleted, { method: "DELETE", headers: { "mcp-session-id": id } });
}
const afterDeleted = await used();

const idle = keep(SESSIONS);
for (let count = 0; count < SESSIONS; count++) await visit(idle);
const afterIdle = await used();
const open = idle.size;
idle.endAll();

console.log(JSON.stringify({
  abandoned: afterAbandoned - full,
  deleted: afterDeleted - empty,
  open,
  perIdleSession: (afterIdle - afterDeleted) / SESSIONS,
}));
Deno.exit(0);
