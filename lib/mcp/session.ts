import { goQuote } from "../go/format.ts";
import type { Caller } from "../control/calls.ts";
import { ForcedFault } from "../control/fault.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { WireJson } from "../wire_json.ts";
import type { Connection } from "./connection.ts";
import { initialize } from "./handshake.ts";
import { type Incoming, writeAnswer } from "./messages.ts";
import { answer, errorFor, type Method, METHODS } from "./methods.ts";
import { NO_CODE, RpcError } from "./protocol.ts";
import type { Twin } from "./twin.ts";

/** One client's session, with production's identity. */
export interface Session {
  /** Whether the session has had its `initialize`. */
  readonly initialized: boolean;
  readonly closed: boolean;

  /**
   * Takes a request or a notification.
   *
   * @param message The message.
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
 * `initialize` is answered without the SDK, which takes longer to load than all else that a client
 * waits for when it starts the server: 0.3 of an empty program's start, which has a bar.
 *
 * @param twin The server.
 * @param origin Where the client comes from, for the journal.
 * @param methods What answers requests.
 * @returns The session.
 */
export function openSession(
  twin: Twin,
  origin: Caller,
  methods: Readonly<Record<string, Method>> = METHODS,
): Session {
  let caller = origin;
  let initialized = false;
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
        if (!initialized && !early) {
          const text = `method ${goQuote(method)} is invalid during session initialization`;
          throw new RpcError(NO_CODE, text);
        }
        if (refusal !== undefined) throw refusal.error;
        if (method !== "initialize") {
          const { request } = await connection();
          const answered = await request(message, gone);
          if (answered === undefined) return undefined;
          if (!("fault" in answered)) return writeAnswer(id, answered);
          const { fault, cut } = answered;
          throw new ForcedFault(fault, cut && writeAnswer(id, { result: cut }));
        }
        if (initialized) throw new RpcError(NO_CODE, `duplicate ${goQuote(method)} received`);
        initialized = true;
        caller = { ...origin, ...clientOf(params) };
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

/** What a client says that it is. */
function clientOf({ clientInfo }: JsonObject): Pick<Caller, "client"> {
  if (!isJsonObject(clientInfo)) return {};
  const { name, version } = clientInfo;
  return { client: { name: String(name ?? ""), version: String(version ?? "") } };
}
