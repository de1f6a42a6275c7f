import { PRODUCTION } from "../mcp/twin.ts";
import type { LogFormat } from "../mcp/log.ts";
import {
  hostNames,
  listenAddress,
  milliseconds,
  portNumber,
  positiveInteger,
  type Setting,
  somePath,
  variableOf,
  webOrigin,
  webOrigins,
} from "./settings.ts";

/**
 * Everything that `start` can be told, in the order of its help. A key is the flag in camel case,
 * without `no-`: under that name commander gives its value.
 */
export const START_SETTINGS = {
  stdio: toggle("stdio", false, "serve over standard input and output"),
  port: setting("port", "<number>", 8787, portNumber, "port to listen on"),
  host: setting("host", "<address>", "127.0.0.1", listenAddress, "address to listen on"),
  name: setting("name", "<name>", PRODUCTION.name, asItIs, "server name that clients see"),
  serverVersion: setting(
    "server-version",
    "<version>",
    PRODUCTION.version,
    asItIs,
    "server version that clients see",
  ),
  widgetDomain: setting(
    "widget-domain",
    "<url>",
    PRODUCTION.widgetDomain,
    webOrigin,
    "where the widget's page loads its app from",
  ),
  outputSchema: toggle("no-output-schema", true, "list the tools without outputSchema"),
  meta: toggle("no-meta", true, "list the tools without _meta, and no widget"),
  allowHost: {
    ...setting<readonly string[]>(
      "allow-host",
      "<name>",
      [],
      hostNames,
      "also serve this Host; repeatable, * is any",
    ),
    defaultText: "loopback only",
  },
  allowOrigin: {
    ...setting<readonly string[]>(
      "allow-origin",
      "<origin>",
      [],
      webOrigins,
      "also serve this web origin; repeatable, * is any",
    ),
    defaultText: "loopback only",
  },
  exposeFixtureErrors: toggle(
    "expose-fixture-errors",
    false,
    "tell clients what is wrong with a broken fixture",
  ),
  sessionIdle: {
    ...setting(
      "session-idle",
      "<duration>",
      30 * 60_000,
      milliseconds,
      "end sessions unused for this long",
    ),
    defaultText: "30m",
  },
  maxSessions: setting(
    "max-sessions",
    "<number>",
    1000,
    positiveInteger,
    "end the longest unused past this many",
  ),
  log: {
    flag: "log",
    value: "<format>",
    default: "text" as LogFormat,
    choices: ["text", "json"] satisfies LogFormat[],
    help: "log of calls",
  },
  journal: toggle("no-journal", true, "write no journal of calls"),
  console: toggle("console", false, "serve the console, too (see: careem-mcp console --help)"),
  consolePort: setting("console-port", "<number>", 8788, portNumber, "port of the console"),
  quiet: toggle("quiet", false, "print warnings and errors only"),
};

/** What every command can be told of where its files are. */
export const PROJECT_SETTINGS = {
  project: path("project", "<dir>", "project folder (tools/ and .run/ are in it)"),
  tools: path("tools", "<dir>", "folder of tool files"),
  overrides: path("overrides", "<file>", "file of what is forced"),
  calls: path("calls", "<file>", "file of the journal of calls"),
};

/** The settings of `start`, defaults filled in. */
export type StartOptions = {
  readonly [Name in keyof typeof START_SETTINGS]: (typeof START_SETTINGS)[Name]["default"];
};

/** What `start` does when no flag and no environment variable says otherwise. */
export const START_DEFAULTS: StartOptions = Object.fromEntries(
  Object.entries(START_SETTINGS).map(([name, setting]) => [name, setting.default]),
) as StartOptions;

/** The environment variables that `start` heeds. */
export const START_VARIABLES: readonly string[] = [
  ...Object.values(START_SETTINGS),
  ...Object.values(PROJECT_SETTINGS),
].map(({ flag }) => variableOf(flag));

/** A setting with a value. */
function setting<T>(
  flag: string,
  value: string,
  initial: T,
  parse: (text: string, before: T) => T,
  help: string,
): Setting<T> {
  return { flag, value, default: initial, parse, help };
}

/** A switch; what it is without the flag says what the flag does. */
function toggle(flag: string, initial: boolean, help: string): Setting<boolean> {
  return { flag, default: initial, help };
}

function path(flag: string, value: string, help: string): Setting<string | undefined> {
  return setting<string | undefined>(flag, value, undefined, somePath, help);
}

function asItIs(text: string): string {
  return text;
}
