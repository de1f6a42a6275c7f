import type { Result } from "@modelcontextprotocol/sdk/types";
import type { Caller } from "../control/calls.ts";
import { unmarshalError } from "../go/type.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { type WireJson, writeJson } from "../wire_json.ts";
import { CLIENT_CAPABILITIES, IMPLEMENTATION } from "./admission.ts";
import type { Incoming } from "./messages.ts";
import {
  INVALID_PARAMS,
  KNOWN_VERSIONS,
  META,
  RpcError,
  SESSIONLESS_VERSION,
  UNSUPPORTED_VERSION,
} from "./protocol.ts";
import type { Appearance } from "./twin.ts";

/** What a request of the protocol without sessions says of its client, in place of `initialize`. */
export interface Terms {
  readonly version: string;
  readonly client: Pick<Caller, "client">;
}

/** The methods whose results may ask for more: they tell that they do not where the session knows. */
const MULTI_ROUND = ["tools/call", "resources/read", "prompts/get"];

/** How long what is listed and read may be kept: not at all, by whomever. */
const CACHE_HINTS = { ttlMs: 0, cacheScope: "public" };
const CACHEABLE = [
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
];

/**
 * Reads the terms that a request of the protocol without sessions (2026-07-28) names in its `_meta`.
 *
 * Source: go-sdk, `validateRequestMeta` (mcp/shared.go) and `ServerSession.handle` (mcp/server.go).
 *
 * @returns The terms; `undefined` for notifications and for requests of the protocol with sessions.
 * @throws {RpcError} When they are not whole, or name a version that nobody knows.
 */
export function termsOf({ id, version, params }: Incoming): Terms | undefined {
  if (id === undefined || version < SESSIONLESS_VERSION) return undefined;
  const meta = params._meta as JsonObject;
  const info = meta[META.clientInfo];
  if (info !== undefined && (info === null || unmarshalError(info, IMPLEMENTATION))) {
    throw new RpcError(INVALID_PARAMS, `invalid _meta field "${META.clientInfo}"`);
  }
  const capabilities = meta[META.clientCapabilities] ?? null;
  if (capabilities === null || unmarshalError(capabilities, CLIENT_CAPABILITIES)) {
    const message = `missing or invalid _meta field "${META.clientCapabilities}"`;
    throw new RpcError(INVALID_PARAMS, message);
  }
  if (!KNOWN_VERSIONS.includes(version)) {
    const data = { supported: KNOWN_VERSIONS, requested: version };
    throw new RpcError(UNSUPPORTED_VERSION, "unsupported protocol version", data);
  }
  return { version, client: clientOf(info) };
}

/**
 * What a client says that it is.
 *
 * @param info Its `clientInfo`; it has passed admission.
 * @returns Its name and version, if it tells them.
 */
export function clientOf(info: unknown): Pick<Caller, "client"> {
  if (!isJsonObject(info)) return {};
  const { name, version } = info;
  return { client: { name: String(name ?? ""), version: String(version ?? "") } };
}

/**
 * Gives a result what it has in the newest protocol: that it is complete, who answers, and how long
 * it may be kept.
 *
 * Source: go-sdk, `annotateServerInfo` (mcp/server.go) and `handleMultiRoundTripResult`
 * (mcp/mrtr.go).
 *
 * @param version The version that the session was opened with; "" before that.
 * @param terms The request's own terms, if it has some.
 * @param appearance Who the server is.
 */
export function completed(
  result: Result | WireJson,
  method: string,
  version: string,
  terms: Terms | undefined,
  { name, version: serverVersion }: Appearance,
): Result | WireJson {
  const tellsComplete = MULTI_ROUND.includes(method)
    ? version >= SESSIONLESS_VERSION
    : terms !== undefined;
  const members: JsonObject = {
    ...(terms && { _meta: { [META.serverInfo]: { name, version: serverVersion } } }),
    ...(tellsComplete && { resultType: "complete" }),
    ...(terms && CACHEABLE.includes(method) && CACHE_HINTS),
  };
  return Object.keys(members).length === 0 ? result : withMembers(result, members);
}

/** Adds members in front of those of a result, which has some. */
function withMembers(result: Result | WireJson, members: JsonObject): WireJson {
  const [first = "", ...rest] = Array.isArray(result) ? result as WireJson : writeJson(result);
  const after = typeof first === "string" ? first.slice(1) : first.subarray(1);
  return [`${JSON.stringify(members).slice(0, -1)},`, after, ...rest];
}
