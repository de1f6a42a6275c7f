import { asBody, joined } from "../pieces.ts";
import { goQuote } from "../go/format.ts";
import { type Incoming, type Refusal, refusal } from "../mcp/admission.ts";
import { KNOWN_VERSIONS, SESSIONLESS_VERSION } from "../mcp/discover.ts";
import { METHOD_NOT_FOUND } from "../mcp/rpc_error.ts";
import type { Reply } from "../mcp/reply.ts";
import { openSession, type Session } from "../mcp/session.ts";
import type { Twin } from "../mcp/twin.ts";
import { PayloadError, readPayload, replyPieces } from "../mcp/envelope.ts";
import { type EventStream, openEventStream, PULSE } from "./event_stream.ts";
import { accepts, declaresJson, readBody, refuse, serverSentEvent } from "./http_reply.ts";
import { refuseRpc, refuseSessionless } from "./sessionless.ts";
import { newSessionId } from "../go/session_id.ts";
import type { Sessions } from "./sessions.ts";

/** A session over Streamable HTTP. */
export interface StreamableSession {
  readonly id: string;
  readonly session: Session;
  /** The session's standalone stream, while a client has it open. */
  stream: EventStream | undefined;
}

const FIRST_VERSION_WITHOUT_BATCHES = "2025-06-18";
/** What a request without the version header is taken for. */
const ASSUMED_VERSION = "2025-03-26";

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
};

/**
 * Answers a request to `/mcp`: MCP's Streamable HTTP, with sessions, as the Go SDK serves it.
 *
 * The SDK of this project has a transport of its own for this, which words and frames most of its
 * answers differently; so HTTP is read here, and the SDK is given messages.
 *
 * Source: go-sdk, `StreamableHTTPHandler` (mcp/streamable.go):
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/streamable.go
 *
 * @param request The request; the guard has let it pass.
 * @param twin The server.
 * @param sessions The open sessions.
 * @param bodyLimit The most bytes a body may have.
 * @returns The response.
 */
export function serveStreamable(
  request: Request,
  twin: Twin,
  sessions: Sessions<StreamableSession>,
  bodyLimit: number,
): Response | Promise<Response> {
  const version = request.headers.get("mcp-protocol-version");
  if (version && !KNOWN_VERSIONS.includes(version) && version < SESSIONLESS_VERSION) {
    const supported = `supported versions: ${KNOWN_VERSIONS.join(",")}`;
    return refuse(400, `Bad Request: Unsupported protocol version (${supported})`);
  }
  switch (request.method) {
    case "GET":
      return serveGet(request, sessions);
    case "DELETE":
      return serveDelete(request, sessions);
    case "POST":
      return servePost(request, twin, sessions, bodyLimit);
    default:
      return refuse(405, "Method Not Allowed", { allow: "GET, POST, DELETE" });
  }
}

/** Opens the standalone stream. Nothing is ever pushed on it: the tool list is fixed at start. */
function serveGet(request: Request, sessions: Sessions<StreamableSession>): Response {
  if (!accepts(request.headers.get("accept")).stream) {
    return refuse(400, "Accept must contain 'text/event-stream' for GET requests");
  }
  const id = request.headers.get("mcp-session-id");
  if (!id) return refuse(400, "Bad Request: GET requires an Mcp-Session-Id header");
  const open = sessions.get(id);
  if (open === undefined) return refuse(404, "session not found");
  const lastEvent = request.headers.get("last-event-id");
  if (lastEvent !== null) return refuseReplay(lastEvent);
  if (open.stream !== undefined) return refuse(409, "stream ID conflicts with ongoing stream");

  const release = sessions.use(id);
  const stream = openEventStream(() => {
    open.stream = undefined;
    release();
  });
  open.stream = stream;
  stream.write(PULSE);
  return new Response(stream.body, { headers: STREAM_HEADERS });
}

/** Streams cannot be resumed, as on a Go server without an event store. */
function refuseReplay(lastEvent: string): Response {
  if (/^[^_]*_\d+$/.test(lastEvent)) return refuse(400, "stream replay unsupported");
  return refuse(400, `malformed Last-Event-ID ${goQuote(lastEvent)}`);
}

function serveDelete(request: Request, sessions: Sessions<StreamableSession>): Response {
  const id = request.headers.get("mcp-session-id");
  if (!id) return refuse(400, "Bad Request: DELETE requires an Mcp-Session-Id header");
  const open = sessions.get(id);
  if (open === undefined) return refuse(404, "session not found");
  end(open, sessions);
  return new Response(null, { status: 204 });
}

async function servePost(
  request: Request,
  twin: Twin,
  sessions: Sessions<StreamableSession>,
  bodyLimit: number,
): Promise<Response> {
  if (!declaresJson(request.headers.get("content-type"))) {
    return refuse(415, "Content-Type must be 'application/json'");
  }
  const { json, stream } = accepts(request.headers.get("accept"));
  if (!json || !stream) {
    return refuse(400, "Accept must contain both 'application/json' and 'text/event-stream'");
  }
  const id = request.headers.get("mcp-session-id");
  if (id && sessions.get(id) === undefined) return refuse(404, "session not found");
  if (request.headers.get("last-event-id") !== null) {
    return refuse(400, "can't send Last-Event-ID for POST request");
  }
  const release = id ? sessions.use(id) : () => {};
  try {
    const body = await readBody(request, bodyLimit);
    if (body instanceof Response) return body;
    const messages = readMessages(body, request.headers);
    if (messages instanceof Response) return messages;
    // The session may have ended while the body arrived.
    const open = id ? sessions.get(id) : openStreamable(twin);
    if (open === undefined) return refuse(404, "session not found");
    const response = await answer(open, messages);
    if (!id) keepIfInitialized(open, sessions);
    return response;
  } finally {
    release();
  }
}

/** Reads a body and checks what can be refused before any session sees it. */
function readMessages(body: string, headers: Headers): readonly Incoming[] | Response {
  if (body === "") return refuse(400, "POST requires a non-empty body");
  let payload;
  try {
    payload = readPayload(body);
  } catch (error) {
    if (error instanceof PayloadError) return refuse(400, `malformed payload: ${error.message}`);
    throw error;
  }
  const version = headers.get("mcp-protocol-version") || ASSUMED_VERSION;
  if (payload.isBatch && version >= FIRST_VERSION_WITHOUT_BATCHES) {
    const since = `${FIRST_VERSION_WITHOUT_BATCHES} and later (request version: ${version})`;
    return refuse(400, `JSON-RPC batching is not supported in ${since}`);
  }
  for (const message of payload.messages) {
    const refused = refusal(message);
    const response = refused === undefined
      ? refuseSessionless(message, headers, version)
      : refuseMessage(message, refused, version);
    if (response !== undefined) return response;
  }
  return payload.messages;
}

/** Says why a message is refused: in plain text, or as a JSON-RPC error in the newest protocol. */
function refuseMessage(message: Incoming, refused: Refusal, version: string): Response {
  const { reason, unknownMethod } = refused;
  if (!unknownMethod || message.id === undefined || version < SESSIONLESS_VERSION) {
    return refuse(400, reason);
  }
  return refuseRpc(message, METHOD_NOT_FOUND, reason, 404);
}

async function answer(open: StreamableSession, messages: readonly Incoming[]): Promise<Response> {
  const replies = await repliesOf(open.session, messages);
  if (messages.every(({ id }) => id === undefined)) return new Response(null, { status: 202 });
  // Every answer is complete at once, so the stream that the client expects is sent as one body.
  const events = replies.map((reply) => serverSentEvent("message", replyPieces(reply)));
  const response = new Response(asBody(joined(...events)), { headers: STREAM_HEADERS });
  if (messages.some(({ method }) => method === "initialize")) {
    response.headers.set("mcp-session-id", open.id);
  }
  return response;
}

/** The answers to all messages at once; a batch that repeats an id gets one answer to it. */
async function repliesOf(session: Session, messages: readonly Incoming[]): Promise<Reply[]> {
  if (messages.length === 1) {
    const reply = await session.receive(messages[0]!);
    return reply === undefined ? [] : [reply];
  }
  const byId = new Map<unknown, Reply>();
  for (const reply of await Promise.all(messages.map((message) => session.receive(message)))) {
    if (reply !== undefined && !byId.has(reply.id)) byId.set(reply.id, reply);
  }
  return [...byId.values()];
}

/** A client names its session from its second request on; until then, nobody else knows it. */
function keepIfInitialized(open: StreamableSession, sessions: Sessions<StreamableSession>): void {
  if (open.session.initialized) sessions.add(open.id, open, () => end(open, sessions));
  else open.session.close();
}

function openStreamable(twin: Twin): StreamableSession {
  return { id: newSessionId(), session: openSession(twin), stream: undefined };
}

function end(open: StreamableSession, sessions: Sessions<StreamableSession>): void {
  sessions.remove(open.id);
  open.session.close();
  open.stream?.close();
}
