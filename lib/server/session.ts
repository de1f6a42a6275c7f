import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type { JSONRPCMessage, Result } from "@modelcontextprotocol/sdk/types";
import type { JsonObject } from "../json.ts";
import type { JsonText } from "../json_text.ts";
import { admit, type Incoming, methodNotFound } from "./admission.ts";
import { METHODS } from "./methods.ts";
import { ProtocolServer } from "./protocol_server.ts";
import { INTERNAL_ERROR, RpcError } from "./rpc_error.ts";
import type { Twin } from "./twin.ts";

/** An answer to a request. */
export type Reply =
  & { readonly jsonrpc: "2.0"; readonly id: string | number }
  & ({ readonly result: JsonObject | JsonText } | { readonly error: ReplyError });

/** Why a request failed. */
export interface ReplyError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/** One client's session, with production's identity. */
export interface Session {
  /** Whether the session has had its `initialize`. */
  readonly initialized: boolean;

  /**
   * Takes a request or a notification.
   *
   * @param message The message.
   * @returns The answer to a request; `undefined` for a notification, or when the session ended.
   */
  receive(message: Incoming): Promise<Reply | undefined>;

  /** Ends the session. */
  close(): void;
}

/**
 * Opens a session.
 *
 * The SDK keeps the protocol: messages, ids, errors, `ping`. All other requests come to its
 * fallback handler, so that what a client sent is read by this project's own rules (production's)
 * and not by the SDK's schemas, whose complaints would be another server's, and which take longer
 * to make than all else that a client waits for at the start.
 *
 * @param twin The server.
 * @returns The session.
 */
export async function openSession(twin: Twin): Promise<Session> {
  const server = new ProtocolServer();
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    const answer = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (answer === undefined) throw methodNotFound(method);
    try {
      // To the SDK a result is any object; it passes one that is written already on as it is.
      return await answer(params as JsonObject, twin) as Result;
    } catch (error) {
      throw forClient(error, twin);
    }
  };
  const link = linkTo(server);
  await server.connect(link.transport);

  let initialized = false;
  return {
    get initialized() {
      return initialized;
    },
    async receive(message) {
      const { id, method } = message;
      if (id === undefined) return link.notify(method);
      try {
        const params = admit(message, initialized);
        if (method === "initialize") initialized = true;
        const reply = await link.request(method, forSdk(method, params));
        return reply && { ...reply, id };
      } catch (error) {
        const { code, message: text, data } = forClient(error, twin);
        return { jsonrpc: "2.0", id, error: { code, message: text, ...(data && { data }) } };
      }
    },
    close: link.close,
  };
}

/** What a client may learn of an error: of a fault in this program, nothing but that it is one. */
function forClient(error: unknown, twin: Twin): RpcError {
  if (error instanceof RpcError) return error;
  twin.log.note(`request failed: ${error instanceof Error ? error.message : String(error)}`);
  return new RpcError(INTERNAL_ERROR, "internal error");
}

/** The near end of a server's in-memory transport. */
interface Link {
  readonly transport: Transport;
  request(method: string, params: JsonObject): Promise<Reply | undefined>;
  notify(method: string): undefined;
  close(): void;
}

/**
 * Links to an SDK server in memory. Requests get ids of the link's own: the SDK drops a message
 * whose id it cannot read, and answers to a client's repeated id would be mistaken for each other.
 */
function linkTo(server: ProtocolServer): Link {
  const waiting = new Map<number, (reply?: Reply) => void>();
  let lastId = 0;
  const transport: Transport = {
    start: () => Promise.resolve(),
    send(message: JSONRPCMessage) {
      if (!("method" in message)) settle(message.id as number, message as Reply);
      return Promise.resolve();
    },
    close() {
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  const settle = (id: number, reply?: Reply): void => {
    waiting.get(id)?.(reply);
    waiting.delete(id);
  };
  return {
    transport,
    request(method, params) {
      const id = ++lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        transport.onmessage?.({ jsonrpc: "2.0", id, method, params });
      });
    },
    notify(method) {
      // Of the notifications, only this one means anything to a server whose answers are complete
      // within the turn that asks for them: there is nothing to cancel and no progress to follow.
      if (method !== "notifications/initialized") return;
      transport.onmessage?.({ jsonrpc: "2.0", method });
    },
    close() {
      server.close();
      for (const id of [...waiting.keys()]) settle(id);
    },
  };
}

/** Leaves out what this server does not use and the SDK's schemas might refuse. */
function forSdk(method: string, params: JsonObject): JsonObject {
  const { _meta: meta = {}, task: _task, ...rest } = params;
  return method === "server/discover" ? { meta } : rest;
}
