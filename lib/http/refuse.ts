import type { ErrorAnswer, Incoming } from "../mcp/messages.ts";

/** Why a response refuses its request, for the log. */
const reasons = new WeakMap<Response, string>();

/**
 * Why a response refuses its request.
 *
 * @returns The reason; `undefined` where it refuses nothing.
 */
export function reasonOf(response: Response): string | undefined {
  return reasons.get(response);
}

/** Has a response count as no refusal: the developer forced it, and the log says so already. */
export function asForced(response: Response): Response {
  reasons.delete(response);
  return response;
}

/**
 * A refusal as Go's `http.Error` writes it: one line of plain text.
 *
 * @param text The line, without its line end.
 * @param headers Headers to add.
 */
export function refuse(status: number, text: string, headers: HeadersInit = {}): Response {
  const response = new Response(`${text}\n`, { status, headers });
  response.headers.set("content-type", "text/plain; charset=utf-8");
  response.headers.set("x-content-type-options", "nosniff");
  reasons.set(response, text);
  return response;
}

/**
 * A refusal in the form of a JSON-RPC error, as the sessionless protocol has it.
 *
 * @param message The request that is refused.
 */
export function refuseRpc(
  { id }: Pick<Incoming, "id">,
  error: ErrorAnswer,
  status: number = 400,
): Response {
  const body = { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
  const response = Response.json(body, { status });
  reasons.set(response, error.message);
  return response;
}
