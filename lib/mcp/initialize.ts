import type { JsonObject } from "../json.ts";
import { SESSION_VERSIONS } from "./discover.ts";
import { CAPABILITIES, type Twin } from "./twin.ts";

/**
 * Answers `initialize`, with which a client opens a session.
 *
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle and go-sdk,
 * `negotiatedVersion` (mcp/shared.go).
 *
 * @param params The request's params; they have passed admission.
 * @param twin The server.
 * @returns The version that was asked for, or else the newest; what the server can do, and who it is.
 */
export function initialize(
  { protocolVersion }: JsonObject,
  { appearance: { name, version } }: Twin,
): JsonObject {
  return {
    protocolVersion: SESSION_VERSIONS.find((known) => known === protocolVersion) ??
      SESSION_VERSIONS[0]!,
    capabilities: CAPABILITIES,
    serverInfo: { name, version },
  };
}
