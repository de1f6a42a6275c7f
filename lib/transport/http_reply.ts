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
  const decoder = new TextDecoder();
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

/**
 * The bare media type of a header value.
 *
 * @param value Such as `application/json; charset=utf-8`.
 * @returns The type in lower case without parameters.
 */
export function mediaType(value: string | null): string {
  return (value ?? "").split(";")[0]!.trim().toLowerCase();
}
