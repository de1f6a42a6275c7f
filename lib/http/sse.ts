import { type Incoming, refusal } from "../mcp/admission.ts";
import { openSession } from "../mcp/session.ts";
import type { Twin } from "../mcp/twin.ts";
import { PayloadError, readPayload, writeReply } from "../mcp/envelope.ts";
import { openEventStream } from "./event_stream.ts";
import { declaresJson, readBody, refuse, serverSentEvent, targetOf } from "./http_reply.ts";
import { newSessionId } from "../go/session_id.ts";
import type { Sessions } from "./sessions.ts";

/** A session over legacy SSE. */
export interface SseSession {
  /** Takes a message and writes the answer, if it has one, to the stream. */
  take(message: Incoming): Promise<void>;
}

/**
 * Answers a request to `/sse`: MCP's older HTTP transport, where a GET holds the stream of answers
 * and POSTs carry the messages.
 *
 * Source: go-sdk, `SSEHandler` (mcp/sse.go):
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/sse.go
 *
 * @param request The request; the guard has let it pass.
 * @param twin The server.
 * @param sessions The open sessions.
 * @param bodyLimit The most bytes a body may have.
 * @returns The response.
 */
export async function serveSse(
  request: Request,
  twin: Twin,
  sessions: Sessions<SseSession>,
  bodyLimit: number,
): Promise<Response> {
  switch (request.method) {
    case "GET":
      return openStream(targetOf(request).path, twin, sessions);
    case "POST":
      return await serveMessage(request, twin, sessions, bodyLimit);
    default:
      return refuse(405, "Method Not Allowed", { allow: "GET, POST" });
  }
}

/** Opens a session that lives as long as its stream. */
function openStream(path: string, twin: Twin, sessions: Sessions<SseSession>): Response {
  const id = newSessionId();
  const session = openSession(twin);
  const stream = openEventStream(() => {
    sessions.remove(id);
    session.close();
  });
  const open: SseSession = {
    async take(message) {
      const reply = await session.receive(message);
      if (reply !== undefined) stream.write(serverSentEvent("message", writeReply(reply)));
    },
  };
  stream.write(serverSentEvent("endpoint", `${path}?sessionid=${id}`));
  sessions.add(id, open, stream.close);
  // The stream is the session: it is in use for as long as it is open.
  sessions.use(id);
  return new Response(stream.body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

async function serveMessage(
  request: Request,
  twin: Twin,
  sessions: Sessions<SseSession>,
  bodyLimit: number,
): Promise<Response> {
  if (!declaresJson(request.headers.get("content-type"))) {
    return refuse(415, "Content-Type must be 'application/json'");
  }
  const id = new URLSearchParams(targetOf(request).query).get("sessionid");
  if (!id) return refuse(400, "sessionid must be provided");
  if (sessions.get(id) === undefined) return refuse(404, "session not found");
  const body = await readBody(request, bodyLimit);
  if (body instanceof Response) return body;
  const message = readSingle(body);
  if (message === undefined) return refuse(400, "failed to parse body");
  const refused = message === "answer" ? undefined : refusal(message);
  if (refused !== undefined) return refuse(400, refused.reason);
  // The session may have ended while the body arrived.
  const session = sessions.get(id);
  if (session === undefined) return refuse(400, "session closed");
  if (message !== "answer") {
    session.take(message).catch((error) => twin.log.note(`answer failed: ${error}`));
  }
  return new Response(null, { status: 202 });
}

/** Reads a body of exactly one message; a batch is none. */
function readSingle(body: string): Incoming | "answer" | undefined {
  try {
    const { messages, isBatch } = readPayload(body);
    return isBatch ? undefined : messages[0] ?? "answer";
  } catch (error) {
    if (error instanceof PayloadError) return undefined;
    throw error;
  }
}
