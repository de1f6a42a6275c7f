import { isJsonObject, type JsonObject } from "../json.ts";
import { methodNotFound } from "./admission.ts";
import { INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION } from "./rpc_error.ts";
import { CAPABILITIES, type Twin } from "./twin.ts";

/** The `_meta` members by which a request of the sessionless protocol names its own terms. */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
} as const;

/** The first protocol version without sessions. Production, a server with sessions, knows of it. */
export const SESSIONLESS_VERSION = "2026-07-28";

/** The versions that a session can have, newest first. */
export const SESSION_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** All versions that the Go SDK knows, newest first. */
export const KNOWN_VERSIONS = [SESSIONLESS_VERSION, ...SESSION_VERSIONS];

/**
 * Answers `server/discover`, with which a client of the sessionless protocol asks what it may
 * speak: sessions, at this server.
 *
 * Source: go-sdk, `Server.discover` and `validateRequestMeta` (mcp/server.go, mcp/shared.go).
 *
 * @param params The request's `_meta` as `meta`.
 * @param twin The server.
 * @returns The versions with sessions, and the capabilities.
 * @throws {RpcError} When the request does not follow the sessionless protocol.
 */
export function discover(params: JsonObject, { appearance }: Twin): JsonObject {
  const meta = isJsonObject(params.meta) ? params.meta : {};
  const version = meta[META.protocolVersion];
  if (typeof version !== "string" || version < SESSIONLESS_VERSION) {
    throw methodNotFound("server/discover");
  }
  if (Object.hasOwn(meta, META.clientInfo) && !isJsonObject(meta[META.clientInfo])) {
    throw new RpcError(INVALID_PARAMS, `invalid _meta field "${META.clientInfo}"`);
  }
  if (!isJsonObject(meta[META.clientCapabilities])) {
    const message = `missing or invalid _meta field "${META.clientCapabilities}"`;
    throw new RpcError(INVALID_PARAMS, message);
  }
  if (!KNOWN_VERSIONS.includes(version)) {
    const data = { supported: KNOWN_VERSIONS, requested: version };
    throw new RpcError(UNSUPPORTED_VERSION, "unsupported protocol version", data);
  }
  const { name, version: serverVersion } = appearance;
  return {
    resultType: "complete",
    _meta: { [META.serverInfo]: { name, version: serverVersion } },
    ttlMs: 0,
    cacheScope: "public",
    supportedVersions: SESSION_VERSIONS,
    capabilities: CAPABILITIES,
  };
}
