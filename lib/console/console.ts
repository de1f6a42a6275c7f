import { OverridesFileError } from "../control/overrides_file.ts";
import { FixtureError } from "../fixture/problem.ts";
import { isLoopbackName, turnAway } from "../http/guard.ts";
import { passOverAddress, targetOf } from "../http/http.ts";
import { reasonOf as reasonOfResponse } from "../http/refuse.ts";
import { declaresJson, readBody } from "../http/request.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { parseJson } from "../json_error.ts";
import { reasonOf } from "../reason.ts";
import { Refusal, type RefusalKind } from "../refusal.ts";
import { deleteCalls, listCalls, showCall } from "./calls_api.ts";
import type { ConsoleSettings, Context, Handler } from "./context.ts";
import { createEvents } from "./events.ts";
import { deleteForced, putForced, showForced } from "./forced_api.ts";
import { openLibrary } from "./library.ts";
import {
  find,
  listTools,
  preview,
  saveScenario,
  showTool,
  showWidget,
  showWidgetFrame,
} from "./tools_api.ts";
import { problemOf } from "./views.ts";

/** A console that listens. */
export interface Console {
  /** Such as `http://127.0.0.1:8788/`. */
  readonly url: string;
  /** Whether only this machine can reach it. */
  readonly loopback: boolean;
  close(): Promise<void>;
}

/** What every response says, so that no page of elsewhere can use it and none is kept. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const STATUS: Readonly<Record<RefusalKind, number>> = {
  usage: 400,
  unfit: 400,
  missing: 404,
  conflict: 409,
};

/** The methods that change something. */
const WRITES = ["POST", "PUT", "DELETE"];

/** How long answers that are under way at the end may take to leave. */
const SHUTDOWN_MS = 500;

/** The API: method, path with `:` for what is open, and who answers. */
const ROUTES: readonly (readonly [method: string, path: string, handler: Handler])[] = [
  ["GET", "/api/about", (_request, { files, version, token }) => ({
    version,
    token,
    tools: files.embedded && files.packed ? null : files.toolsDirectory,
    overrides: files.overridesPath,
    calls: files.callsPath,
  })],
  ["GET", "/api/calls", listCalls],
  ["DELETE", "/api/calls", deleteCalls],
  ["GET", "/api/calls/:id", showCall],
  ["GET", "/api/tools", listTools],
  ["GET", "/api/tools/:name", showTool],
  ["GET", "/api/find", find],
  ["POST", "/api/preview", preview],
  ["GET", "/api/forced", showForced],
  ["DELETE", "/api/forced", deleteForced],
  ["PUT", "/api/forced/:key", putForced],
  ["DELETE", "/api/forced/:key", deleteForced],
  ["POST", "/api/scenarios", saveScenario],
  ["GET", "/api/problems", async (_request, { library }) => ({
    problems: (await library.findings()).map(problemOf),
  })],
  ["GET", "/api/widget", showWidget],
  ["GET", "/api/widget/frame", showWidgetFrame],
];

/**
 * Serves the console's page and its API (docs/CONSOLE.md).
 *
 * @param host The address to listen on.
 * @param port 0 takes a free one.
 * @throws {Deno.errors.AddrInUse} When the port is taken.
 */
export function serveConsole(host: string, port: number, settings: ConsoleSettings): Console {
  const token = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const context: Context = { ...settings, token, library: openLibrary(settings.files) };
  const events = createEvents(context);
  const routes: typeof ROUTES = [...ROUTES, ["GET", "/api/events", () => events.open()]];

  passOverAddress(settings.note);
  const server = Deno.serve({
    hostname: host,
    port,
    onListen: () => {},
    async handler(request) {
      let response: Response;
      try {
        response = await answer(request, routes, context, isLoopbackName(server.addr.hostname));
      } catch (error) {
        response = problemResponse(error, context);
      }
      for (const [name, value] of Object.entries(HEADERS)) {
        if (!response.headers.has(name)) response.headers.set(name, value);
      }
      return response;
    },
  });
  const { hostname } = server.addr;
  const name = hostname === "0.0.0.0" ? "127.0.0.1" : hostname === "::" ? "::1" : hostname;
  return {
    url: `http://${name.includes(":") ? `[${name}]` : name}:${server.addr.port}/`,
    loopback: isLoopbackName(hostname),
    async close() {
      events.close();
      const late = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS));
      await Promise.race([server.shutdown(), late]);
    },
  };
}

async function answer(
  request: Request,
  routes: typeof ROUTES,
  context: Context,
  isLoopback: boolean,
): Promise<Response> {
  const { path, query } = targetOf(request);
  const isApi = path.startsWith("/api/");
  refuseForeign(request, isApi, isLoopback);
  const { method } = request;
  const { PAGE_FILES, TOKEN } = await import("./page_files.ts");
  const file = PAGE_FILES.get(path);
  if (file !== undefined) {
    if (method !== "GET" && method !== "HEAD") return wrongMethod(["GET", "HEAD"]);
    const text = path === "/" ? file.text.replace(TOKEN, context.token) : file.text;
    return new Response(text, { headers: { "content-type": file.type } });
  }
  const fitting = routes.flatMap(([method, route, handler]) => {
    const params = paramsOf(path, route);
    return params === undefined ? [] : [{ method, handler, params }];
  });
  if (fitting.length === 0) throw new Refusal("missing", "there is nothing at this path");
  const found = fitting.find((one) => one.method === method);
  if (found === undefined) return wrongMethod(fitting.map((one) => one.method));
  const body = WRITES.includes(method) ? await readWrite(request, context) : {};
  if (body instanceof Response) return body;
  const { params, handler } = found;
  const result = await handler({ params, query: new URLSearchParams(query), body }, context);
  return result instanceof Response ? result : Response.json(result);
}

/** Refuses what a page of another origin has a browser send, or a browser that was misled. */
function refuseForeign(request: Request, isApi: boolean, isLoopback: boolean): void {
  const host = request.headers.get("host") ?? "";
  // Nobody can have a browser take an address for another machine's, unlike a name.
  const isAddress = !isLoopback && /^(?:[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host);
  const guard = { loopback: true, allowedHosts: isAddress ? [host] : [], allowedOrigins: [] };
  const refused = turnAway(request, guard);
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const reason = refused !== undefined
    ? reasonOfResponse(refused)
    : origin !== null && origin !== `http://${host}`
    ? "Forbidden: only the console's own page may use it"
    : isApi && (site === "cross-site" || site === "same-site")
    ? "Forbidden: only the console's own page may use the API from a browser"
    : undefined;
  if (reason !== undefined) throw new Forbidden(reason);
}

class Forbidden extends Error {}

/** The open parts of a path that fits a route. */
function paramsOf(path: string, route: string): string[] | undefined {
  const [parts, wanted] = [path.split("/"), route.split("/")];
  const isOpen = (index: number): boolean => wanted[index]!.startsWith(":");
  const fits = parts.length === wanted.length &&
    parts.every((part, index) => isOpen(index) ? part !== "" : part === wanted[index]);
  return fits ? parts.filter((_, index) => isOpen(index)).map(decoded) : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal("usage", "the path is not percent-encoded UTF-8");
  }
}

/** Reads what a write brings, once it has shown the token. */
async function readWrite(request: Request, { token }: Context): Promise<JsonObject | Response> {
  if (request.headers.get("x-console-token") !== token) {
    throw new Forbidden("Forbidden: a write needs the header X-Console-Token (see GET /api/about)");
  }
  if (request.method === "DELETE") return {};
  if (!declaresJson(request.headers.get("content-type"))) {
    return errorResponse(415, "Content-Type must be application/json");
  }
  const text = await readBody(request);
  if (text instanceof Response) {
    return errorResponse(text.status, reasonOfResponse(text) ?? "the body cannot be read");
  }
  const body = parseJson(text, "the body");
  if (isJsonObject(body)) return body;
  throw new Refusal("usage", "the body must be a JSON object");
}

function wrongMethod(allowed: readonly string[]): Response {
  const response = errorResponse(405, `only ${allowed.join(", ")} can be used here`);
  response.headers.set("allow", allowed.join(", "));
  return response;
}

function errorResponse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

function problemResponse(error: unknown, { note, commandLine }: Context): Response {
  if (error instanceof Forbidden) return errorResponse(403, error.message);
  if (error instanceof Refusal) {
    const see = error.see === undefined ? "" : ` (see: ${commandLine(error.see)})`;
    return errorResponse(STATUS[error.kind], error.message.replaceAll("\n", " ") + see);
  }
  if (error instanceof FixtureError) return errorResponse(409, error.message);
  if (error instanceof OverridesFileError) {
    return errorResponse(500, error.message.replaceAll("\n", " "));
  }
  note(`the console failed: ${reasonOf(error)}`);
  return errorResponse(500, reasonOf(error));
}
