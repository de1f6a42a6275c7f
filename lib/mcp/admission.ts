import { goQuote } from "../go/format.ts";
import {
  ANY,
  BOOL,
  type GoType,
  map,
  RAW_MESSAGE,
  slice,
  STRING,
  struct,
  unmarshalError,
} from "../go/type.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  META,
  METHOD_NOT_FOUND,
  NO_CODE,
  RpcError,
} from "./protocol.ts";

/** A method of the protocol, as the Go SDK's table of server methods has it. */
interface MethodInfo {
  readonly notification?: true;
  /** Whether it may come before `initialize`, and not in the protocol without one. */
  readonly early?: true;
  /** Whether `params` must be there. */
  readonly needsParams?: true;
  /** The type that `params` is read into. A notification's is never read. */
  readonly params?: GoType;
}

/** Params, which all have `_meta`. */
function params(name: string, members: Readonly<Record<string, GoType>> = {}): GoType {
  return struct(`mcp.${name}`, { _meta: map(ANY), ...members });
}

const cursor = { cursor: STRING };
/** What a client adds when it asks again with what it was asked for. */
const retry = { inputResponses: map(RAW_MESSAGE), requestState: STRING };

/** A client or a server, as it describes itself. */
export const IMPLEMENTATION = struct("mcp.Implementation", {
  name: STRING,
  title: STRING,
  description: STRING,
  version: STRING,
  websiteUrl: STRING,
  icons: slice(
    struct("mcp.Icon", { src: STRING, mimeType: STRING, sizes: slice(STRING), theme: STRING }),
  ),
});

/** What a client says that it can do. */
export const CLIENT_CAPABILITIES = struct("mcp.clientCapabilitiesV2", {
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
    params: params("initializeParamsV2", {
      protocolVersion: STRING,
      capabilities: CLIENT_CAPABILITIES,
      clientInfo: IMPLEMENTATION,
    }),
  },
  "ping": { early: true, params: params("PingParams") },
  "server/discover": { params: params("DiscoverParams") },
  "tools/list": { params: params("ListToolsParams", cursor) },
  "tools/call": {
    needsParams: true,
    // The arguments stay as they came: any JSON, for the tool's own schema to judge.
    params: params("CallToolParamsRaw", { name: STRING, arguments: RAW_MESSAGE, ...retry }),
  },
  "resources/list": { params: params("ListResourcesParams", cursor) },
  "resources/templates/list": { params: params("ListResourceTemplatesParams", cursor) },
  "resources/read": {
    needsParams: true,
    params: params("ReadResourceParams", { uri: STRING, ...retry }),
  },
  "resources/subscribe": {
    early: true,
    needsParams: true,
    params: params("SubscribeParams", { uri: STRING }),
  },
  "resources/unsubscribe": {
    early: true,
    needsParams: true,
    params: params("UnsubscribeParams", { uri: STRING }),
  },
  "prompts/list": { params: params("ListPromptsParams", cursor) },
  "prompts/get": {
    needsParams: true,
    params: params("GetPromptParams", { name: STRING, arguments: map(STRING), ...retry }),
  },
  "completion/complete": {
    needsParams: true,
    params: params("CompleteParams", {
      ref: struct("mcp.wireCompleteReference", { type: STRING, name: STRING, uri: STRING }),
      argument: struct("mcp.CompleteParamsArgument", { name: STRING, value: STRING }),
      context: struct("mcp.CompleteContext", { arguments: map(STRING) }),
    }),
  },
  "subscriptions/listen": {
    needsParams: true,
    params: params("SubscriptionsListenParams", {
      notifications: struct("mcp.NotificationSubscriptions", {
        toolsListChanged: BOOL,
        promptsListChanged: BOOL,
        resourcesListChanged: BOOL,
        resourceSubscriptions: slice(STRING),
      }),
    }),
  },
  "logging/setLevel": {
    early: true,
    needsParams: true,
    params: params("SetLoggingLevelParams", { level: STRING }),
  },
  "notifications/cancelled": { notification: true },
  "notifications/initialized": { early: true, notification: true },
  "notifications/roots/list_changed": { early: true, notification: true },
  "notifications/progress": { notification: true, needsParams: true },
};

/** What there is to know of a message by itself, whatever session it comes to. */
export interface Admission {
  /** Whether it may come before `initialize`, and not in the protocol without one. */
  readonly early: boolean;
  /** A request's params: each member has the type that its method reads, or is `null`. */
  readonly params: JsonObject;
  /** The protocol version that its `_meta` names, which only the sessionless protocol does; or "". */
  readonly version: string;
  /** Why no method will see it. */
  readonly refusal?: Refusal;
}

/** What a client did wrong, in production's words. */
export interface Refusal {
  /** What a session answers. */
  readonly error: RpcError;
  /** The text of an HTTP 400, where the Go SDK refuses the message before a session sees it. */
  readonly text?: string;
}

/**
 * Checks what the Go SDK checks of a message by itself. Over HTTP the transport checks that the
 * method exists, that it comes with an id or without as it should, and that `params` is there if
 * needed; then, and over stdio before as well, the session checks the same and that `params` has the
 * types which its method reads.
 *
 * Source: go-sdk, `checkRequest` and `handleReceive` (mcp/shared.go), `ServerSession.handle`
 * (mcp/server.go): https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/shared.go
 *
 * @param params Absent when the message had none; `null` when it had `null`.
 */
export function admit(
  method: string,
  isRequest: boolean,
  params: JsonValue | undefined,
): Admission {
  const info = Object.hasOwn(METHOD_INFOS, method) ? METHOD_INFOS[method] : undefined;
  const read = isJsonObject(params) ? params : {};
  const refusal = info === undefined
    ? {
      error: methodNotFound(method),
      text: `JSON RPC not handled: ${goQuote(method)} unsupported`,
    }
    : refusalOf(method, isRequest, params, info);
  return {
    early: info?.early ?? false,
    params: read,
    version: versionIn(read),
    ...(refusal && { refusal }),
  };
}

function refusalOf(
  method: string,
  isRequest: boolean,
  params: JsonValue | undefined,
  info: MethodInfo,
): Refusal | undefined {
  if (info.notification && isRequest) return invalid(`unexpected id for ${goQuote(method)}`);
  if (!info.notification && !isRequest) return invalid(`missing id for ${goQuote(method)}`);
  if (info.needsParams && params === undefined) return invalid('missing required "params"');
  if (info.params === undefined || params === undefined) return undefined;
  if (params === null) return info.needsParams ? nullParams(method) : undefined;
  const misfit = unmarshalError(params, info.params);
  if (misfit !== undefined) return unreadable(method, params, info.params, `json: ${misfit}`);
  const reference = method === "completion/complete" ? referenceFault(params) : undefined;
  return reference === undefined ? undefined : unreadable(method, params, info.params, reference);
}

function invalid(reason: string): Refusal {
  const text = `invalid request: ${reason}`;
  return { error: new RpcError(INVALID_REQUEST, text), text };
}

/** The Go SDK finds `null` after the point where it tells missing params. */
function nullParams(method: string): Refusal {
  const [code, mark] = method === "initialize"
    ? [NO_CODE, ""]
    : [INVALID_REQUEST, "invalid request: "];
  const message = `handling '${method}': ${mark}missing required "params"`;
  return { error: new RpcError(code, message) };
}

/** The Go SDK marks unreadable params as invalid everywhere but in `initialize`. */
function unreadable(method: string, params: JsonValue, type: GoType, misfit: string): Refusal {
  if (method === "server/discover") return { error: methodNotFound(method) };
  const [code, mark] = method === "initialize"
    ? [NO_CODE, ""]
    : [INVALID_PARAMS, "invalid params: "];
  const raw = goQuote(JSON.stringify(params));
  const message =
    `handling '${method}': ${mark}unmarshaling ${raw} into a *${type.name}: ${misfit}`;
  return { error: new RpcError(code, message) };
}

/** What the Go SDK says of a completion's `ref` whose members have the right types. */
function referenceFault(params: JsonValue): string | undefined {
  const ref = isJsonObject(params) ? params.ref : undefined;
  if (!isJsonObject(ref)) return undefined;
  const { type, name, uri } = ref;
  const said = goQuote(String(type ?? ""));
  switch (type) {
    case "ref/prompt":
      return uri ? `reference of type ${said} must not have a URI set` : undefined;
    case "ref/resource":
      return name ? `reference of type ${said} must not have a Name set` : undefined;
    default:
      return `unrecognized content type ${said}`;
  }
}

/** What a client hears of a method that is not there. */
export function methodNotFound(method: string): RpcError {
  return new RpcError(METHOD_NOT_FOUND, `method not found: ${goQuote(method)}`);
}

function versionIn({ _meta: meta }: JsonObject): string {
  const version = isJsonObject(meta) ? meta[META.protocolVersion] : undefined;
  if (typeof version !== "string" || version === "") return "";
  // Of a `_meta` that cannot be read as a whole, the Go SDK reads nothing.
  return unmarshalError(meta!, map(ANY)) === undefined ? version : "";
}
