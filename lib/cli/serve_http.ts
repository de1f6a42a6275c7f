import { serveHttp as listen } from "../transport/http.ts";
import { CliError } from "./failure.ts";
import { listenProblem } from "./listen_problem.ts";
import { announce, prepareForCalls, type Server } from "./start.ts";
import type { StartOptions } from "./start_options.ts";

/**
 * Serves over HTTP until a signal comes.
 *
 * @param server The server.
 * @throws {CliError} When it cannot listen.
 */
export async function serveHttp(server: Server): Promise<void> {
  const { twin, options, tell, stopped } = server;
  const listener = listening(options, () =>
    listen(twin, {
      host: options.host,
      port: options.port,
      guard: { allowedHosts: options.allowHost, allowedOrigins: options.allowOrigin },
      limits: { idleMs: options.sessionIdle, max: options.maxSessions },
    }));
  warnings(options, listener.loopback).forEach((warning) => tell(warning));
  await announce(server, addresses(options.host, listener.port));
  prepareForCalls(server);
  await stopped;
  await listener.close();
}

function listening<T>(options: StartOptions, serve: () => T): T {
  try {
    return serve();
  } catch (error) {
    throw new CliError(listenProblem(options, error));
  }
}

/** Where the server can be reached on this machine, which it always can. */
function addresses(host: string, port: number): string[] {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const base = `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
  return [
    `Streamable HTTP  ${base}/mcp`,
    `Legacy SSE       ${base}/sse`,
    `Health           ${base}/health`,
    `Claude Code      claude mcp add --transport http careem-mcp ${base}/mcp`,
  ];
}

function warnings({ host, allowHost, allowOrigin }: StartOptions, loopback: boolean): string[] {
  const warnings: string[] = [];
  if (!loopback) {
    warnings.push(`Warning: ${host} is reachable from other machines, and there is no login.`);
  }
  if (!loopback && allowHost.length === 0) {
    warnings.push(
      "Warning: any Host is served, so any website that a browser in this network visits can " +
        "reach this server. Name the right ones with --allow-host.",
    );
  }
  if (allowHost.includes("*")) {
    warnings.push(
      "Warning: --allow-host '*' lets any website that a browser visits reach this server.",
    );
  }
  if (allowOrigin.includes("*")) {
    warnings.push(
      "Warning: --allow-origin '*' lets any website that a browser visits read the answers.",
    );
  }
  return warnings;
}
