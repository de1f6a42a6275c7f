import assert from "node:assert/strict";
import { initialize } from "../../lib/mcp/handshake.ts";
import { makeTwin } from "./_twin.ts";

Deno.test("a session has the version that was asked for, or else the newest", () => {
  const { twin } = makeTwin([]);
  for (const protocolVersion of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
    assert.deepEqual(initialize({ protocolVersion }, twin.appearance), {
      protocolVersion,
      capabilities: { logging: {}, resources: { listChanged: true }, tools: { listChanged: true } },
      serverInfo: { name: twin.appearance.name, version: twin.appearance.version },
    });
  }
  // The TypeScript SDK knows the second last, and sessions ended before the last.
  for (const protocolVersion of [null, "", "1.0", "2024-10-07", "2026-07-28"]) {
    assert.equal(initialize({ protocolVersion }, twin.appearance).protocolVersion, "2025-11-25");
  }
  assert.equal(initialize({}, twin.appearance).protocolVersion, "2025-11-25");
});
