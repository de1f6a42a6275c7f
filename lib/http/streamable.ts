import { ForcedFault } from "../control/fault.ts";
import { goQuote } from "../go/format.ts";
import { newSessionId } from "../go/session_id.ts";
import { type Incoming, type Payload, PayloadError } from "../mcp/messages.ts";
import { KNOWN_VERSIONS, METHOD_NOT_FOUND, SESSIONLESS_VERSION } from "../mcp/protocol.ts";
import { openSession, type Session } from "../mcp/session.ts";
import type { Twin } from "../mcp/twin.ts";
import { bodyOf } from "../wire_json.ts";
import { type EventStream, openEventStream, PULSE, serverSentEvent } from "./event_stream.ts";
import { showFault } from "./faults.ts";
import { refuse, refuseRpc } from "./refuse.ts";
import { readPost } from "./request.ts";
import { checkMethodHeader, errorResponse, refuseSessionless } from "./sessionless.ts";
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
 * The SDK's own transport for this words and frames most answers differently, so HTTP is read here
 * and the SDK is given messages.
 *
 * Source: go-sdk, `StreamableHTTPHandler` (mcp/streamable.go):
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/mcp/streamable.go
 *
 * @param request The request; the guard has let it pass.
 */
export function serveStreamable(
  request: Request,
  twin: Twin,
  sessions: Sessions<StreamableSession>,
): Response | Promise<Response> {
  const version = headerOf(request.headers, "mcp-protocol-version");
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
      return servePost(request, twin, sessions);
    default:
      return refuse(405, "Method Not Allowed", { allow: "GET, POST, DELETE" });
  }
}

/** Opens the standalone stream. Nothing is ever pushed on it: the tool list is fixed at start. */
function serveGet(request: Request, sessions: Sessions<StreamableSession>): Response {
  if (!accepts(request.headers.get("accept")).stream) {
    return refuse(400, "Accept must contain 'text/event-stream' for GET requests");
  }
  const id = headerOf(request.headers, "mcp-session-id");
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
  const index = /^[^_]*_\+?(\d+)$/.exec(lastEvent)?.[1];
  if (index !== undefined && BigInt(index) < 2n ** 63n) {
    return refuse(400, "stream replay unsupported");
  }
  return refuse(400, `malformed Last-Event-ID ${goQuote(lastEvent)}`);
}

function serveDelete(request: Request, sessions: Sessions<StreamableSession>): Response {
  const id = headerOf(request.headers, "mcp-session-id");
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
): Promise<Response> {
  const { headers } = request;
  const id = headerOf(headers, "mcp-session-id");
  const kept = id ? sessions.get(id) : undefined;
  const release = id && kept ? sessions.use(id) : () => {};
  try {
    const payload = await readPayload(request, refusePost(headers, !id || kept !== undefined));
    if (payload instanceof Response) return payload;
    const refused = refusePayload(payload, headers);
    if (refused !== undefined) return refused;
    const open = kept ?? openStreamable(twin);
    // The session may have ended while the body arrived.
    if (open.session.closed) return refuse(404, "session not found");
    // Without deno.json's "no-legacy-abort", the runtime warns of this on stderr.
    const named = headerOf(headers, "mcp-protocol-version");
    const response = await answer(open, payload.messages, named, () => request.signal);
    if (!kept) keepIfInitialized(open, sessions);
    return response;
  } catch (error) {
    if (!(error instanceof ForcedFault)) throw error;
    if (error.fault === "lost-session" && id) sessions.end(id);
    return showFault(error);
  } finally {
    release();
  }
}

/** Refuses what can be refused before the body is read. */
function refusePost(headers: Headers, isKnown: boolean): Response | undefined {
  const { json, stream } = accepts(headers.get("accept"));
  if (!json || !stream) {
    return refuse(400, "Accept must contain both 'application/json' and 'text/event-stream'");
  }
  if (!isKnown) return refuse(404, "session not found");
  if (headers.get("last-event-id") === null) return undefined;
  return refuse(400, "can't send Last-Event-ID for POST request");
}

async function readPayload(
  request: Request,
  refused: Response | undefined,
): Promise<Payload | Response> {
  try {
    return await readPost(request, refused) ?? refuse(400, "POST requires a non-empty body");
  } catch (error) {
    if (error instanceof PayloadError) return refuse(400, `malformed payload: ${error.message}`);
    throw error;
  }
}

/** Refuses what can be refused before any session sees it. */
function refusePayload({ messages, isBatch }: Payload, headers: Headers): Response | undefined {
  const named = headerOf(headers, "mcp-protocol-version");
  const version = named || ASSUMED_VERSION;
  if (isBatch && version >= FIRST_VERSION_WITHOUT_BATCHES) {
    const since = `${FIRST_VERSION_WITHOUT_BATCHES} and later (request version: ${version})`;
    return refuse(400, `JSON-RPC batching is not supported in ${since}`);
  }
  for (const message of messages) {
    const { id, refusal } = message;
    if (refusal?.text !== undefined) {
      // The newest protocol has requests for unknown methods refused as JSON-RPC.
      const { code } = refusal.error;
      return code === METHOD_NOT_FOUND && id !== undefined && version >= SESSIONLESS_VERSION
        ? refuseRpc(message, { code, message: refusal.text }, 404)
        : refuse(400, refusal.text);
    }
    const refused = refuseSessionless(message, named, version);
    if (refused !== undefined) return refused;
  }
  const [only] = messages;
  return isBatch || only === undefined ? undefined : checkMethodHeader(only, headers, named);
}

/** Answers all messages at once; of a batch that repeats an id, the first is answered. */
async function answer(
  open: StreamableSession,
  messages: readonly Incoming[],
  version: string,
  gone: () => AbortSignal,
): Promise<Response> {
  const answers = await Promise.all(messages.map((message) => open.session.receive(message, gone)));
  if (messages.every(({ id }) => id === undefined)) return new Response(null, { status: 202 });
  const refused = answers[0] && errorResponse(answers[0], version);
  if (refused) return refused;
  const ids = messages.map(({ id }) => id);
  // Every answer is complete at once, so the stream that the client expects is sent as one body.
  const events = answers.flatMap((answer, nth) =>
    answer === undefined || ids.indexOf(ids[nth]) < nth ? [] : serverSentEvent("message", answer)
  );
  const response = new Response(bodyOf(events), { headers: STREAM_HEADERS });
  if (messages.some(({ method }) => method === "initialize")) {
    response.headers.set("mcp-session-id", open.id);
  }
  return response;
}

/** A client names its session from its second request on; until then, nobody else knows it. */
function keepIfInitialized(open: StreamableSession, sessions: Sessions<StreamableSession>): void {
  if (open.session.initialized) sessions.add(open.id, open, () => end(open, sessions));
  else open.session.close();
}

function openStreamable(twin: Twin): StreamableSession {
  const id = newSessionId();
  return { id, session: openSession(twin, { transport: "http", session: id }), stream: undefined };
}

function end(open: StreamableSession, sessions: Sessions<StreamableSession>): void {
  sessions.remove(open.id);
  open.session.close();
  open.stream?.close();
}

/** A header that stands several times counts as the first says; no value of these has a comma. */
function headerOf(headers: Headers, name: string): string {
  return headers.get(name)?.split(",", 1)[0] ?? "";
}

/**
 * Tells which of the two media types of MCP an `Accept` header takes, wildcards included.
 *
 * @param accept The header, `null` when it is missing.
 * @returns Whether JSON and whether an event stream would do.
 */
export function accepts(accept: string | null): { json: boolean; stream: boolean } {
  // What the SDKs' clients send.
  if (accept === "application/json, text/event-stream") return { json: true, stream: true };
  const ranges = (accept ?? "").split(",").map(mediaType);
  const takes = (...names: string[]) => names.some((name) => ranges.includes(name));
  return {
    json: takes("application/json", "application/*", "*/*"),
    stream: takes("text/event-stream", "text/*", "*/*"),
  };
}

/** The bare media type of one range of an `Accept` header, in lower case. */
function mediaType(range: string): string {
  return range.split(";")[0]!.trim().toLowerCase();
}
