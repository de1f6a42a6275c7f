import { ForcedFault, halfOf, STATUS_TEXTS } from "../control/fault.ts";
import { newSessionId } from "../go/session_id.ts";
import { type Incoming, PayloadError } from "../mcp/messages.ts";
import { openSession } from "../mcp/session.ts";
import type { Twin } from "../mcp/twin.ts";
import { encode } from "../wire_json.ts";
import { openEventStream, serverSentEvent } from "./event_stream.ts";
import { showFault } from "./faults.ts";
import { refuse } from "./refuse.ts";
import { readPost } from "./request.ts";
import type { Sessions } from "./sessions.ts";

/** A session over legacy SSE. */
export interface SseSession {
  /**
   * Takes a message and writes the answer, if it has one, to the stream.
   *
   * @param waits Is told when the message has to wait.
   * @returns How the POST is to be refused, where a failure is forced that a status tells.
   */
  take(message: Incoming, waits: () => void): Promise<Response | undefined>;
  close(): void;
}

/** A stream that ends has its session close, which ends whatever waits. */
const NEVER = new AbortController().signal;

/**
 * Answers a request to `/sse`: MCP's older HTTP transport, where a GET holds the stream of answers
 * and POSTs carry the messages.
 *
 * Source: go-sdk, `SSEHandler` (mcp/sse.go):
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/sse.go
 *
 * @param request The request; the guard has let it pass.
 * @param query Its query, as it was sent.
 */
export async function serveSse(
  request: Request,
  query: string,
  twin: Twin,
  sessions: Sessions<SseSession>,
): Promise<Response> {
  switch (request.method) {
    case "GET":
      return openStream(twin, sessions);
    case "POST":
      return await serveMessage(request, query, twin, sessions);
    default:
      return refuse(405, "Method Not Allowed", { allow: "GET, POST" });
  }
}

/** Opens a session that lives as long as its stream. */
function openStream(twin: Twin, sessions: Sessions<SseSession>): Response {
  const id = newSessionId();
  const session = openSession(twin, { transport: "sse", session: id });
  const stream = openEventStream(() => {
    sessions.remove(id);
    session.close();
  });
  const open: SseSession = {
    async take(message, waits) {
      try {
        const answer = await session.receive(message, () => {
          waits();
          return NEVER;
        });
        if (answer !== undefined) stream.write(serverSentEvent("message", answer));
        return undefined;
      } catch (error) {
        if (!(error instanceof ForcedFault)) throw error;
        if (STATUS_TEXTS[error.fault] !== undefined) return showFault(error);
        if (error.answer !== undefined) {
          stream.write([halfOf(encode(serverSentEvent("message", error.answer)))]);
        }
        stream.close();
        return undefined;
      }
    },
    close: stream.close,
  };
  stream.write(serverSentEvent("endpoint", [`/sse?sessionid=${id}`]));
  sessions.add(id, open, stream.close);
  // The stream is the session: it is in use for as long as it is open.
  sessions.use(id);
  return new Response(stream.body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

async function serveMessage(
  request: Request,
  query: string,
  twin: Twin,
  sessions: Sessions<SseSession>,
): Promise<Response> {
  // Like Go, which drops a pair that it cannot decode.
  const pairs = query.split("&").filter((pair) => !/%(?![\da-f]{2})/i.test(pair));
  const id = new URLSearchParams(pairs.join("&")).get("sessionid");
  const refused = !id
    ? refuse(400, "sessionid must be provided")
    : sessions.get(id) === undefined
    ? refuse(404, "session not found")
    : undefined;
  const message = await readMessage(request, refused);
  if (message instanceof Response) return message;
  // The session may have ended while the body arrived.
  const session = sessions.get(id!);
  if (session === undefined) return refuse(400, "session closed");
  if (message === "answer") return new Response(null, { status: 202 });
  const { promise: waiting, resolve: waits } = Promise.withResolvers<undefined>();
  let accepted = false;
  const taken = session.take(message, () => waits(undefined)).then((refusal) => {
    // Too late for a status: whoever waits for the answer sees the stream end.
    if (refusal !== undefined && accepted) session.close();
    return refusal;
  }, (error) => void twin.log.note(`answer failed: ${error}`));
  // Where something is forced, a status may have to tell it.
  const isForcing = (await twin.overrides()).entries.size > 0;
  const refusal = isForcing ? await Promise.race([taken, waiting]) : undefined;
  accepted = refusal === undefined;
  return refusal ?? new Response(null, { status: 202 });
}

/** Reads a body of exactly one message; a batch is none. Answers mean nothing to this server. */
async function readMessage(
  request: Request,
  refused: Response | undefined,
): Promise<Incoming | "answer" | Response> {
  try {
    const payload = await readPost(request, refused);
    if (payload instanceof Response) return payload;
    if (payload === undefined || payload.isBatch) return refuse(400, "failed to parse body");
    const message = payload.messages[0] ?? "answer";
    const text = message === "answer" ? undefined : message.refusal?.text;
    return text === undefined ? message : refuse(400, text);
  } catch (error) {
    if (error instanceof PayloadError) return refuse(400, "failed to parse body");
    throw error;
  }
}
