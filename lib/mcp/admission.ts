import { goQuote } from "../go/format.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import {
  ANY,
  BOOL,
  type GoType,
  map,
  RAW_MESSAGE,
  slice,
  STRING,
  struct,
  typeFault,
} from "../go/type.ts";
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
  /** The type that `params` is read into, made when it is needed. A notification's is never read. */
  readonly params?: () => GoType;
}

/** Params, which all have `_meta`. */
function params(
  name: string,
  members: () => Readonly<Record<string, GoType>> = () => ({}),
): () => GoType {
  let known: GoType | undefined;
  return () => known ??= struct(`mcp.${name}`, { _meta: map(ANY), ...members() });
}

const cursor = () => ({ cursor: STRING });
/** What a client adds when it asks again with what it was asked for. */
const retry = () => ({ inputResponses: map(RAW_MESSAGE), requestState: STRING });

const implementation = () =>
  struct("mcp.Implementation", {
    name: STRING,
    title: STRING,
    description: STRING,
    version: STRING,
    websiteUrl: STRING,
    icons: slice(
      struct("mcp.Icon", { src: STRING, mimeType: STRING, sizes: slice(STRING), theme: STRING }),
    ),
  });

const clientCapabilities = () =>
  struct("mcp.clientCapabilitiesV2", {
    experimental: map(ANY),
    extensions: map(ANY),
    roots: struct("mcp.RootCapabilities", { listChanged: BOOL }),
    sampling: struct("mcp.SamplingCapabilities", {
      context: struct("mcp.SamplingContextCapabilities", {}),
      tools: struct("mcp.SamplingToolsCapabilities", {}),
    }),
    elicitation: struct("mcp.ElicitationCapabilities", {
      form: struct("mcp.FormElicitationCapabilities", {}),
      url: struct("mcp.URLElicitationCapabilities", {}),
    }),
  });

/**
 * Every method that is known at all; others are refused before they reach a session.
 *
 * Source: go-sdk, `serverMethodInfos` (mcp/server.go) and mcp/protocol.go:
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/protocol.go
 */
const METHOD_INFOS: Readonly<Record<string, MethodInfo>> = {
  "initialize": {
    early: true,
    needsParams: true,
    params: params("initializeParamsV2", () => ({
      protocolVersion: STRING,
      capabilities: clientCapabilities(),
      clientInfo: implementation(),
    })),
  },
  "ping": { early: true, params: params("PingParams") },
  "server/discover": { early: true, params: params("DiscoverParams") },
  "tools/list": { params: params("ListToolsParams", cursor) },
  "tools/call": {
    needsParams: true,
    // The arguments stay as they came: any JSON, for the tool's own schema to judge.
    params: params(
      "CallToolParamsRaw",
      () => ({ name: STRING, arguments: RAW_MESSAGE, ...retry() }),
    ),
  },
  "resources/list": { params: params("ListResourcesParams", cursor) },
  "resources/templates/list": { params: params("ListResourceTemplatesParams", cursor) },
  "resources/read": {
    needsParams: true,
    params: params("ReadResourceParams", () => ({ uri: STRING, ...retry() })),
  },
  "resources/subscribe": {
    early: true,
    needsParams: true,
    params: params("SubscribeParams", () => ({ uri: STRING })),
  },
  "resources/unsubscribe": {
    early: true,
    needsParams: true,
    params: params("UnsubscribeParams", () => ({ uri: STRING })),
  },
  "prompts/list": { params: params("ListPromptsParams", cursor) },
  "prompts/get": {
    needsParams: true,
    params: params("GetPromptParams", () => ({ name: STRING, arguments: map(STRING), ...retry() })),
  },
  "completion/complete": {
    needsParams: true,
    params: params("CompleteParams", () => ({
      ref: struct("mcp.wireCompleteReference", { type: STRING, name: STRING, uri: STRING }),
      argument: struct("mcp.CompleteParamsArgument", { name: STRING, value: STRING }),
      context: struct("mcp.CompleteContext", { arguments: map(STRING) }),
    })),
  },
  "subscriptions/listen": {
    needsParams: true,
    params: params("SubscriptionsListenParams", () => ({
      notifications: struct("mcp.NotificationSubscriptions", {
        toolsListChanged: BOOL,
        promptsListChanged: BOOL,
        resourcesListChanged: BOOL,
        resourceSubscriptions: slice(STRING),
      }),
    })),
  },
  "logging/setLevel": {
    early: true,
    needsParams: true,
    params: params("SetLoggingLevelParams", () => ({ level: STRING })),
  },
  "notifications/cancelled": { notification: true },
  "notifications/initialized": { notification: true },
  "notifications/roots/list_changed": { notification: true },
  "notifications/progress": { notification: true, needsParams: true },
};

/** A request or notification, before anything is known of its method. */
export interface Incoming {
  readonly method: string;
  /** Absent in a notification. */
  readonly id?: string | number;
  /** Absent when the message had none; `null` when it had `null`. */
  readonly params?: JsonValue;
}

/** Why a message does not reach its session. */
export interface Refusal {
  /** In production's words. */
  readonly reason: string;
  /** Whether it is that nobody knows the method. */
  readonly unknownMethod: boolean;
}

/**
 * Checks what the Go SDK's transports check before a message reaches its session: that the method
 * exists, that it comes with an id or without as it should, and that `params` is there if needed.
 *
 * Source: go-sdk, `checkRequest` (mcp/shared.go):
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/shared.go
 *
 * @param message The message.
 * @returns Why it is refused, or `undefined` when it may pass.
 */
export function refusal(message: Incoming): Refusal | undefined {
  const { method } = message;
  const info = infoOf(method);
  if (info === undefined) {
    return { reason: `JSON RPC not handled: ${goQuote(method)} unsupported`, unknownMethod: true };
  }
  const fault = faultOf(message, info);
  if (fault === undefined) return undefined;
  return { reason: `invalid request: ${fault}`, unknownMethod: false };
}

function faultOf({ method, id, params }: Incoming, info: MethodInfo): string | undefined {
  if (info.notification && id !== undefined) return `unexpected id for ${goQuote(method)}`;
  if (!info.notification && id === undefined) return `missing id for ${goQuote(method)}`;
  if (info.needsParams && params === undefined) return 'missing required "params"';
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
  const refused = refusal(message);
  if (refused !== undefined) throw new RpcError(INVALID_REQUEST, refused.reason);
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
  const type = info.params!();
  const fault = typeFault(params, type);
  if (fault === undefined) return params as JsonObject;
  // The Go SDK marks unreadable params as invalid everywhere but in `initialize`.
  if (method === "server/discover") throw methodNotFound(method);
  const [code, mark] = method === "initialize"
    ? [NO_CODE, ""]
    : [INVALID_PARAMS, "invalid params: "];
  const raw = goQuote(JSON.stringify(params));
  throw new RpcError(
    code,
    `handling '${method}': ${mark}unmarshaling ${raw} into a *${type.name}: json: ${fault}`,
  );
}
