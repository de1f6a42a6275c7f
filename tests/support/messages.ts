import type { JsonObject } from "../../lib/json.ts";

/** A client's `initialize` request. */
export const INITIALIZE: JsonObject = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "tester", version: "1" },
  },
};
