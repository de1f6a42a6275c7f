import { type ForcedFault, halfOf, STATUS_TEXTS } from "../control/fault.ts";
import { steerRequest } from "../mcp/steer.ts";
import type { Twin } from "../mcp/twin.ts";
import { encode } from "../wire_json.ts";
import { serverSentEvent } from "./event_stream.ts";
import { asForced, refuse } from "./refuse.ts";

/** How long the first half of a body is left to leave before the connection ends. */
const LEAVING_MS = 50;

/** How long a client that gets 429 is told to wait, in seconds. */
const RETRY_AFTER_S = "1";

/**
 * Shows a forced failure as a Go server behind a gateway would.
 *
 * @param fault The failure. Of `lost-session` the session has ended already.
 * @returns The response, which may end without having begun.
 */
export function showFault({ fault, answer }: ForcedFault): Response {
  const [status, text] = STATUS_TEXTS[fault] ?? [];
  if (status !== undefined) {
    const headers = {
      ...(status === 401 && { "www-authenticate": 'Bearer error="invalid_token"' }),
      ...(status === 429 && { "retry-after": RETRY_AFTER_S }),
    };
    return asForced(refuse(status, text!, headers));
  }
  if (fault === "lost-session") return asForced(refuse(404, "session not found"));
  if (fault === "cut" && answer !== undefined) {
    const body = encode(serverSentEvent("message", answer));
    return cut(body, { headers: { "content-type": "text/event-stream" } });
  }
  return brokenOff();
}

/**
 * Answers a request, unless a failure is forced on all of them.
 *
 * @param lose Ends the session that the request names.
 */
export async function steered(
  request: Request,
  path: string,
  twin: Twin,
  lose: () => void,
  serve: () => Response | Promise<Response>,
): Promise<Response> {
  const forced = await steerRequest(twin, `${request.method} ${path}`, () => request.signal);
  if (forced === undefined) return await serve();
  const { fault } = forced;
  const isCut = fault === "cut";
  // A legacy session is its stream, which ends where a connection does.
  const ends = path === "/sse" && (fault === "drop" || isCut);
  if (fault === "lost-session" || ends) lose();
  // A stream that stays open has no half, nor have messages to a stream: they are answered on it.
  if (!isCut || request.method === "GET" || path === "/sse") return showFault(forced);
  const response = await serve();
  const body = await response.bytes();
  return body.length === 0 ? brokenOff() : cut(body, response);
}

/** Half of a body, and then the connection ends. */
function cut(body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(halfOf(body));
        return;
      }
      await new Promise((resume) => setTimeout(resume, LEAVING_MS));
      controller.error(new Error("cut off, as forced"));
    },
  }, { highWaterMark: 0 });
  return new Response(stream, { status: init.status ?? 200, headers: init.headers ?? {} });
}

/** No answer at all: a body that fails at once has the runtime close the connection. */
function brokenOff(): Response {
  const failing = new ReadableStream({
    start: (controller) => controller.error(new Error("dropped, as forced")),
  });
  return new Response(failing);
}
