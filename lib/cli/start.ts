import type { Console } from "../console/console.ts";
import { SCAFFOLD } from "../check/check_scaffold.ts";
import { entryText, isForcing, problemText } from "../control/entry_text.ts";
import { openJournal } from "../control/journal.ts";
import { ANY_REQUEST, ANY_TOOL, type Overrides } from "../control/overrides.ts";
import { overridesReader } from "../control/overrides_file.ts";
import type { KnownTools } from "../control/overrides_problems.ts";
import { createSteering } from "../control/steering.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { count, plain } from "../plain.ts";
import { systemEnvironment } from "../template/environment.ts";
import { aboutLog, createLog, type Log } from "../mcp/log.ts";
import { type LogWriter, openLogWriter } from "../mcp/log_writer.ts";
import { createTwin, type Twin } from "../mcp/twin.ts";
import { CliError, EXIT, type ExitCode } from "./io.ts";
import { listenProblem } from "./listen_problem.ts";
import { openStore, placeOfFixtures, type Project } from "./project.ts";
import type { StartOptions } from "./start_options.ts";

const encoder = new TextEncoder();

/** Tells the developer something. */
interface Tell {
  /** Text, on one line or several. */
  (text: string): void;
  /** Tells programs that read the log, before anything else, where the server is. */
  listening(where: { url?: string; port?: number; transport: "http" | "stdio" }): void;
}

/** How long a client may take from the start to the last answer of its handshake. */
const HANDSHAKE_MS = 200;

/** How long the last lines of the log may take to leave. */
const FLUSH_MS = 200;
/** The same for the journal, whose disk may be busy. */
const JOURNAL_FLUSH_MS = 1_000;

/**
 * Serves, until the client goes away (stdio) or a signal comes (HTTP).
 *
 * @param options The flags.
 * @param project Where fixtures and overrides are.
 * @returns The exit code.
 * @throws {FixtureError} When a tool file cannot be used.
 * @throws {CliError} When the server cannot listen.
 */
export async function start(options: StartOptions, project: Project): Promise<ExitCode> {
  // Listened for from here on: whoever reads that the server is up may end it at once.
  const stopped = stopSignal();
  const writer = openLogWriter(
    (text) => writeAll(Deno.stderr, encoder.encode(text)),
    (message) => aboutLog(options.log, message),
  );
  const log = logFor(options, writer);
  // As JSON for whoever reads the log as JSON; and never waiting for a reader, who may not be there.
  const tell: Tell = (text) => {
    if (options.log === "json") log.note(text);
    else text.split("\n").forEach(writer.line);
    // Somebody may be waiting to read that the server is up.
    writer.flush(0);
  };
  tell.listening = (where) => {
    if (options.log !== "json") return;
    const time = new Date().toISOString();
    writer.line(JSON.stringify({ event: "listening", ...where, time }));
    writer.flush(0);
  };
  const journal = options.journal ? openJournal(project.callsPath, log.note) : undefined;
  const store = openStore(project);
  const twin = createTwin(
    {
      name: options.name,
      version: options.serverVersion,
      widgetDomain: options.widgetDomain,
      outputSchema: options.outputSchema,
      meta: options.meta,
    },
    {
      store,
      overrides: overridesReader(project.overridesPath),
      steering: createSteering(
        store.fixtures.keys(),
        (problem) => log.note(`Warning: ${problemText(project.overridesPath, problem)}`),
      ),
      ...(journal !== undefined && { journal }),
      environment: systemEnvironment,
      log,
      exposeFixtureErrors: options.exposeFixtureErrors,
    },
  );
  const serve = options.stdio ? startStdio : startHttp;
  const code = await serve(twin, project, options, tell, stopped);
  // The journal first: why it cannot be written is told in the log.
  await journal?.flush(JOURNAL_FLUSH_MS);
  await writer.flush(FLUSH_MS);
  return code;
}

async function startStdio(
  twin: Twin,
  project: Project,
  options: StartOptions,
  tell: Tell,
  stopped: Promise<void>,
): Promise<ExitCode> {
  const [{ serveStdio }, { standardInput }] = await Promise.all([
    import("../stdio/stdio.ts"),
    import("../stdio/byte_source.ts"),
  ]);
  const served = serveStdio(twin, {
    input: standardInput(),
    write: (bytes) => writeAll(Deno.stdout, bytes),
  });
  tell.listening({ transport: "stdio" });
  // To tell what is forced, a tool file may have to be read, which takes a third of an empty program's
  // start, and a client waits for its handshake.
  const since = Date.now();
  await Promise.race([handshakeOver(), served, stopped]);
  await watchFiles(twin, project, since);
  await announce(twin, project, options, ["stdio"], tell);
  await startConsole(twin, project, options, tell);
  const endedWell = await Promise.race([served, stopped]);
  return endedWell === false ? EXIT.failed : EXIT.done;
}

async function startHttp(
  twin: Twin,
  project: Project,
  options: StartOptions,
  tell: Tell,
  stopped: Promise<void>,
): Promise<ExitCode> {
  const { serveHttp } = await import("../http/http.ts");
  const server = listening(options, () =>
    serveHttp(twin, {
      host: options.host,
      port: options.port,
      guard: { allowedHosts: options.allowHost, allowedOrigins: options.allowOrigin },
      limits: { idleMs: options.sessionIdle, max: options.maxSessions },
    }));
  const { port } = server;
  const base = baseUrl(options.host, port);
  tell.listening({ url: `${base}/mcp`, port, transport: "http" });
  await watchFiles(twin, project, Date.now());
  warnings(options, server.loopback).forEach((warning) => tell(warning));
  await announce(twin, project, options, addresses(base), tell);
  const console = await startConsole(twin, project, options, tell);
  await stopped;
  await Promise.all([server.close(), console?.close()]);
  return EXIT.done;
}

/** Serves the console beside the server, which goes on without it where its port is taken. */
async function startConsole(
  { appearance, log }: Twin,
  project: Project,
  { console: isWanted, consolePort: port, host, quiet }: StartOptions,
  tell: Tell,
): Promise<Console | undefined> {
  if (!isWanted) return undefined;
  const { openConsole } = await import("./console.ts");
  try {
    const opened = openConsole({ host, port }, project, appearance, log.note);
    if (!quiet) tell(`  Console          ${opened.url}`);
    return opened;
  } catch (error) {
    const [reason] = listenProblem({ host, port }, error, "--console-port").split("\n");
    tell(`Warning: there is no console. ${reason}`);
    return undefined;
  }
}

/** Resolves when a client has had the time to ask for what it asks for at once. */
function handshakeOver(): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, HANDSHAKE_MS)));
}

/** Lets the call log be read by whoever wants it; a quiet server still tells of trouble. */
function logFor({ log, quiet }: StartOptions, { line }: LogWriter): Log {
  const full = createLog(log, line);
  if (!quiet) return full;
  return {
    call: (record) => record.problem !== undefined && full.call(record),
    note: full.note,
  };
}

function listening<T>(options: StartOptions, serve: () => T): T {
  try {
    return serve();
  } catch (error) {
    throw new CliError(listenProblem(options, error));
  }
}

/** Where the server can be reached on this machine, which it always can. */
function baseUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function addresses(base: string): string[] {
  return [
    `Streamable HTTP  ${base}/mcp`,
    `Legacy SSE       ${base}/sse`,
    `Health           ${base}/health`,
    `Claude Code      claude mcp add --transport http careem-mcp ${base}/mcp`,
  ];
}

/** Has the log tell what in the files takes a restart. */
async function watchFiles({ store, log }: Twin, project: Project, since: number): Promise<void> {
  if (project.embedded) return;
  const { folderChanges, watchFolder } = await import("../store/folder_changes.ts");
  watchFolder(project.toolsDirectory, since, folderChanges(store.fixtures, log.note));
}

/** Tells that the server is up, unless it is to be quiet, and what the overrides file comes to. */
async function announce(
  twin: Twin,
  project: Project,
  { quiet }: StartOptions,
  lines: readonly string[],
  tell: Tell,
): Promise<void> {
  const overrides = await twin.overrides();
  const tools = await namedTools(twin, overrides);
  if (!quiet) tell(banner(twin, project, lines, overrides, tools));
  if (!project.embedded) warnOfScaffolds(twin, tell);
  for (const problem of twin.steering.review(overrides, tools)) {
    tell(`Warning: ${problemText(project.overridesPath, problem)}`);
  }
}

/** Clients are not to take for real what `import` made up for a new tool. */
function warnOfScaffolds({ store }: Twin, tell: Tell): void {
  const made = [...store.fixtures.values()].filter(({ path }) => {
    try {
      return Deno.readTextFileSync(path).includes(`\n${SCAFFOLD}`);
    } catch {
      return false;
    }
  });
  for (const { tool, path } of made) {
    tell(`Warning: ${plain(tool)} answers with a sample; write its answers in ${path}`);
  }
}

/** All tools, with the fixtures of those that the overrides say something of. */
async function namedTools({ store }: Twin, { entries }: Overrides): Promise<KnownTools> {
  const forAll = entries.get(ANY_TOOL)?.steps.some(({ scenario }) => scenario !== undefined);
  const tools = new Map<string, Fixture | undefined>();
  for (const tool of store.fixtures.keys()) {
    // One that broke since the start is told by its next call.
    const fixture = forAll || entries.has(tool)
      ? await Promise.resolve().then(() => store.read(tool)).catch(() => undefined)
      : undefined;
    tools.set(tool, fixture);
  }
  return tools;
}

function banner(
  twin: Twin,
  project: Project,
  lines: readonly string[],
  { entries }: Overrides,
  tools: KnownTools,
): string {
  const { scenarioCount } = twin.store;
  const scenarios = scenarioCount === undefined ? "" : `, ${count(scenarioCount, "scenario")}`;
  const forced = [...entries]
    .filter(([key, entry]) =>
      (tools.has(key) || [ANY_TOOL, ANY_REQUEST].includes(key)) && isForcing(entry, tools.get(key))
    )
    .map(([key, entry]) => `${plain(key)} → ${entryText(entry, tools.get(key))}`);
  return [
    `careem-mcp is serving ${count(twin.tools.size, "tool")}${scenarios}`,
    ...lines.map((line) => `  ${line}`),
    `  Fixtures         ${placeOfFixtures(project)}`,
    `  Overrides        ${project.overridesPath}`,
    `  Calls            ${twin.journal === undefined ? "not written down" : project.callsPath}`,
    `  Forced           ${forced.length === 0 ? "nothing" : forced.join(`\n${" ".repeat(19)}`)}`,
  ].join("\n");
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

async function writeAll(to: typeof Deno.stdout, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.byteLength > 0) rest = rest.subarray(await to.write(rest));
}

/** Resolves at SIGINT or SIGTERM (Ctrl+C or Ctrl+Break on Windows). */
export function stopSignal(): Promise<void> {
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM"];
  return new Promise((resolve) => {
    for (const signal of signals) Deno.addSignalListener(signal, () => resolve());
  });
}
