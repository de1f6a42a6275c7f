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
 * @returns The path, and the query's parameters.
 */
export function targetOf(request: Request): { path: string; query: URLSearchParams } {
  const [, path = "/", query = ""] = /^\w+:\/\/[^/?#]*([^?#]*)\??([^#]*)/.exec(request.url) ?? [];
  return { path, query: new URLSearchParams(query) };
}

/**
 * Frames one message as a server-sent event.
 *
 * @param event The event's name.
 * @param data Its data, in one line.
 * @returns The event's text.
 */
export function serverSentEvent(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/**
 * Reads a request's body as text, up to a limit.
 *
 * @param request The request.
 * @param limit The most bytes it may have.
 * @returns The text, or the refusal when it is larger.
 */
export async function readBody(request: Request, limit: number): Promise<string | Response> {
  const tooLarge = () => refuse(413, `request body exceeds ${limit} bytes`);
  if (Number(request.headers.get("content-length")) > limit) return tooLarge();
  if (request.body === null) return "";
  // A byte order mark is no JSON, for the Go SDK, so it must not be lost here.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) return tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Tells which of the two media types of MCP an `Accept` header takes, wildcards included.
 *
 * @param accept The header, `null` when it is missing.
 * @returns Whether JSON and whether an event stream would do.
 */
export function accepts(accept: string | null): { json: boolean; stream: boolean } {
  const ranges = (accept ?? "").split(",").map(mediaType);
  const takes = (...names: string[]) => names.some((name) => ranges.includes(name));
  return {
    json: takes("application/json", "application/*", "*/*"),
    stream: takes("text/event-stream", "text/*", "*/*"),
  };
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `;[ \\t]*(${TOKEN})=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")[ \\t]*`;
const CONTENT_TYPE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?:${PARAMETER})*;?[ \\t]*$`);

/**
 * Tells whether a body is declared to be JSON, in a `Content-Type` that Go's `mime.ParseMediaType`
 * can read: parameters must be whole, and each there once.
 *
 * @param contentType The header, `null` when it is missing.
 * @returns Whether it says `application/json`.
 */
export function declaresJson(contentType: string | null): boolean {
  const type = CONTENT_TYPE.exec(contentType ?? "")?.[1];
  if (type?.toLowerCase() !== "application/json") return false;
  const names = [...contentType!.matchAll(new RegExp(PARAMETER, "g"))].map(([, name]) => name);
  return new Set(names).size === names.length;
}

/** The bare media type of one range of an `Accept` header, in lower case. */
function mediaType(range: string): string {
  return range.split(";")[0]!.trim().toLowerCase();
}
