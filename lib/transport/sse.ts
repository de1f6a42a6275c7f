import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import { type Incoming, refusal } from "../server/admission.ts";
import { openSession, type Session } from "../server/session.ts";
import type { Twin } from "../server/twin.ts";
import { PayloadError, readPayload, writeReply } from "./envelope.ts";
import { mediaType, readBody, refuse, serverSentEvent } from "./http_reply.ts";
import { newSessionId } from "./session_id.ts";
import type { Sessions } from "./sessions.ts";

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
  sessions: Sessions<Session>,
  bodyLimit: number,
): Promise<Response> {
  switch (request.method) {
    case "GET":
      return openStream(new URL(request.url).pathname, twin, sessions);
    case "POST":
      return await serveMessage(request, sessions, bodyLimit);
    default:
      return refuse(405, "Method Not Allowed", { allow: "GET, POST" });
  }
}

/** Opens a session that lives as long as its stream. */
function openStream(path: string, twin: Twin, sessions: Sessions<Session>): Response {
  const id = newSessionId();
  const encoder = new TextEncoder();
  let session: Session | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (event: string, data: string): void =>
        controller.enqueue(encoder.encode(serverSentEvent(event, data)));
      const transport = streamTransport(id, (message) => write("message", message), () => {
        sessions.remove(id);
        controller.close();
      });
      session = await openSession(twin, transport);
      sessions.add(id, session, () => session?.close());
      // The stream is the session: it is in use for as long as it is open.
      sessions.use(id);
      write("endpoint", `${path}?sessionid=${id}`);
    },
    cancel() {
      session?.close();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

/** A transport that writes messages to a stream, until the stream is gone. */
function streamTransport(
  sessionId: string,
  write: (message: string) => void,
  end: () => void,
): Transport {
  let closed = false;
  const transport: Transport = {
    sessionId,
    start: () => Promise.resolve(),
    send(message) {
      if (!closed && !("method" in message)) write(writeReply(message));
      return Promise.resolve();
    },
    close() {
      if (closed) return Promise.resolve();
      closed = true;
      try {
        end();
      } catch {
        // The client has closed the stream already.
      }
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}

async function serveMessage(
  request: Request,
  sessions: Sessions<Session>,
  bodyLimit: number,
): Promise<Response> {
  if (mediaType(request.headers.get("content-type")) !== "application/json") {
    return refuse(415, "Content-Type must be 'application/json'");
  }
  const id = new URL(request.url).searchParams.get("sessionid");
  if (!id) return refuse(400, "sessionid must be provided");
  if (sessions.get(id) === undefined) return refuse(404, "session not found");
  const body = await readBody(request, bodyLimit);
  if (body instanceof Response) return body;
  const message = readSingle(body);
  if (message === undefined) return refuse(400, "failed to parse body");
  const reason = message === "answer" ? undefined : refusal(message);
  if (reason !== undefined) return refuse(400, reason);
  // The session may have ended while the body arrived.
  const session = sessions.get(id);
  if (session === undefined) return refuse(400, "session closed");
  if (message !== "answer") session.receive(message);
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
