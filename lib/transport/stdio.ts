import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import { goQuote as quote } from "../schema/_go_format.ts";
import { type Incoming, refusal } from "../server/admission.ts";
import { METHOD_NOT_FOUND } from "../server/rpc_error.ts";
import { openSession } from "../server/session.ts";
import type { Twin } from "../server/twin.ts";
import { readLines } from "./_lines.ts";
import { PayloadError, readPayload, writeReply } from "./envelope.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** The longest line a client may send, in bytes. A longer one is answered with an error. */
const LINE_LIMIT = 4 * 1024 * 1024;

/** The two ends of a stdio connection. */
export interface StdioPipes {
  readonly input: ReadableStream<Uint8Array>;
  /** Writes all of a message, or throws when nobody reads any more. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

/**
 * Serves one client over stdio: a JSON-RPC message a line, in both directions.
 *
 * Returns when the input has ended and every answer is written, or when nobody reads the output
 * any more: a server that outlives its client is what people dread most of stdio servers, and the
 * SDK's own transport does not end by itself.
 *
 * @param twin The server.
 * @param pipes Standard input and output.
 */
export async function serveStdio(twin: Twin, pipes: StdioPipes): Promise<void> {
  const encoder = new TextEncoder();
  const closed = new AbortController();
  let unanswered = 0;
  let written = Promise.resolve();
  let settled = () => {};

  const write = (line: string): Promise<void> => {
    const bytes = encoder.encode(`${line}\n`);
    written = written.then(() => pipes.write(bytes)).catch(() => closed.abort());
    return written;
  };
  const fail = (code: number, message: string, id: string | number | null = null): Promise<void> =>
    write(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));

  const transport: Transport = {
    start: () => Promise.resolve(),
    async send(message) {
      if ("method" in message) return;
      await write(writeReply(message));
      unanswered--;
      if (unanswered === 0) settled();
    },
    close() {
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  const session = await openSession(twin, transport);

  const take = (message: Incoming): void => {
    const reason = refusal(message);
    if (reason === undefined) {
      if (message.id !== undefined) unanswered++;
      session.receive(message);
    } else if (message.id !== undefined) {
      const unknown = reason.startsWith("JSON RPC not handled");
      if (unknown) fail(METHOD_NOT_FOUND, `method not found: ${quote(message.method)}`, message.id);
      else fail(INVALID_REQUEST, reason, message.id);
    }
  };
  const takeLine = (line: string): void => {
    if (line.trim() === "") return;
    try {
      readPayload(line).messages.forEach(take);
    } catch (error) {
      if (!(error instanceof PayloadError)) throw error;
      fail(PARSE_ERROR, error.message);
    }
  };

  try {
    for await (const line of readLines(pipes.input, LINE_LIMIT, closed.signal)) {
      if (line === undefined) fail(PARSE_ERROR, `message exceeds ${LINE_LIMIT} bytes`);
      else takeLine(line);
    }
    if (unanswered > 0 && !closed.signal.aborted) {
      await new Promise<void>((resolve) => {
        settled = resolve;
        closed.signal.addEventListener("abort", () => resolve());
      });
    }
    await written;
  } finally {
    await session.close();
  }
}
