import type { JsonObject } from "../json.ts";

/** The JSON-RPC codes that production uses. */
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;
export const PARSE_ERROR = -32700;
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;
/** What the Go SDK sends for an error that has no code of its own. */
export const NO_CODE = 0;

/** The first protocol version without sessions. Production, a server with sessions, knows of it. */
export const SESSIONLESS_VERSION = "2026-07-28";

/** The versions that a session can have, newest first. */
export const SESSION_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** All versions that the Go SDK knows, newest first. */
export const KNOWN_VERSIONS = [SESSIONLESS_VERSION, ...SESSION_VERSIONS];

/** The `_meta` members by which a request of the sessionless protocol names its own terms. */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
} as const;

/**
 * An error that a client sees as it is. The SDK passes the code, message and data of any thrown
 * error with a numeric `code` on; its own `McpError` would put "MCP error -32602:" before the
 * message, which a Go server does not.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";

  /**
   * @param code The JSON-RPC error code.
   * @param message The message, sent verbatim.
   * @param data What to send as `data`, if anything.
   */
  constructor(readonly code: number, message: string, readonly data?: JsonObject) {
    super(message);
  }
}
