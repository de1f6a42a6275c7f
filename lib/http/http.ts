import { reasonOf } from "../reason.ts";
import type { Twin } from "../mcp/twin.ts";
import { type Guard, guarded, isLoopbackName } from "./guard.ts";
import { steered } from "./faults.ts";
import { tellRefusals } from "./refusals.ts";
import { refuse } from "./refuse.ts";
import { keepSessions, type SessionLimits } from "./sessions.ts";
import { serveSse, type SseSession } from "./sse.ts";
import { serveStreamable, type StreamableSession } from "./streamable.ts";
import { endOfTurn } from "./turn.ts";

/**
 * Production never compresses. A Deno before 2.8.3 has no such option: it compresses texts of more
 * than 64 bytes for clients that ask for it, which is no event stream, only a long refusal.
 */
const UNCOMPRESSED: object = { automaticCompression: false };

/** How long to wait before listening again after a failure. */
const RETRY_MS = 100;

/** How long answers that are under way at the end may take to leave. */
const SHUTDOWN_MS = 500;

/** Where and for whom to serve HTTP. */
export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Who may talk to it; whether that is loopback is seen from the address it gets. */
  readonly guard: Omit<Guard, "loopback">;
  readonly limits: SessionLimits;
}

/** A server that listens. */
export interface HttpServer {
  /** The port it listens on. */
  readonly port: number;
  /** Whether only this machine can reach it. */
  readonly loopback: boolean;
  /** Ends all sessions and streams, then stops listening. */
  close(): Promise<void>;
}

/**
 * Serves `/mcp`, `/sse` and `/health`.
 *
 * @throws {Deno.errors.AddrInUse} When the port is taken.
 */
export function serveHttp(twin: Twin, options: HttpOptions): HttpServer {
  const streamable = keepSessions<StreamableSession>(options.limits);
  const sse = keepSessions<SseSession>(options.limits);

  const routes = new Map<string, (request: Request, query: string) => Response | Promise<Response>>(
    [
      ["/mcp", (request) => serveStreamable(request, twin, streamable)],
      ["/sse", (request, query) => serveSse(request, query, twin, sse)],
      ["/health", (request) => serveHealth(request, twin)],
    ],
  );
  const notFound = (): Response => refuse(404, "404 page not found");

  passOverAddress(twin.log.note);
  const tell = tellRefusals(twin.log.note);
  const listen = (port: number): Deno.HttpServer<Deno.NetAddr> =>
    Deno.serve({
      hostname: options.host,
      port,
      ...UNCOMPRESSED,
      // Without this, the runtime announces itself on stdout.
      onListen: () => {},
      onError(error) {
        note("request failed", error);
        return refuse(500, "internal server error");
      },
      async handler(request) {
        // Requests that come close together are answered together, so that the runtime goes fewer
        // times from its sockets to this code and back: twice as many calls with 32 clients.
        await endOfTurn();
        const { path, query } = targetOf(request);
        const serve = routes.get(path) ?? notFound;
        const lose = (): void => {
          streamable.end(request.headers.get("mcp-session-id") ?? "");
          sse.end(new URLSearchParams(query).get("sessionid") ?? "");
        };
        const answer = (): Response | Promise<Response> => serve(request, query);
        const response = await guarded(
          request,
          guard,
          () => path === "/health" ? answer() : steered(request, path, twin, lose, answer),
        );
        tell(request, query === "" ? path : `${path}?${query}`, response);
        return response;
      },
    });
  const note = (what: string, error: unknown): void => twin.log.note(`${what}: ${reasonOf(error)}`);

  let listener = listen(options.port);
  const { port, hostname } = listener.addr;
  // A name can be written in many ways, an address in one.
  const guard: Guard = { ...options.guard, loopback: isLoopbackName(hostname) };
  let closing = false;
  listener.finished.catch(listenAgain);

  /** The runtime gives up listening when the process may open no more files, as connections are. */
  async function listenAgain(reason: unknown): Promise<void> {
    note("listening again after", reason);
    while (!closing) {
      await delay(RETRY_MS);
      if (closing) return;
      try {
        listener = listen(port);
        return void listener.finished.catch(listenAgain);
      } catch {
        // Still no file to open.
      }
    }
  }

  return {
    port,
    loopback: guard.loopback,
    async close() {
      closing = true;
      streamable.endAll();
      sse.endAll();
      // A client that does not read must not keep the server from ending.
      await Promise.race([listener.shutdown().catch(() => {}), delay(SHUTDOWN_MS)]);
    },
  };
}

/**
 * Has the flags alone say where to listen. The runtime would listen where this variable says, in
 * their place or, after `duplicate,`, there as well.
 *
 * @param note Writes a line of the log.
 */
export function passOverAddress(note: (line: string) => void): void {
  const variable = "DENO_SERVE_ADDRESS";
  if (Deno.env.get(variable) === undefined) return;
  Deno.env.delete(variable);
  note(`${variable} is passed over: the flags say where to listen`);
}

/**
 * What a request asks for. Its URL is not parsed as one, since it holds the `Host` header, in which
 * a client can send anything.
 *
 * @returns The path, and the query as it was sent, without its question mark.
 */
export function targetOf(request: Request): { path: string; query: string } {
  const [, path = "/", query = ""] = /^\w+:\/\/[^/?#]*([^?#]*)\??([^#]*)/.exec(request.url) ?? [];
  return { path, query };
}

function serveHealth(request: Request, twin: Twin): Response {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refuse(405, "Method Not Allowed", { allow: "GET, HEAD" });
  }
  return Response.json({ status: "ok", tools: twin.tools.size });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
