import type { Result } from "@modelcontextprotocol/sdk/types";
import { goQuote } from "../go/format.ts";
import type { Caller } from "../control/calls.ts";
import { ForcedFault } from "../control/fault.ts";
import type { WireJson } from "../wire_json.ts";
import type { Connection } from "./connection.ts";
import { methodNotFound } from "./admission.ts";
import { initialize } from "./handshake.ts";
import { type Incoming, writeAnswer } from "./messages.ts";
import { answer, errorFor, type Method, METHODS } from "./methods.ts";
import { NO_CODE, RpcError } from "./protocol.ts";
import { clientOf, completed, termsOf } from "./sessionless.ts";
import type { Twin } from "./twin.ts";

/** One client's session, with production's identity. */
export interface Session {
  /** Whether the session has had its `initialize`, or a request that needs none. */
  readonly initialized: boolean;
  readonly closed: boolean;

  /**
   * Takes a request or a notification.
   *
   * @param gone Gives what is aborted when whoever sent it no longer waits for its answer.
   * @returns The answer to a request; `undefined` for a notification, or when the session ended.
   */
  receive(message: Incoming, gone?: () => AbortSignal): Promise<WireJson | undefined>;

  /** Ends the session, and lets go of the requests that are under way. */
  close(): void;
}

/**
 * Opens a session, which is kept by the SDK's `Protocol`: it matches answers to requests, has
 * handlers know when a request is cancelled, and answers `ping`. Before it stands admission, so that
 * a client is refused in production's words.
 *
 * A request of the protocol without sessions (2026-07-28) brings its own terms, needs no `initialize`
 * and makes a later one a second.
 *
 * `initialize` is answered without the SDK, which takes longer to load than all else that a client
 * waits for when it starts the server: a third of the time in which an empty program starts.
 *
 * @param origin Where the client comes from, for the journal.
 */
export function openSession(
  twin: Twin,
  origin: Caller,
  methods: Readonly<Record<string, Method>> = METHODS,
): Session {
  let caller = origin;
  let initialized = false;
  /** The version that the client asked for, whatever it got. */
  let version = "";
  let closed = false;
  let connected: Promise<Connection> | undefined;

  const connection = (): Promise<Connection> =>
    connected ??= import("./connection.ts").then(({ connect }) =>
      connect((method, params, signal) => answer(methods, method, params, twin, { caller, signal }))
    );

  return {
    get initialized() {
      return initialized;
    },
    get closed() {
      return closed;
    },
    async receive(message, gone) {
      const { id, method, params, early, refusal } = message;
      if (closed) return undefined;
      if (id === undefined) {
        // The first after `initialize` has the SDK loaded while the client reads who it talks to.
        if (initialized) connection().then(({ notify }) => notify(message), () => {});
        return undefined;
      }
      try {
        const terms = termsOf(message);
        const discovers = method === "server/discover";
        if (terms === undefined ? discovers : early) throw methodNotFound(method);
        if (terms !== undefined) {
          // Where a client may go on without sessions, to discover that opens one as well.
          if (discovers ? origin.transport === "stdio" : !initialized) {
            initialized = true;
            version = terms.version;
          }
          caller = { ...origin, ...terms.client };
        } else if (!initialized && !early) {
          const text = `method ${goQuote(method)} is invalid during session initialization`;
          throw new RpcError(NO_CODE, text);
        }
        if (refusal !== undefined) throw refusal.error;
        if (method !== "initialize") {
          const { request } = await connection();
          const answered = await request(message, gone);
          if (answered === undefined) return undefined;
          const write = (result: Result | WireJson): WireJson =>
            writeAnswer(id, {
              result: completed(result, method, version, terms, twin.appearance),
            });
          if ("result" in answered) return write(answered.result);
          if ("error" in answered) return writeAnswer(id, answered);
          const { fault, cut } = answered;
          throw new ForcedFault(fault, cut && write(cut));
        }
        if (initialized) throw new RpcError(NO_CODE, `duplicate ${goQuote(method)} received`);
        initialized = true;
        version = typeof params.protocolVersion === "string" ? params.protocolVersion : "";
        caller = { ...origin, ...clientOf(params.clientInfo) };
        return writeAnswer(id, { result: initialize(params, twin.appearance) });
      } catch (error) {
        if (error instanceof ForcedFault) throw error;
        return writeAnswer(id, { error: errorFor(error, twin) });
      }
    },
    close() {
      closed = true;
      // After the requests that wait for it, which it then lets go.
      connected?.then(({ close }) => close(), () => {});
    },
  };
}
