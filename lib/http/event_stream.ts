import { encode, type WireJson } from "../wire_json.ts";

/** Bytes that may wait for a client that does not read its stream, before it is given up. */
const MOST_UNREAD = 16 * 1024 * 1024;

/**
 * How often a stream says that it is still there. TCP notices that the other machine is gone only
 * when something is sent, and tunnels cut connections on which nothing moves (Cloudflare's after
 * 100 seconds).
 */
const PULSE_MS = 30_000;

/** A comment, as a Go server sends it when a stream opens; clients pass over comments. */
export const PULSE: WireJson = [": ok\n\n"];

/**
 * Frames one message as a server-sent event.
 *
 * @param event The event's name.
 * @param data Its data, in one line.
 */
export function serverSentEvent(event: string, data: WireJson): WireJson {
  return [`event: ${event}\ndata: `, ...data, "\n\n"];
}

/** A stream of server-sent events to one client. */
export interface EventStream {
  /** The body of the response that carries the stream. */
  readonly body: ReadableStream<Uint8Array>;

  /** Sends an event or a comment, unless the stream has ended. */
  write(event: WireJson): void;

  /** Ends the stream after what was written. */
  close(): void;
}

/**
 * Opens a stream of server-sent events. It stays open until {@linkcode EventStream.close}, until
 * the client goes away, or until the client has left too much unread.
 *
 * @param ended Called once when the stream has ended, for whatever reason.
 * @param pulseMs Milliseconds between signs of life. They do not keep the process alive.
 */
export function openEventStream(ended: () => void, pulseMs: number = PULSE_MS): EventStream {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const end = (): void => {
    stream = undefined;
    clearInterval(timer);
    ended();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (stream = controller),
    cancel: end,
  }, new ByteLengthQueuingStrategy({ highWaterMark: 0 }));
  const write = (event: WireJson): void => {
    stream?.enqueue(encode(event));
    if (!stream || stream.desiredSize! >= -MOST_UNREAD) return;
    // Closing would keep what is unread until it is read, which may be never.
    stream.error(new Error("the client does not read its stream"));
    end();
  };
  const timer = setInterval(() => write(PULSE), pulseMs);
  Deno.unrefTimer(timer);
  return {
    body,
    write,
    close() {
      if (stream === undefined) return;
      stream.close();
      end();
    },
  };
}
