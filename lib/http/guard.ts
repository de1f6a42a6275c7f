import { goQuote } from "../go/format.ts";
import { refuse } from "./refuse.ts";

/** Who may talk to the server beyond this machine. */
export interface Guard {
  /** Whether the server listens on a loopback address, where DNS rebinding is a danger. */
  readonly loopback: boolean;
  /** `Host` names that are allowed beside loopback's; `*` allows any. Checked if there are some. */
  readonly allowedHosts: readonly string[];
  /** Web origins that are allowed beside loopback's; `*` allows any. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Serves what may be served, and lets pages of allowed origins read it.
 *
 * @param serve Answers it, if it may pass.
 */
export async function guarded(
  request: Request,
  guard: Guard,
  serve: () => Response | Promise<Response>,
): Promise<Response> {
  const response = turnAway(request, guard) ?? answerPreflight(request) ?? await serve();
  if (response.status !== 403) allowReading(request, response);
  return response;
}

/**
 * Refuses requests that a page on the internet could have a browser make: those for a foreign
 * `Host` (DNS rebinding) and those from a foreign web `Origin`.
 *
 * The Go SDK refuses the first in the same words and lets the second through; refusing it is safer
 * and no MCP client outside a browser sends one. See
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 *
 * @returns The refusal, or `undefined` when the request may pass.
 */
export function turnAway(request: Request, guard: Guard): Response | undefined {
  // Beyond loopback any name may be the right one, unless the right ones were given.
  if (guard.loopback || guard.allowedHosts.length > 0) {
    const foreign = hostsOf(request).find((host) => !isAllowedHost(host, guard.allowedHosts));
    if (foreign !== undefined) {
      return refuse(403, `Forbidden: invalid Host header ${goQuote(foreign)}`);
    }
  }
  const origin = request.headers.get("origin");
  if (origin !== null && isWebOrigin(origin) && !isAllowedOrigin(origin, guard)) {
    return refuse(403, `Forbidden: invalid Origin header ${goQuote(origin)}`);
  }
  return undefined;
}

/**
 * Adds to a response what a browser needs to hand it to a page of an allowed origin.
 *
 * @param response The response; its headers are changed.
 */
export function allowReading(request: Request, response: Response): void {
  const origin = request.headers.get("origin");
  if (origin === null || !isWebOrigin(origin)) return;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", "Mcp-Session-Id");
  response.headers.append("vary", "Origin");
}

/**
 * Answers a browser's question whether a page of an allowed origin may send a request.
 *
 * @returns The answer, or `undefined` when the request is no such question.
 */
export function answerPreflight(request: Request): Response | undefined {
  if (request.method !== "OPTIONS") return undefined;
  const { headers } = request;
  if (!headers.has("access-control-request-method") || !headers.has("origin")) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, DELETE",
      // The page's origin is allowed; which headers its client sends is for the client to know.
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "",
      "access-control-max-age": "600",
      "vary": "Access-Control-Request-Headers",
    },
  });
}

/** The hosts that a request names: in its header, and in its URL if that was sent whole. */
function hostsOf(request: Request): string[] {
  const host = request.headers.get("host");
  if (host !== null && request.url.startsWith(`http://${host}/`)) return [host];
  const [, named = ""] = /^\w+:\/\/([^/?#]*)/.exec(request.url) ?? [];
  // HTTP/2 has the authority in the place of the header.
  return host === null ? [named] : [named, host];
}

/** Pages of other schemes (`vscode-webview:`, `file:`) are not on the web, and clients use them. */
function isWebOrigin(origin: string): boolean {
  return origin === "null" || /^https?:/i.test(origin);
}

function isAllowedOrigin(origin: string, { allowedOrigins }: Guard): boolean {
  const allowed = allowedOrigins.map((name) => name.toLowerCase().replace(/\/$/, ""));
  if (allowed.includes("*") || allowed.includes(origin.toLowerCase())) return true;
  return isLoopbackName(hostname(origin.replace(/^https?:\/\//i, "")));
}

function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  const name = hostname(host);
  return isLoopbackName(name) ||
    allowedHosts.some((allowed) =>
      allowed === "*" || [host, name].some((given) => given.toLowerCase() === allowed.toLowerCase())
    );
}

/** The name or address of a `host[:port]`, without the brackets of IPv6. */
function hostname(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  if (bracketed !== undefined) return bracketed;
  // More than one colon is an IPv6 address without brackets, and has no port.
  return host.indexOf(":") === host.lastIndexOf(":") ? host.replace(/:\d*$/, "") : host;
}

const LOOPBACK_V4 = /^(?:::ffff:)?127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/**
 * Tells whether a name or address can only mean this machine.
 *
 * @param name Such as `localhost`, `127.0.0.1` or `::1`; like the Go SDK, in lower case.
 * @returns Whether it is loopback.
 */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || LOOPBACK_V4.test(name) ||
    (/^[0:]+1$/.test(name) && URL.parse(`http://[${name}]`)?.hostname === "[::1]");
}
