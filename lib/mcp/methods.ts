import type { Result } from "@modelcontextprotocol/sdk/types";
import type { Caller } from "../control/calls.ts";
import { ForcedFault } from "../control/fault.ts";
import { decodeCursor, encodeCursor } from "../go/cursor.ts";
import { goQuote } from "../go/format.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { encode, type WireJson, writeJson } from "../wire_json.ts";
import { methodNotFound } from "./admission.ts";
import { callTool } from "./call_tool.ts";
import { discover } from "./handshake.ts";
import type { Answer, ErrorAnswer } from "./messages.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "./protocol.ts";
import type { Twin } from "./twin.ts";

/** What is known of a request beside its params. */
export interface Exchange {
  readonly caller: Caller;
  /**
   * Gives what is aborted when the client cancels or abandons the request. Only what waits asks for
   * it: over HTTP, to be told of it takes the runtime 15 µs.
   */
  readonly signal: () => AbortSignal;
}

/**
 * Answers one MCP request.
 *
 * @param params They have passed admission, so their members have their types.
 * @returns The result, which may be written already.
 * @throws {RpcError} What the client hears instead.
 */
export type Method = (
  params: JsonObject,
  twin: Twin,
  exchange: Exchange,
) => Result | WireJson | Promise<Result | WireJson>;

/** How many entries the Go SDK lists at most in one answer. */
const PAGE_SIZE = 1000;

/**
 * The MCP requests this server answers within a session, beside `ping`, which is the SDK's. What
 * production's server declares no capability for is answered as the Go SDK answers it then.
 */
export const METHODS: Readonly<Record<string, Method>> = {
  "tools/list": ({ cursor }, twin) =>
    text(cursor) === "" ? firstTools(twin) : page("tools", twin.definitions, "name", cursor),
  "tools/call": ({ name, arguments: args }, twin, exchange) =>
    callTool(twin, text(name), args, exchange),
  "resources/list": ({ cursor }, { resources }) =>
    page("resources", [...resources.values()].map(({ listed }) => listed), "uri", cursor),
  "resources/read": ({ uri }, { resources }) => {
    const resource = resources.get(text(uri));
    if (resource) return { contents: [resource.content] };
    throw new RpcError(INVALID_PARAMS, "Resource not found", { uri: text(uri) });
  },
  "resources/templates/list": ({ cursor }) => page("resourceTemplates", [], "name", cursor),
  "prompts/list": ({ cursor }) => page("prompts", [], "name", cursor),
  "prompts/get": ({ name }) => {
    throw new RpcError(INVALID_PARAMS, `unknown prompt ${goQuote(text(name))}`);
  },
  "completion/complete": ({ ref, argument }) => {
    const name = isJsonObject(argument) ? text(argument.name) : "";
    const missing = !isJsonObject(ref) ? "ref" : name === "" ? "argument.name" : undefined;
    if (missing === undefined) throw methodNotFound("completion/complete");
    throw new RpcError(INVALID_PARAMS, `invalid params: missing required '${missing}' field`);
  },
  "subscriptions/listen": ({ notifications }) => {
    if (isJsonObject(notifications)) throw methodNotFound("subscriptions/listen");
    const message = "invalid params: missing required 'notifications' field";
    throw new RpcError(INVALID_PARAMS, message);
  },
  "server/discover": (_params, _twin, { caller }) => discover(caller.transport),
  // Accepted, and without effect: no answer of this server comes with log messages.
  "logging/setLevel": () => ({}),
};

const knownFirstTools = new WeakMap<Twin, WireJson>();

/** The first page of the tools: long, asked for by every client, and the same from start to end. */
function firstTools(twin: Twin): WireJson {
  const known = knownFirstTools.get(twin);
  if (known !== undefined) return known;
  const written = [encode(writeJson(page("tools", twin.definitions, "name", "")))];
  knownFirstTools.set(twin, written);
  return written;
}

/** The Go SDK reads a missing member, and `null`, as the empty string. */
function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** One page of a list whose entries are sorted by `key`; the cursor names the last one sent. */
function page(
  member: string,
  entries: readonly JsonObject[],
  key: string,
  cursor: JsonValue | undefined,
): Result {
  const after = text(cursor) === "" ? "" : decodeCursor(text(cursor));
  if (after === undefined) throw new RpcError(INVALID_PARAMS, "invalid params");
  const rest = entries.filter((entry) => after === "" || text(entry[key]) > after);
  const shown = rest.slice(0, PAGE_SIZE);
  const last = text(shown.at(-1)?.[key]);
  return {
    [member]: shown,
    ...(rest.length > shown.length && { nextCursor: encodeCursor(last) }),
  };
}

/**
 * Answers a request with one of the methods.
 *
 * @param method The name of the request's.
 * @param params The request's params; they have passed admission.
 */
export async function answer(
  methods: Readonly<Record<string, Method>>,
  method: string,
  params: JsonObject,
  twin: Twin,
  exchange: Exchange,
): Promise<Answer> {
  try {
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (known === undefined) throw methodNotFound(method);
    return { result: await known(params, twin, exchange) };
  } catch (error) {
    if (!(error instanceof ForcedFault)) return { error: errorFor(error, twin) };
    const { fault, answer: cut } = error;
    return { fault, ...(cut !== undefined && { cut }) };
  }
}

/**
 * What a client hears of an error.
 *
 * @param error What was thrown.
 * @param twin The server, whose log hears all of it.
 * @returns A refusal as it is; of a fault in this program, nothing but that it is one.
 */
export function errorFor(error: unknown, twin: Twin): ErrorAnswer {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data && { data }) };
  }
  twin.log.note(`request failed: ${error instanceof Error ? error.message : String(error)}`);
  return { code: INTERNAL_ERROR, message: "internal error" };
}
