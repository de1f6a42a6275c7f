import { INITIALIZE } from "../support/messages.ts";
import type { JsonValue } from "../../lib/json.ts";
import { type LegacyStream, openLegacy } from "../reliability/_wire.ts";
import { exchange, RawConnection, type RawRequest, type RawResponse } from "../support/raw_http.ts";

/** One recorded request and what the Go server answered. */
export interface Recording {
  readonly group: string;
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly host?: string;
    readonly headers?: Record<string, string>;
    readonly body?: JsonValue;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string;
    /** What arrived on the legacy stream after the POST. */
    readonly events?: string;
  };
}

/** What came back. */
export interface Replayed extends RawResponse {
  /** What arrived on the legacy stream after the POST. */
  readonly events?: string;
}

/** Sends recorded requests, in a session that it has opened. */
export interface Replay extends Disposable {
  send(recording: Recording): Promise<Replayed>;
}

const POST_HEADERS = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};

/** The recordings, by file. */
export const RECORDING_FILES = ["transcripts.json", "edges.json"].map((name) =>
  new URL(`parity/${name}`, import.meta.url)
);

/**
 * Opens what sends the recordings of a group.
 *
 * @param group The group.
 * @param port Where the server listens.
 */
export function openReplay(group: string, port: number): Promise<Replay> {
  return group === "sse" ? SseReplay.open(port) : PostReplay.open(port);
}

/** Replays requests to `/mcp`, in a session of its own. */
class PostReplay implements Replay {
  private constructor(
    private readonly port: number,
    private readonly session: string,
  ) {}

  static async open(port: number): Promise<PostReplay> {
    const opened = await exchange(port, {
      method: "POST",
      path: "/mcp",
      headers: POST_HEADERS,
      body: JSON.stringify(INITIALIZE),
    });
    const session = opened.headers.get("mcp-session-id") ?? "";
    await exchange(port, {
      method: "POST",
      path: "/mcp",
      headers: { ...POST_HEADERS, "mcp-session-id": session },
      body: JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/initialized",
      }),
    });
    return new PostReplay(port, session);
  }

  async send({ request, response }: Recording): Promise<Replayed> {
    const raw = rawRequest(request, this.session);
    const open = request.method === "GET" && response.status === 200;
    return open ? await firstChunk(this.port, raw) : await exchange(this.port, raw);
  }

  [Symbol.dispose](): void {}
}

/** Replays requests to `/sse`, with one stream open all the while. */
class SseReplay implements Replay {
  private constructor(
    private readonly port: number,
    private readonly stream: LegacyStream,
  ) {}

  static async open(port: number): Promise<SseReplay> {
    return new SseReplay(port, await openLegacy(port));
  }

  async send({ request, response }: Recording): Promise<Replayed> {
    if (request.method === "GET" && response.status === 200) {
      return await firstChunk(this.port, rawRequest(request, ""));
    }
    const raw = rawRequest(
      { ...request, path: request.path.replace("<endpoint>", this.stream.endpoint) },
      "",
    );
    const replayed = await exchange(this.port, raw);
    if (response.events === undefined) return replayed;
    const events = response.events === "" ? "" : await this.stream.connection.readChunk();
    return { ...replayed, events };
  }

  [Symbol.dispose](): void {
    this.stream[Symbol.dispose]();
  }
}

async function firstChunk(
  port: number,
  request: RawRequest,
): Promise<RawResponse> {
  using connection = await RawConnection.open(port);
  await connection.send(request);
  const head = await connection.readHead();
  return { ...head, body: await connection.readChunk() };
}

function rawRequest(
  request: Recording["request"],
  session: string,
): RawRequest {
  const { method, path, host, body } = request;
  const size = typeof body === "string" && /^<(\d+) bytes>$/.exec(body)?.[1];
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const headers = Object.entries(request.headers ?? {})
    .map(([name, value]) => [name, value.replace("<session>", session)]);
  return {
    method,
    path,
    headers: Object.fromEntries(headers),
    ...(host !== undefined && { host }),
    ...(text !== undefined && { body: size ? " ".repeat(Number(size)) : text }),
  };
}
