import assert from "node:assert/strict";
import { newSessionId } from "../../lib/go/session_id.ts";

Deno.test("session ids are 26 characters of base32 and never the same", () => {
  const ids = Array.from({ length: 5000 }, newSessionId);
  for (const id of ids) assert.match(id, /^[A-Z2-7]{26}$/);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("every character of a session id is as likely as any other", () => {
  const counts = new Map<string, number>();
  for (let id = 0; id < 4000; id++) {
    for (const char of newSessionId()) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  assert.equal(counts.size, 32);
  // 3250 of each are expected; chance leaves this range once in millions of runs.
  for (const [char, count] of counts) assert(count > 2950 && count < 3550, `${char}: ${count}`);
});

Deno.test("session ids come from the cryptographic source", () => {
  const original = crypto.getRandomValues;
  crypto.getRandomValues = ((bytes: Uint8Array) => bytes.fill(31)) as typeof original;
  try {
    assert.equal(newSessionId(), "7".repeat(26));
  } finally {
    crypto.getRandomValues = original;
  }
});
