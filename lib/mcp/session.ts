import type { JsonObject } from "../json.ts";
import type { JsonText } from "../json_text.ts";
import { admit, type Incoming, methodNotFound } from "./admission.ts";
import { initialize } from "./initialize.ts";
import { METHODS } from "./methods.ts";
import type { Reply } from "./reply.ts";
import { INTERNAL_ERROR, RpcError } from "./rpc_error.ts";
import type { linkToSdk, SdkLink } from "./sdk_link.ts";
import type { Twin } from "./twin.ts";

/** How long an answer may take to leave before the SDK is loaded, in milliseconds. */
const LEAVING_MS = 2;

/** Loads what links a session to the SDK. */
type LoadSdk = () => Promise<{ readonly linkToSdk: typeof linkToSdk }>;

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
 * Opens a session. It is kept by the SDK, which takes longer to load than all else that a client
 * waits for when it starts the server. So `initialize` is answered before, and the SDK is loaded
 * while the client reads who it talks to.
 *
 * @param twin The server.
 * @param loadSdk Loads the SDK's part.
 * @returns The session.
 */
export function openSession(
  twin: Twin,
  loadSdk: LoadSdk = () => import("./sdk_link.ts"),
): Session {
  let initialized = false;
  let closed = false;
  let link: Promise<SdkLink> | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;

  const linked = (): Promise<SdkLink> =>
    link ??= loadSdk().then(({ linkToSdk }) =>
      linkToSdk((method, params) => answer(method, params, twin))
    );
  // Where that fails, the next request will tell.
  const linkEarly = (): void => void linked().catch(() => {});
  return {
    get initialized() {
      return initialized;
    },
    async receive(message) {
      const { id, method } = message;
      // No notification means anything here: this server asks nothing that a client could report
      // on, and answers so soon that nothing is left to cancel.
      if (id === undefined || closed) return undefined;
      try {
        const params = admit(message, initialized);
        if (method === "initialize") {
          initialized = true;
          leaving = setTimeout(linkEarly, LEAVING_MS);
          return { jsonrpc: "2.0", id, result: initialize(params, twin) };
        }
        const { request } = await linked();
        const reply = await request(method, forSdk(method, params));
        return reply && { ...reply, id };
      } catch (error) {
        const { code, message: text, data } = forClient(error, twin);
        return { jsonrpc: "2.0", id, error: { code, message: text, ...(data && { data }) } };
      }
    },
    close() {
      closed = true;
      clearTimeout(leaving);
      // After the requests that wait for it, which it then lets go.
      link?.then(({ close }) => close(), () => {});
    },
  };
}

/** Answers a request that has passed admission. */
async function answer(
  method: string,
  params: JsonObject,
  twin: Twin,
): Promise<JsonObject | JsonText> {
  const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (known === undefined) throw methodNotFound(method);
  try {
    return await known(params, twin);
  } catch (error) {
    throw forClient(error, twin);
  }
}

/** What a client may learn of an error: of a fault in this program, nothing but that it is one. */
function forClient(error: unknown, twin: Twin): RpcError {
  if (error instanceof RpcError) return error;
  twin.log.note(`request failed: ${error instanceof Error ? error.message : String(error)}`);
  return new RpcError(INTERNAL_ERROR, "internal error");
}

/** Leaves out what this server does not use and the SDK's schemas might refuse. */
function forSdk(method: string, params: JsonObject): JsonObject {
  const { _meta: meta = {}, task: _task, ...rest } = params;
  return method === "server/discover" ? { meta } : rest;
}
