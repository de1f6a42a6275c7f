import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { goQuote } from "../go_format.ts";
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  NO_CODE,
  RpcError,
} from "./rpc_error.ts";

/** A method of the protocol, as the Go SDK's table of server methods has it. */
interface MethodInfo {
  readonly notification?: true;
  /** Whether it may come before `initialize`. */
  readonly early?: true;
  /** Whether `params` must be there. */
  readonly needsParams?: true;
  /** The Go type that `params` is read into, as its decoder names it in messages. */
  readonly type: string;
  /** Members that are read, and the JSON type each must have; without it, `_meta`. */
  readonly members?: Members;
}

type Members = readonly (readonly [name: string, wanted: "string" | "object"])[];

function members(wanted: Readonly<Record<string, "string" | "object">>): Members {
  return Object.entries({ _meta: "object", ...wanted });
}

const ONLY_META = members({});
const CURSOR = members({ cursor: "string" });
const NAME = members({ name: "string" });
const URI = members({ uri: "string" });

/** Every method that is known at all; others are refused before they reach a session. */
const METHOD_INFOS: Readonly<Record<string, MethodInfo>> = {
  "initialize": {
    early: true,
    needsParams: true,
    type: "initializeParamsV2",
    members: members({ protocolVersion: "string", capabilities: "object", clientInfo: "object" }),
  },
  "ping": { early: true, type: "PingParams" },
  "server/discover": { early: true, type: "DiscoverParams" },
  "tools/list": { type: "ListToolsParams", members: CURSOR },
  "tools/call": { needsParams: true, type: "CallToolParamsRaw", members: NAME },
  "resources/list": { type: "ListResourcesParams", members: CURSOR },
  "resources/templates/list": { type: "ListResourceTemplatesParams", members: CURSOR },
  "resources/read": { needsParams: true, type: "ReadResourceParams", members: URI },
  "resources/subscribe": { early: true, needsParams: true, type: "SubscribeParams", members: URI },
  "resources/unsubscribe": {
    early: true,
    needsParams: true,
    type: "UnsubscribeParams",
    members: URI,
  },
  "prompts/list": { type: "ListPromptsParams", members: CURSOR },
  "prompts/get": { needsParams: true, type: "GetPromptParams", members: NAME },
  "completion/complete": { needsParams: true, type: "CompleteParams" },
  "subscriptions/listen": { needsParams: true, type: "SubscriptionsListenParams" },
  "logging/setLevel": {
    early: true,
    needsParams: true,
    type: "SetLoggingLevelParams",
    members: members({ level: "string" }),
  },
  "notifications/cancelled": { notification: true, type: "CancelledParams" },
  "notifications/initialized": { notification: true, type: "InitializedParams" },
  "notifications/roots/list_changed": { notification: true, type: "RootsListChangedParams" },
  "notifications/progress": {
    notification: true,
    needsParams: true,
    type: "ProgressNotificationParams",
  },
};

/** A request or notification, before anything is known of its method. */
export interface Incoming {
  readonly method: string;
  /** Absent in a notification. */
  readonly id?: string | number;
  /** Absent when the message had none; `null` when it had `null`. */
  readonly params?: JsonValue;
}

/**
 * Checks what the Go SDK's transports check before a message reaches its session: that the method
 * exists, that it comes with an id or without as it should, and that `params` is there if needed.
 *
 * Source: go-sdk, `checkRequest` (mcp/shared.go):
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/shared.go
 *
 * @param message The message.
 * @returns Why it is refused, in production's words, or `undefined` when it may pass.
 */
export function refusal(message: Incoming): string | undefined {
  const { method, id } = message;
  const info = infoOf(method);
  if (info === undefined) return `JSON RPC not handled: ${goQuote(method)} unsupported`;
  if (info.notification && id !== undefined) {
    return `invalid request: unexpected id for ${goQuote(method)}`;
  }
  if (!info.notification && id === undefined) {
    return `invalid request: missing id for ${goQuote(method)}`;
  }
  if (info.needsParams && message.params === undefined) {
    return 'invalid request: missing required "params"';
  }
  return undefined;
}

/**
 * Checks what a Go SDK session checks of a request: that it comes at its time, what
 * {@linkcode refusal} checks (over stdio nobody has done so yet), and that `params` has the types
 * its method reads.
 *
 * Source: go-sdk, `ServerSession.handle` (mcp/server.go) and `handleReceive` (mcp/shared.go).
 *
 * @param message The request.
 * @param initialized Whether the session has had its `initialize`.
 * @returns The `params`, `{}` when there were none.
 * @throws {RpcError} When the session answers with an error.
 */
export function admit(message: Incoming, initialized: boolean): JsonObject {
  const { method, params } = message;
  const info = infoOf(method);
  if (!initialized && !info?.early) {
    throw new RpcError(
      NO_CODE,
      `method ${goQuote(method)} is invalid during session initialization`,
    );
  }
  if (info === undefined) throw methodNotFound(method);
  const reason = refusal(message);
  if (reason !== undefined) throw new RpcError(INVALID_REQUEST, reason);
  const read = params === undefined || params === null
    ? withoutParams(method, info)
    : readParams(method, info, params);
  if (method === "initialize" && initialized) {
    throw new RpcError(NO_CODE, `duplicate ${goQuote(method)} received`);
  }
  return read;
}

function withoutParams(method: string, info: MethodInfo): JsonObject {
  if (!info.needsParams) return {};
  // Only `null` comes here: the SDK finds it after the point where it tells missing `params`.
  throw method === "initialize"
    ? new RpcError(NO_CODE, `handling '${method}': missing required "params"`)
    : new RpcError(
      INVALID_REQUEST,
      `handling '${method}': invalid request: missing required "params"`,
    );
}

/**
 * What a client hears of a method that is not there.
 *
 * @param method The method's name.
 * @returns The error.
 */
export function methodNotFound(method: string): RpcError {
  return new RpcError(METHOD_NOT_FOUND, `method not found: ${goQuote(method)}`);
}

function infoOf(method: string): MethodInfo | undefined {
  return Object.hasOwn(METHOD_INFOS, method) ? METHOD_INFOS[method] : undefined;
}

function readParams(method: string, info: MethodInfo, params: JsonValue): JsonObject {
  const fault = typeFault(info, params);
  if (fault === undefined) return params as JsonObject;
  // The Go SDK marks unreadable params as invalid everywhere but in `initialize`.
  if (method === "server/discover") throw methodNotFound(method);
  const [code, mark] = method === "initialize"
    ? [NO_CODE, ""]
    : [INVALID_PARAMS, "invalid params: "];
  const raw = goQuote(JSON.stringify(params));
  throw new RpcError(
    code,
    `handling '${method}': ${mark}unmarshaling ${raw} into a *mcp.${info.type}: json: ${fault}`,
  );
}

/** What Go's JSON decoder says of `params` that does not have the types a method reads. */
function typeFault(info: MethodInfo, params: JsonValue): string | undefined {
  const { type, members = ONLY_META } = info;
  if (!isJsonObject(params)) {
    return `cannot unmarshal ${goQuote(JSON.stringify(params))} into Go value of type mcp.${type}`;
  }
  for (const [member, wanted] of members) {
    const value = Object.hasOwn(params, member) ? params[member]! : null;
    if (value === null) continue;
    if (wanted === "string" ? typeof value === "string" : isJsonObject(value)) continue;
    const raw = goQuote(JSON.stringify(value));
    const target = wanted === "string"
      ? "string"
      : member === "_meta"
      ? "map[string]interface {}"
      : `mcp.${member}`;
    return `cannot unmarshal ${raw} into Go struct field mcp.${type}.${member} of type ${target}`;
  }
  return undefined;
}
