import { goQuote } from "../go/format.ts";
import type { Incoming } from "../mcp/messages.ts";
import { HEADER_MISMATCH, INVALID_PARAMS, META, SESSIONLESS_VERSION } from "../mcp/protocol.ts";
import { refuse, refuseRpc } from "./refuse.ts";

/**
 * Refuses what a client of the sessionless protocol (2026-07-28 and later) sends to a server with
 * sessions, as the Go SDK does: everything but `server/discover`, and that, too, unless its headers
 * and its `_meta` agree.
 *
 * Source: go-sdk, `servePOST` (mcp/streamable.go) and `validateMcpHeaders`
 * (mcp/streamable_headers.go).
 *
 * @param message The request or notification.
 * @param headers The headers it came with.
 * @param version The protocol version the request counts as.
 * @returns The refusal, or `undefined` when the message may pass.
 */
export function refuseSessionless(
  message: Incoming,
  headers: Headers,
  version: string,
): Response | undefined {
  const named = message.version;
  if (message.method !== "server/discover") {
    return refuse(
      400,
      `Bad Request: protocol version ${goQuote(version)} is only supported on stateless HTTP ` +
        "servers (set StreamableHTTPOptions.Stateless = true)",
    );
  }
  const header = headers.get("mcp-protocol-version") ?? "";
  if (header === "") {
    const text =
      `Mcp-Protocol-Version header is required for requests carrying "${META.protocolVersion}"`;
    return refuseRpc(message, HEADER_MISMATCH, text);
  }
  if (named === "") {
    const text = `missing or invalid _meta field "${META.protocolVersion}"`;
    return refuseRpc(message, INVALID_PARAMS, text);
  }
  if (header !== named) {
    const text = `Mcp-Protocol-Version header ${goQuote(header)} does not match request ` +
      `${META.protocolVersion} ${goQuote(named)}`;
    return refuseRpc(message, HEADER_MISMATCH, text);
  }
  return header < SESSIONLESS_VERSION ? undefined : checkMethodHeader(message, headers);
}

function checkMethodHeader(message: Incoming, headers: Headers): Response | undefined {
  const named = headers.get("mcp-method") ?? "";
  if (named === "") {
    return refuseRpc(message, HEADER_MISMATCH, "missing required Mcp-Method header");
  }
  if (named === message.method) return undefined;
  const text = `header mismatch: Mcp-Method header value '${named}' does not match body value ` +
    `'${message.method}'`;
  return refuseRpc(message, HEADER_MISMATCH, text);
}
