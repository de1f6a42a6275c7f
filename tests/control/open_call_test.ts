import assert from "node:assert/strict";
import { waitOut } from "../../lib/control/open_call.ts";

Deno.test("a delay ends by itself, and a hang with its signal", async () => {
  await waitOut({ delayMs: 1 }, new AbortController().signal);
  const signal = AbortSignal.timeout(1);
  await assert.rejects(waitOut({ fault: "hang" }, signal), {
    name: "TimeoutError",
  });
  await assert.rejects(waitOut({ delayMs: 1 }, signal), {
    name: "TimeoutError",
  });
});
