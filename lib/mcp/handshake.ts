import type {
  Implementation,
  InitializeResult,
  Result,
  ServerCapabilities,
} from "@modelcontextprotocol/sdk/types";
import type { Caller } from "../control/calls.ts";
import type { JsonObject } from "../json.ts";
import { KNOWN_VERSIONS, SESSION_VERSIONS } from "./protocol.ts";
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
 * Answers `server/discover`, with which a client of the sessionless protocol asks what it may speak.
 *
 * Source: go-sdk, `Server.discover` (mcp/server.go) and the transports' `SupportsProtocolVersion`.
 *
 * @param transport What it was asked over: only stdio serves the sessionless protocol in full.
 * @returns The versions that can be spoken there, and the capabilities.
 */
export function discover(transport: Caller["transport"]): Result {
  return {
    supportedVersions: transport === "stdio" ? KNOWN_VERSIONS : SESSION_VERSIONS,
    capabilities: CAPABILITIES,
  };
}

function serverInfo({ name, version }: Appearance): Implementation {
  return { name, version };
}
