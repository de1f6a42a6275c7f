import type { Fixture } from "../fixture/fixture.ts";
import { plain } from "../plain.ts";
import { builtin } from "../store/builtin.ts";
import { prepareExists } from "../store/exists.ts";
import { patientOverridesReader } from "../store/overrides_file.ts";
import { systemEnvironment } from "../template/environment.ts";
import { aboutLog, createLog, type Log } from "../server/log.ts";
import { type LogWriter, openLogWriter } from "../server/log_writer.ts";
import { createTwin, type Twin } from "../server/twin.ts";
import { EXIT, type ExitCode } from "./failure.ts";
import { type Forced, readForced } from "./forced.ts";
import type { Io } from "./io.ts";
import { openStore, placeOfFixtures, type Project } from "./project.ts";
import type { StartOptions } from "./start_options.ts";

const encoder = new TextEncoder();

/** A server that is about to serve. */
export interface Server {
  readonly twin: Twin;
  readonly project: Project;
  readonly options: StartOptions;
  /** Tells the developer something, on one line or several. */
  readonly tell: (text: string) => void;
  /** Resolves when it is to end. */
  readonly stopped: Promise<void>;
}

/** Serves over one transport until it is to end, or the client has gone. */
export type Serve = (server: Server) => Promise<void>;

/** How long a client may take from the start to the last answer of its handshake. */
const HANDSHAKE_MS = 200;

/** How long the last lines of the log may take to leave. */
const FLUSH_MS = 200;

/**
 * Serves, until the client goes away (stdio) or a signal comes (HTTP).
 *
 * @param options The flags.
 * @param project Where fixtures and overrides are.
 * @param io The streams.
 * @param serve Serves over the transport.
 * @returns The exit code.
 * @throws {FixtureError} When a tool file cannot be used.
 * @throws {CliError} When the server cannot listen.
 */
export async function start(
  options: StartOptions,
  project: Project,
  io: Io,
  serve: Serve,
): Promise<ExitCode> {
  // Listened for from here on: whoever reads that the server is up may end it at once.
  const stopped = stopSignal();
  const writer = openLogWriter(
    (text) => writeAll(Deno.stderr, encoder.encode(text)),
    (message) => aboutLog(options.log, message),
  );
  const log = logFor(options, writer);
  // Whoever reads the log as JSON reads all of it as JSON.
  const tell = options.log === "json" ? log.note : io.err;
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
      overrides: patientOverridesReader(project.overridesPath),
      environment: systemEnvironment,
      log,
      exposeFixtureErrors: options.exposeFixtureErrors,
    },
  );
  await serve({ twin, project, options, tell, stopped });
  await writer.flush(FLUSH_MS);
  return EXIT.done;
}

/**
 * Loads what a first call will need, when the client has had what it asks for at once.
 *
 * @param server The server.
 */
export async function prepareForCalls({ project }: Server): Promise<void> {
  await handshakeOver();
  prepareExists();
  if (project.embedded) builtin("zlib");
  await import("../schema/compile.ts");
}

/** Resolves when a client has had the time to ask for what it asks for at once. */
export function handshakeOver(): Promise<void> {
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

/**
 * Tells that the server is up, unless it is to be quiet, and what the overrides file comes to.
 *
 * @param server The server.
 * @param lines How it can be reached.
 */
export async function announce(
  { twin, project, options: { quiet }, tell }: Server,
  lines: readonly string[],
): Promise<void> {
  const forced = await readForced(project.overridesPath, (tool) => fixtureNow(twin, tool));
  if (!quiet) tell(banner(twin, project, lines, forced));
  if (forced.fault !== undefined) tell(`Warning: ${forced.fault}`);
  for (const trouble of forced.idle.values()) tell(`Warning: ${trouble}`);
}

async function fixtureNow({ store }: Twin, tool: string): Promise<Fixture | undefined> {
  if (!store.fixtures.has(tool)) return undefined;
  try {
    return await store.read(tool);
  } catch {
    // It broke since the start; the next call will tell.
    return undefined;
  }
}

function banner(
  twin: Twin,
  project: Project,
  lines: readonly string[],
  { inForce }: Forced,
): string {
  const { scenarioCount } = twin.store;
  const scenarios = scenarioCount === undefined ? "" : `, ${scenarioCount} scenarios`;
  const forced = [...inForce].map(([tool, scenario]) => `${tool} → ${plain(scenario.name)}`);
  return [
    `careem-mcp is serving ${twin.tools.size} tools${scenarios}`,
    ...lines.map((line) => `  ${line}`),
    `  Fixtures         ${placeOfFixtures(project)}`,
    `  Overrides        ${project.overridesPath}`,
    `  Forced           ${forced.length === 0 ? "nothing" : forced.join(`\n${" ".repeat(19)}`)}`,
  ].join("\n");
}

/**
 * Writes all of some bytes.
 *
 * @param to A standard stream.
 * @param bytes The bytes.
 */
export async function writeAll(to: typeof Deno.stdout, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.byteLength > 0) rest = rest.subarray(await to.write(rest));
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
