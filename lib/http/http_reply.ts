import { endOfTurn } from "../end_of_turn.ts";
import { joined, type Pieces } from "../pieces.ts";

/**
 * A refusal as Go's `http.Error` writes it: one line of plain text.
 *
 * @param status The HTTP status.
 * @param text The line, without its line end.
 * @param headers Headers to add.
 * @returns The response.
 */
export function refuse(status: number, text: string, headers: HeadersInit = {}): Response {
  const response = new Response(`${text}\n`, { status, headers });
  response.headers.set("content-type", "text/plain; charset=utf-8");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/**
 * What a request asks for. Its URL is not parsed as one, since it holds the `Host` header, in which
 * a client can send anything.
 *
 * @param request The request.
 * @returns The path, and the query as it was sent, without its question mark.
 */
export function targetOf(request: Request): { path: string; query: string } {
  const [, path = "/", query = ""] = /^\w+:\/\/[^/?#]*([^?#]*)\??([^#]*)/.exec(request.url) ?? [];
  return { path, query };
}

/**
 * Frames one message as a server-sent event.
 *
 * @param event The event's name.
 * @param data Its data, in one line.
 * @returns The event's text.
 */
export function serverSentEvent(event: string, data: string): string;
export function serverSentEvent(event: string, data: Pieces): Pieces;
export function serverSentEvent(event: string, data: Pieces): Pieces {
  return joined(`event: ${event}\ndata: `, data, "\n\n");
}

/** A byte order mark is no JSON, for the Go SDK, so it must not be lost. */
const AS_IT_IS = { ignoreBOM: true };
const wholeText = new TextDecoder("utf-8", AS_IT_IS);

/** How long a body may take to arrive. Without an end to it, a request that stalls stays for ever. */
const BODY_MS = 60_000;

/**
 * Reads a request's body as text, up to a limit.
 *
 * @param request The request.
 * @param limit The most bytes it may have.
 * @param patienceMs The most milliseconds it may take.
 * @returns The text, or the refusal when it is larger or slower, or not sent as HTTP has it.
 */
export async function readBody(
  request: Request,
  limit: number,
  patienceMs: number = BODY_MS,
): Promise<string | Response> {
  try {
    return await readWithin(request, limit, patienceMs);
  } catch {
    return refuse(400, "failed to read body");
  }
}

async function readWithin(
  request: Request,
  limit: number,
  patienceMs: number,
): Promise<string | Response> {
  const tooLarge = () => refuse(413, `request body exceeds ${limit} bytes`);
  const tooSlow = () => refuse(408, "request body took too long");
  const declared = Number(request.headers.get("content-length") ?? NaN);
  if (declared > limit) return tooLarge();
  if (declared <= limit) {
    // Mostly all of it has come already, and taking it at once is much cheaper than a stream.
    const bytes = await within(patienceMs, request.bytes());
    return bytes === undefined ? tooSlow() : wholeText.decode(bytes);
  }
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const giveUp = (): void => void reader.cancel().catch(() => {});
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    giveUp();
  }, patienceMs);
  const decoder = new TextDecoder("utf-8", AS_IT_IS);
  let text = "";
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > limit) {
        giveUp();
        return tooLarge();
      }
      text += decoder.decode(read.value, { stream: true });
    }
    return late ? tooSlow() : text + decoder.decode();
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise, but no longer than that; then the outcome is `undefined`. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  // Setting a timer takes longer than most requests need to be read.
  const early = await Promise.race([promise, endOfTurn()]);
  if (early !== undefined) return early;
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
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

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `;[ \\t]*(${TOKEN})=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")[ \\t]*`;
// No two runs of spaces meet in it, or a long one would be divided between them in every way.
const CONTENT_TYPE = new RegExp(
  `^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?:${PARAMETER})*(?:;[ \\t]*)?$`,
);

/**
 * Tells whether a body is declared to be JSON, in a `Content-Type` that Go's `mime.ParseMediaType`
 * can read: parameters must be whole, and each there once.
 *
 * @param contentType The header, `null` when it is missing.
 * @returns Whether it says `application/json`.
 */
export function declaresJson(contentType: string | null): boolean {
  if (contentType === "application/json") return true;
  const type = CONTENT_TYPE.exec(contentType ?? "")?.[1];
  if (type?.toLowerCase() !== "application/json") return false;
  const names = [...contentType!.matchAll(new RegExp(PARAMETER, "g"))].map(([, name]) =>
    name!.toLowerCase()
  );
  return new Set(names).size === names.length;
}

/** The bare media type of one range of an `Accept` header, in lower case. */
function mediaType(range: string): string {
  return range.split(";")[0]!.trim().toLowerCase();
}
