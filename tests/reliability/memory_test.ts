import assert from "node:assert/strict";
import { ROOT, startServer } from "../support/program.ts";
import { LONG } from "./_long.ts";
import { assertServes, deleteSession, initialize, residentMemory } from "./_wire.ts";

const SESSIONS = LONG ? 20_000 : 3_000;
const MIB = 1024 * 1024;

Deno.test(`${SESSIONS} sessions opened and abandoned leave memory flat, as do as many deleted`, async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      `--config=${ROOT}tests/deno.json`,
      "--v8-flags=--expose-gc",
      `${ROOT}tests/reliability/_session_memory.ts`,
      String(SESSIONS),
    ],
    stderr: "inherit",
  }).output();
  const { abandoned, deleted, open, perIdleSession } = JSON.parse(new TextDecoder().decode(stdout));
  console.log(`an idle session costs ${(perIdleSession / 1024).toFixed(1)} KiB of heap`);
  assert(abandoned < 2 * MIB, `${abandoned} bytes more after sessions that were abandoned`);
  assert(deleted < 2 * MIB, `${deleted} bytes more after sessions that were deleted`);
  assert.equal(open, SESSIONS, "the idle sessions that were measured are there");
  assert(perIdleSession > 0 && perIdleSession < 16 * 1024, `${perIdleSession} bytes a session`);
});

Deno.test("sessions that come and go over the wire leave the process as it was", async () => {
  await using server = await startServer(["--max-sessions", "50"]);
  const { port, pid } = server;
  /** Opens sessions, half of which are abandoned, and tells the memory after them. */
  const visit = async (count: number): Promise<number> => {
    let opened = 0;
    await Promise.all(Array.from({ length: 8 }, async () => {
      while (opened < count) {
        const session = await initialize(port);
        if (opened++ % 2 === 0) assert([204, 404].includes(await deleteSession(port, session)));
      }
    }));
    return await residentMemory(pid);
  };
  const settled = await visit(SESSIONS / 2);
  const after = await visit(SESSIONS / 2);
  // The collector takes its time, so what it holds is no measure; a leak would show in the long run.
  assert(after - settled < 96 * MIB, `${settled / MIB} MiB, then ${after / MIB} MiB`);
  await assertServes(port);
});
