import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { JsonText, writeJson } from "../json_text.ts";
import { encodedOnce, isCostly } from "../pieces.ts";
import { goQuote } from "../go/format.ts";
import { methodNotFound } from "./admission.ts";
import { callTool } from "./call_tool.ts";
import { decodeCursor, encodeCursor } from "../go/cursor.ts";
import { discover } from "./discover.ts";
import { INVALID_PARAMS, RpcError } from "./rpc_error.ts";
import type { Twin } from "./twin.ts";

/** Answers one MCP request; `params` has passed admission, so its members have their types. */
export type Method = (
  params: JsonObject,
  twin: Twin,
) => JsonObject | JsonText | Promise<JsonObject | JsonText>;

/** How many entries the Go SDK lists at most in one answer. */
const PAGE_SIZE = 1000;

/**
 * The MCP requests this server answers within a session, beside `ping`, which is the SDK's. What
 * production's server declares no capability for is answered as the Go SDK answers it then.
 */
export const METHODS: Readonly<Record<string, Method>> = {
  "tools/list": ({ cursor }, twin) =>
    text(cursor) === "" ? firstTools(twin) : page("tools", twin.definitions, "name", cursor),
  "tools/call": async ({ name, arguments: args }, twin) =>
    (await callTool(twin, text(name), args)).json,
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
  "server/discover": discover,
  // Accepted, and without effect: no answer of this server comes with log messages.
  "logging/setLevel": () => ({}),
};

const knownFirstTools = new WeakMap<Twin, JsonText>();

/** The first page of the tools: long, asked for by every client, and the same from start to end. */
function firstTools(twin: Twin): JsonText {
  const known = knownFirstTools.get(twin);
  if (known !== undefined) return known;
  const json = writeJson(page("tools", twin.definitions, "name", ""));
  const written = new JsonText(isCostly(json) ? encodedOnce(json) : json);
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
): JsonObject {
  const after = text(cursor) === "" ? "" : decodeCursor(text(cursor));
  const rest = entries.filter((entry) => after === "" || text(entry[key]) > after);
  const shown = rest.slice(0, PAGE_SIZE);
  const last = text(shown.at(-1)?.[key]);
  return {
    [member]: shown,
    ...(rest.length > shown.length && { nextCursor: encodeCursor(last) }),
  };
}
