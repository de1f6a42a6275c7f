import type {
  Implementation,
  InitializeResult,
  Result,
  ServerCapabilities,
} from "@modelcontextprotocol/sdk/types";
import { isJsonObject, type JsonObject } from "../json.ts";
import { methodNotFound } from "./admission.ts";
import {
  INVALID_PARAMS,
  KNOWN_VERSIONS,
  META,
  RpcError,
  SESSION_VERSIONS,
  SESSIONLESS_VERSION,
  UNSUPPORTED_VERSION,
} from "./protocol.ts";
import type { Appearance } from "./twin.ts";

/** What the Go SDK declares for a server with tools and resources. */
const CAPABILITIES: ServerCapabilities = {
  logging: {},
  resources: { listChanged: true },
  tools: { listChanged: true },
};

/**
 * Answers `initialize`, with which a client opens a session.
 *
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle and go-sdk,
 * `negotiatedVersion` (mcp/shared.go).
 *
 * @param params The request's params; they have passed admission.
 * @param appearance Who the server is.
 * @returns The version that was asked for, or else the newest; what the server can do, and who it is.
 */
export function initialize(
  { protocolVersion }: JsonObject,
  appearance: Appearance,
): InitializeResult {
  return {
    protocolVersion: SESSION_VERSIONS.find((known) => known === protocolVersion) ??
      SESSION_VERSIONS[0]!,
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(appearance),
  };
}

/**
 * Answers `server/discover`, with which a client of the sessionless protocol asks what it may
 * speak: sessions, at this server.
 *
 * Source: go-sdk, `Server.discover` and `validateRequestMeta` (mcp/server.go, mcp/shared.go).
 *
 * @param params The request's params; they have passed admission.
 * @param appearance Who the server is.
 * @returns The versions with sessions, and the capabilities.
 * @throws {RpcError} When the request does not follow the sessionless protocol.
 */
export function discover(params: JsonObject, appearance: Appearance): Result {
  const meta = isJsonObject(params._meta) ? params._meta : {};
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
  return {
    resultType: "complete",
    _meta: { [META.serverInfo]: serverInfo(appearance) },
    ttlMs: 0,
    cacheScope: "public",
    supportedVersions: SESSION_VERSIONS,
    capabilities: CAPABILITIES,
  };
}

function serverInfo({ name, version }: Appearance): Implementation {
  return { name, version };
}
