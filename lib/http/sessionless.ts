import { goQuote } from "../go/format.ts";
import type { Incoming } from "../mcp/messages.ts";
import {
  HEADER_MISMATCH,
  INVALID_PARAMS,
  META,
  METHOD_NOT_FOUND,
  SESSION_VERSIONS,
  SESSIONLESS_VERSION,
  UNSUPPORTED_VERSION,
} from "../mcp/protocol.ts";
import { bodyOf, type WireJson } from "../wire_json.ts";
import { refuseRpc } from "./refuse.ts";

/**
 * Refuses what a client of the sessionless protocol (2026-07-28 and later) sends to a server with
 * sessions, as the Go SDK does: every request but `server/discover`, and that, too, unless its
 * headers and its `_meta` agree.
 *
 * Source: go-sdk, `servePOST` (mcp/streamable.go).
 *
 * @param message The request or notification.
 * @param header The protocol version that the headers name, if they do.
 * @param version The protocol version the request counts as.
 * @returns The refusal, or `undefined` when the message may pass.
 */
export function refuseSessionless(
  message: Incoming,
  header: string,
  version: string,
): Response | undefined {
  const named = message.version;
  const isNew = message.id !== undefined && version >= SESSIONLESS_VERSION;
  if (!isNew && named === "") return undefined;
  const refuse = (code: number, text: string): Response =>
    refuseRpc(message, { code, message: text });
  if (message.method !== "server/discover") {
    return refuseRpc(message, {
      code: UNSUPPORTED_VERSION,
      message: `protocol version ${goQuote(version)} is not supported by this server`,
      data: { supported: SESSION_VERSIONS, requested: version },
    });
  }
  if (header === "") {
    const text =
      `Mcp-Protocol-Version header is required for requests carrying "${META.protocolVersion}"`;
    return refuse(HEADER_MISMATCH, text);
  }
  if (named === "") {
    return refuse(INVALID_PARAMS, `missing or invalid _meta field "${META.protocolVersion}"`);
  }
  if (header === named) return undefined;
  const text = `Mcp-Protocol-Version header ${goQuote(header)} does not match request ` +
    `${META.protocolVersion} ${goQuote(named)}`;
  return refuse(HEADER_MISMATCH, text);
}

/**
 * Refuses a message whose `Mcp-Method` header is not its method.
 *
 * Source: go-sdk, `validateMcpHeaders` (mcp/streamable_headers.go). `Mcp-Name` belongs to requests
 * that are refused before.
 *
 * @param message The message, the only one of its POST.
 * @param headers The headers it came with.
 * @param version The protocol version that they name, if they do.
 * @returns The refusal, or `undefined` when the message may pass.
 */
export function checkMethodHeader(
  message: Incoming,
  headers: Headers,
  version: string,
): Response | undefined {
  if (version < SESSIONLESS_VERSION) return undefined;
  const named = headers.get("mcp-method") ?? "";
  if (named === message.method) return undefined;
  const text = named === ""
    ? "missing required Mcp-Method header"
    : `header mismatch: Mcp-Method header value '${named}' does not match body value ` +
      `'${message.method}'`;
  return refuseRpc(message, { code: HEADER_MISMATCH, message: text });
}

/** The errors that the sessionless protocol tells by a status. */
const STATUS_OF: Readonly<Record<number, number>> = {
  [METHOD_NOT_FOUND]: 404,
  [INVALID_PARAMS]: 400,
  [UNSUPPORTED_VERSION]: 400,
};

/**
 * Shows an error of the sessionless protocol as that has it: by a status, and not on a stream.
 *
 * Source: go-sdk, `extractErrorStatus` (mcp/streamable.go).
 *
 * @param answer The answer to a request.
 * @param version The protocol version that the headers name, if they do.
 * @returns The response, or `undefined` where the answer goes on a stream.
 */
export function errorResponse(answer: WireJson, version: string): Response | undefined {
  if (version < SESSIONLESS_VERSION) return undefined;
  const body = bodyOf(answer);
  const { error } = JSON.parse(String(body)) as { error?: { code: number } };
  const status = error && STATUS_OF[error.code];
  if (status === undefined) return undefined;
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-cache, no-transform",
  };
  return new Response(body, { status, headers });
}
