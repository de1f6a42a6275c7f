/** Whether to take the time for the long runs (CAREEM_MCP_LONG=1). */
export const LONG = Deno.env.get("CAREEM_MCP_LONG") === "1";
