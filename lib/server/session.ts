import { Server } from "@modelcontextprotocol/sdk/server";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type { JsonObject } from "../json.ts";
import { admit, type Incoming } from "./admission.ts";
import { methodNotFound, METHODS } from "./methods.ts";
import { RpcError } from "./rpc_error.ts";
import type { Twin } from "./twin.ts";

/** One client's session: an SDK server with production's identity, behind a transport. */
export interface Session {
  /** Whether the session has had its `initialize`. */
  readonly initialized: boolean;

  /**
   * Takes one request or notification. The answer to a request goes out through the transport.
   *
   * @param message A message that passed `refusal`.
   */
  receive(message: Incoming): void;

  /** Ends the session and closes its transport. */
  close(): Promise<void>;
}

/** What the Go SDK declares for a server with tools and resources (DECISIONS.md, row 13). */
const CAPABILITIES = {
  logging: {},
  resources: { listChanged: true },
  tools: { listChanged: true },
};

/** Never asked, since this server elicits nothing; the SDK's own would build an ajv per session. */
const noValidator = {
  getValidator: () => () => {
    throw new Error("nothing is elicited here");
  },
};

/**
 * Opens a session on a transport.
 *
 * The SDK's server keeps the protocol: the handshake, `ping`, ids, errors. All other requests come
 * to its fallback handler, so that what a client sent is read by this project's own rules
 * (production's) and not by the SDK's schemas, whose complaints would be another server's.
 *
 * @param twin The server.
 * @param transport The transport, not started yet.
 * @returns The session.
 */
export async function openSession(twin: Twin, transport: Transport): Promise<Session> {
  const { name, version } = twin.appearance;
  const server = new Server({ name, version }, {
    capabilities: CAPABILITIES,
    jsonSchemaValidator: noValidator,
  });
  server.removeRequestHandler("logging/setLevel");
  server.fallbackRequestHandler = async ({ method, params }) => {
    const answer = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (answer === undefined) throw methodNotFound(method);
    return await answer((params ?? {}) as JsonObject, twin);
  };
  await server.connect(transport);

  let initialized = false;
  return {
    get initialized() {
      return initialized;
    },
    receive(message) {
      if (message.id === undefined) return notify(transport, message);
      try {
        const params = admit(message, initialized);
        if (message.method === "initialize") initialized = true;
        deliver(transport, message, readable(message.method, params));
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        const { code, message: text, data } = error;
        transport.send({
          jsonrpc: "2.0",
          id: message.id,
          error: { code, message: text, ...(data && { data }) },
        });
      }
    },
    close: () => server.close(),
  };
}

/**
 * Makes `params` readable for the SDK's schemas where the Go SDK's are more lenient: what a client
 * leaves out of `initialize` counts as empty, and a call's `task` (a draft feature) is passed over.
 */
function readable(method: string, params: JsonObject): JsonObject {
  if (method === "tools/call") {
    const { task: _, ...rest } = params;
    return rest;
  }
  if (method !== "initialize") return params;
  return {
    ...params,
    protocolVersion: params.protocolVersion ?? "",
    capabilities: params.capabilities ?? {},
    clientInfo: { name: "", version: "", ...(params.clientInfo as JsonObject | null) },
  };
}

/** Every answer is complete within the turn that asked for it, so there is nothing to cancel. */
function notify(transport: Transport, message: Incoming): void {
  if (message.method !== "notifications/cancelled") deliver(transport, message, message.params);
}

function deliver(transport: Transport, { id, method }: Incoming, params: unknown): void {
  const body = { jsonrpc: "2.0" as const, method, params: params as Record<string, unknown> };
  transport.onmessage?.(id === undefined ? body : { ...body, id });
}
