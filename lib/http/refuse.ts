import type { ErrorAnswer, Incoming } from "../mcp/messages.ts";

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
 * A refusal in the form of a JSON-RPC error, as the sessionless protocol has it.
 *
 * @param message The request that is refused.
 * @param error The error.
 * @param status The HTTP status.
 * @returns The response.
 */
export function refuseRpc(
  { id }: Pick<Incoming, "id">,
  error: ErrorAnswer,
  status: number = 400,
): Response {
  return Response.json({ jsonrpc: "2.0", ...(id !== undefined && { id }), error }, { status });
}
