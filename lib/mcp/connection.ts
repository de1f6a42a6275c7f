// @ts-types="@modelcontextprotocol/sdk/shared/protocol"
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type {
  JSONRPCMessage,
  Notification,
  Request,
  RequestId,
  Result,
} from "@modelcontextprotocol/sdk/types";
import type { JsonObject } from "../json.ts";
import { type Answer, idOf, type Incoming } from "./messages.ts";

/**
 * The server end of the SDK's protocol. The SDK's `Server` is this and much that is never used here
 * (elicitation, sampling, tasks), and brings a schema validator of its own for that.
 */
class Server extends Protocol<Request, Notification, Result> {
  // Asked before anything is registered or sent; all that this server sends is answers.
  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(): void {}
  protected override assertTaskHandlerCapability(): void {}
}

/** A client's end of a session of the SDK's. */
export interface Connection {
  /** Sends a request; `undefined` when the connection was closed before it was answered. */
  request(message: Incoming, gone?: () => AbortSignal): Promise<Answer | undefined>;
  notify(message: Incoming): void;
  close(): void;
}

/** A request that waits for its answer. */
interface Waiting {
  /** The client's own id of it. */
  readonly id: RequestId;
  /** Has it cancelled when whoever sent it is gone. */
  readonly watch: () => void;
  readonly settle: (answer?: Answer) => void;
  /** Whether its answer is on its way, and nothing can be cancelled. */
  answered: boolean;
  cancelled: boolean;
}

/** Answers a request that has passed admission. */
type AnswerRequest = (
  method: string,
  params: JsonObject,
  signal: () => AbortSignal,
) => Promise<Answer>;

/**
 * Opens a session of the SDK's: its `Protocol` on a transport in memory.
 *
 * Requests get ids of the connection's own: the SDK drops a message whose id it cannot read, and
 * mistakes the answers to a repeated id for each other. Params travel a level below the SDK's, since
 * it drops messages with a `_meta` or a `task` that its schemas do not know.
 *
 * @param answer Answers all requests but `ping`.
 * @returns The client's end.
 */
export async function connect(answer: AnswerRequest): Promise<Connection> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const transport: Transport = {
    start: () => Promise.resolve(),
    send(message: JSONRPCMessage) {
      if ("result" in message || "error" in message) {
        waiting.get(message.id as number)?.settle(message);
      }
      return Promise.resolve();
    },
    close() {
      transport.onclose?.();
      for (const { settle } of [...waiting.values()]) settle();
      return Promise.resolve();
    },
  };
  const cancel = (requestId: number, reason?: unknown): void => {
    const request = waiting.get(requestId);
    if (request === undefined || request.answered) return;
    request.cancelled = true;
    transport.onmessage?.({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId, ...(reason !== undefined && { reason }) },
    });
  };

  const server = new Server();
  server.fallbackRequestHandler = async ({ method, params }, { requestId, signal }) => {
    const request = waiting.get(requestId as number);
    // The session ended before its turn came.
    if (request === undefined) return {};
    const answered = await answer(method, params!.sent as JsonObject, () => {
      request.watch();
      return signal;
    });
    request.answered = true;
    // The SDK answers no request that was cancelled; the Go SDK sends what the handler returns.
    if (request.cancelled) request.settle(answered);
    if ("error" in answered) throw answered.error;
    if ("fault" in answered) {
      // Nothing that the SDK could send: the transport shows it.
      request.settle(answered);
      return {};
    }
    // To the SDK a result is any object; it passes one that is written already on as it is.
    return answered.result as Result;
  };
  await server.connect(transport);

  return {
    request({ id, method, params }, gone) {
      const own = ++lastId;
      return new Promise((resolve) => {
        const abandon = (): void => cancel(own);
        let sender: AbortSignal | undefined;
        waiting.set(own, {
          id: id!,
          watch() {
            if (gone === undefined || sender !== undefined) return;
            sender = gone();
            sender.addEventListener("abort", abandon);
            if (sender.aborted) abandon();
          },
          settle(answer) {
            waiting.delete(own);
            sender?.removeEventListener("abort", abandon);
            resolve(answer);
          },
          // The SDK answers `ping` itself, at once.
          answered: method === "ping",
          cancelled: false,
        });
        transport.onmessage?.({ jsonrpc: "2.0", id: own, method, params: { sent: params } });
      });
    },
    notify({ method, params: { requestId, reason } }) {
      // Nothing else that a client may tell means anything to a server that asks nothing.
      if (method !== "notifications/cancelled") return;
      const cancelled = idOf(requestId);
      for (const [own, { id }] of waiting) if (id === cancelled) cancel(own, reason);
    },
    close: () => void server.close(),
  };
}
