import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type { JSONRPCMessage, Result } from "@modelcontextprotocol/sdk/types";
import type { JsonObject } from "../json.ts";
import type { JsonText } from "../json_text.ts";
import { ProtocolServer } from "./protocol_server.ts";
import type { Reply } from "./reply.ts";

/** Answers a request that has passed admission. */
type AnswerRequest = (method: string, params: JsonObject) => Promise<JsonObject | JsonText>;

/** The near end of a session of the SDK's. */
export interface SdkLink {
  /** Sends a request; `undefined` when the session ended before it was answered. */
  request(method: string, params: JsonObject): Promise<Reply | undefined>;
  close(): void;
}

/**
 * Opens a session of the SDK's and links to it in memory.
 *
 * The SDK keeps the protocol: messages, ids, errors, `ping`. All other requests come to its fallback
 * handler, so that what a client sent is read by this project's own rules (production's) and not by
 * the SDK's schemas, whose complaints would be another server's.
 *
 * Requests get ids of the link's own: the SDK drops a message whose id it cannot read, and answers
 * to a client's repeated id would be mistaken for each other.
 *
 * @param answer Answers all requests but `ping`.
 * @returns The link.
 */
export async function linkToSdk(answer: AnswerRequest): Promise<SdkLink> {
  const server = new ProtocolServer();
  // To the SDK a result is any object; it passes one that is written already on as it is.
  server.fallbackRequestHandler = ({ method, params = {} }) =>
    answer(method, params as JsonObject) as Promise<Result>;

  const waiting = new Map<number, (reply?: Reply) => void>();
  let lastId = 0;
  const settle = (id: number, reply?: Reply): void => {
    waiting.get(id)?.(reply);
    waiting.delete(id);
  };
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
  await server.connect(transport);
  return {
    request(method, params) {
      const id = ++lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        transport.onmessage?.({ jsonrpc: "2.0", id, method, params });
      });
    },
    close() {
      server.close();
      for (const id of [...waiting.keys()]) settle(id);
    },
  };
}
