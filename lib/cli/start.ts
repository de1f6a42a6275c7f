import { overridesReader } from "../store/overrides_file.ts";
import { systemEnvironment } from "../template/render.ts";
import { createLog, type Log, type LogFormat } from "../server/log.ts";
import { createTwin, type Twin } from "../server/twin.ts";
import { isLoopbackName } from "../transport/guard.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import type { Io } from "./io.ts";
import { openStore, type Project } from "./project.ts";

/** The flags of `start`, defaults filled in. */
export interface StartOptions {
  readonly stdio: boolean;
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly serverVersion: string;
  readonly widgetDomain: string;
  readonly outputSchema: boolean;
  readonly meta: boolean;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly exposeFixtureErrors: boolean;
  /** Milliseconds. */
  readonly sessionIdle: number;
  readonly maxSessions: number;
  readonly log: LogFormat;
  readonly quiet: boolean;
}

/**
 * Serves, until the client goes away (stdio) or a signal comes (HTTP).
 *
 * @param options The flags.
 * @param project Where fixtures and overrides are.
 * @param io The streams.
 * @returns The exit code.
 * @throws {FixtureError} When a tool file cannot be used.
 * @throws {CliError} When the server cannot listen.
 */
export async function start(options: StartOptions, project: Project, io: Io): Promise<ExitCode> {
  const log = logFor(options, io);
  const twin = createTwin(
    {
      name: options.name,
      version: options.serverVersion,
      widgetDomain: options.widgetDomain,
      outputSchema: options.outputSchema,
      meta: options.meta,
    },
    {
      store: openStore(project),
      overrides: overridesReader(project.overridesPath),
      environment: systemEnvironment,
      log,
      exposeFixtureErrors: options.exposeFixtureErrors,
    },
  );
  return options.stdio
    ? await startStdio(twin, project, options, io)
    : await startHttp(twin, project, options, io);
}

async function startStdio(
  twin: Twin,
  project: Project,
  options: StartOptions,
  io: Io,
): Promise<ExitCode> {
  const { serveStdio } = await import("../transport/stdio.ts");
  if (!options.quiet) banner(twin, project, ["stdio"]).forEach(io.err);
  const served = serveStdio(twin, { input: Deno.stdin.readable, write: writeOutput });
  await Promise.race([served, stopSignal()]);
  return EXIT.done;
}

async function startHttp(
  twin: Twin,
  project: Project,
  options: StartOptions,
  io: Io,
): Promise<ExitCode> {
  const { serveHttp } = await import("../transport/http.ts");
  const loopback = isLoopbackName(options.host);
  warnings(options, loopback).forEach(io.err);
  const server = listening(options, () =>
    serveHttp(twin, {
      host: options.host,
      port: options.port,
      guard: { loopback, allowedHosts: options.allowHost, allowedOrigins: options.allowOrigin },
      limits: { idleMs: options.sessionIdle, max: options.maxSessions },
    }));
  if (!options.quiet) {
    const name = options.host.includes(":") ? `[${options.host}]` : options.host;
    banner(twin, project, addresses(`http://${name}:${server.port}`)).forEach(io.err);
  }
  await stopSignal();
  await server.close();
  return EXIT.done;
}

/** Lets the call log be read by whoever wants it; a quiet server still tells of trouble. */
function logFor({ log, quiet }: StartOptions, io: Io): Log {
  const full = createLog(log, io.err);
  if (!quiet) return full;
  return {
    call: (record) => record.problem !== undefined && full.call(record),
    note: full.note,
  };
}

function listening<T>({ host, port }: StartOptions, serve: () => T): T {
  try {
    return serve();
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      throw new CliError(
        `Port ${port} on ${host} is taken. Stop what uses it, or take another: --port ${port + 1}`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`Cannot listen on ${host}:${port}: ${reason}\nTry --host 127.0.0.1`);
  }
}

function addresses(base: string): string[] {
  return [
    `Streamable HTTP  ${base}/mcp`,
    `Legacy SSE       ${base}/sse`,
    `Health           ${base}/health`,
    `Claude Code      claude mcp add --transport http careem-mcp ${base}/mcp`,
  ];
}

function banner(twin: Twin, project: Project, lines: readonly string[]): string[] {
  const scenarios = [...twin.store.fixtures.values()]
    .reduce((sum, fixture) => sum + fixture.scenarios.length, 0);
  const source = project.embedded ? "the copy inside the executable" : project.toolsDirectory;
  const forced = [...twin.overrides()].map(([tool, scenario]) => `${tool} → ${scenario}`);
  return [
    `careem-mcp is serving ${twin.tools.size} tools, ${scenarios} scenarios`,
    ...lines.map((line) => `  ${line}`),
    `  Fixtures         ${source}`,
    `  Overrides        ${project.overridesPath}`,
    `  Forced           ${forced.length === 0 ? "nothing" : forced.join(", ")}`,
  ];
}

function warnings({ host, allowHost }: StartOptions, loopback: boolean): string[] {
  if (!loopback) {
    return [`Warning: ${host} is reachable from other machines, and there is no login.`];
  }
  if (allowHost.includes("*")) {
    return ["Warning: --allow-host '*' lets any website a browser visits reach this server."];
  }
  return [];
}

async function writeOutput(bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.byteLength > 0) rest = rest.subarray(await Deno.stdout.write(rest));
}

/** Resolves at SIGINT or SIGTERM (Ctrl+C or Ctrl+Break on Windows). */
function stopSignal(): Promise<void> {
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM"];
  return new Promise((resolve) => {
    for (const signal of signals) Deno.addSignalListener(signal, () => resolve());
  });
}
