import { didYouMean } from "../suggest.ts";
import { commandLine, type Launch, launchOf, shellWord } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import type { Project, ProjectFlags } from "./project.ts";
import { START_DEFAULTS } from "./start_options.ts";
import { paintFor } from "./style.ts";

/** How a client reaches the server. */
export type TransportKind = "http" | "stdio";

/** The flags of `config`. */
export interface ConfigFlags extends ProjectFlags {
  readonly transport?: TransportKind;
  readonly port: number;
}

/** What a configuration is made of. */
export interface Connection {
  /** `undefined` takes the client's usual one. */
  readonly transport: TransportKind | undefined;
  /** The port of the HTTP server. */
  readonly port: number;
  /** The command that starts the server over stdio. */
  readonly launch: Launch;
  readonly windows: boolean;
  readonly mac: boolean;
}

/** A configuration to paste, and where it goes. */
export interface ClientConfig {
  readonly transport: TransportKind;
  /** Nothing but what is to be pasted. */
  readonly text: string;
  /** Where it belongs, and what else to do. */
  readonly place: readonly string[];
}

/** How one client is configured. */
interface Client {
  /** What to paste, by transport; the first one is the usual one. */
  readonly text: { readonly [Kind in TransportKind]?: (connection: Connection) => string };
  readonly place: (connection: Connection) => string;
}

const NAME = "careem-mcp";

const RUN_IT = "Run this in a terminal";

/** Sources: each client's own manual of MCP servers, and docs/SPEC.md. */
const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-code": {
    text: {
      http: (connection) => `claude mcp add --transport http ${NAME} ${urlOf(connection)}`,
      stdio: (connection) => `claude mcp add ${NAME} -- ${shellLine(connection)}`,
    },
    place: () => `${RUN_IT}, in the folder you use Claude Code in; --scope user adds it for all.`,
  },
  "claude-desktop": {
    text: { stdio: ({ launch }) => serversJson(launch) },
    place: ({ windows, mac }) => {
      const folder = windows
        ? "%APPDATA%\\Claude\\"
        : mac
        ? "~/Library/Application Support/Claude/"
        : "~/.config/Claude/";
      return `Belongs in ${folder}claude_desktop_config.json (Settings, Developer, Edit Config).\n` +
        "Restart Claude Desktop afterwards.";
    },
  },
  "codex": {
    text: {
      stdio: ({ launch: { command, args } }) =>
        `[mcp_servers.${NAME}]\ncommand = ${tomlString(command)}\n` +
        `args = [${args.map(tomlString).join(", ")}]`,
      http: (connection) => `[mcp_servers.${NAME}]\nurl = ${tomlString(urlOf(connection))}`,
    },
    place: ({ windows }) => `Belongs in ${homeFile(windows, ".codex/config.toml")}.`,
  },
  "cursor": {
    text: {
      http: (connection) => serversJson({ url: urlOf(connection) }),
      stdio: ({ launch }) => serversJson(launch),
    },
    place: ({ windows }) =>
      `Belongs in ${homeFile(windows, ".cursor/mcp.json")}, or in .cursor/mcp.json of a project.`,
  },
  "vscode": {
    text: {
      http: (connection) => serversJson({ type: "http", url: urlOf(connection) }, "servers"),
      stdio: ({ launch }) => serversJson({ type: "stdio", ...launch }, "servers"),
    },
    place: () =>
      "Belongs in .vscode/mcp.json of a workspace, or in the user's mcp.json " +
      "(command: MCP: Open User Configuration).",
  },
  "windsurf": {
    text: {
      http: (connection) => serversJson({ serverUrl: urlOf(connection) }),
      stdio: ({ launch }) => serversJson(launch),
    },
    place: ({ windows }) => `Belongs in ${homeFile(windows, ".codeium/windsurf/mcp_config.json")}.`,
  },
  "chatgpt": {
    text: {
      // The tunnel is told to send a loopback Host, as the server turns other names away.
      http: ({ port }) =>
        `cloudflared tunnel --url http://127.0.0.1:${port} --http-host-header 127.0.0.1:${port}`,
    },
    place: () =>
      `${RUN_IT} beside the server; it prints an address https://….trycloudflare.com.\n` +
      "In ChatGPT's settings turn Developer mode on and add a connector with that address and\n" +
      "/mcp at its end, without authentication. Whoever knows the address can reach the server.",
  },
  "inspector": {
    text: {
      http: (connection) =>
        `npx @modelcontextprotocol/inspector --transport http --server-url ${urlOf(connection)}`,
      stdio: (connection) => `npx @modelcontextprotocol/inspector -- ${shellLine(connection)}`,
    },
    place: () => `${RUN_IT}; the Inspector opens in the browser.`,
  },
};

/** The clients that {@linkcode clientConfig} knows. */
export const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS);

/**
 * Prints what to paste to connect a client to this installation. Standard output holds nothing
 * else; where it belongs is said on standard error.
 *
 * @param flags How it is to connect; flags about the project are passed on to the server.
 */
export function config(
  client: string,
  flags: ConfigFlags,
  project: Project,
  home: string,
  io: Io,
): ExitCode {
  if (!CLIENT_NAMES.includes(client)) {
    throw new CliError(
      `unknown client \`${client}\`${didYouMean(client, CLIENT_NAMES)}\n` +
        `Known are: ${CLIENT_NAMES.join(", ")}`,
      EXIT.usage,
    );
  }
  const { standalone, os } = Deno.build;
  const windows = os === "windows";
  const passedOn = projectArgs(flags, project);
  const installation = { standalone, executable: Deno.execPath(), home, windows };
  const { transport, text, place } = clientConfig(client, {
    transport: flags.transport,
    port: flags.port,
    launch: launchOf(installation, ["--stdio", ...passedOn]),
    windows,
    mac: os === "darwin",
  });
  io.out(text);
  const quiet = (line: string): void => io.err(paintFor(io, "err")("quiet", line));
  place.forEach(quiet);
  if (transport === "http") {
    const port = flags.port === START_DEFAULTS.port ? [] : ["--port", String(flags.port)];
    quiet(`The server must be running: ${commandLine(["start", ...port, ...passedOn])}`);
  }
  return EXIT.done;
}

/** Words the configuration of an MCP client; refuses a transport that it cannot use. */
export function clientConfig(client: string, connection: Connection): ClientConfig {
  const { text, place } = CLIENTS[client]!;
  const known = Object.keys(text) as TransportKind[];
  const transport = connection.transport ?? known[0]!;
  const write = text[transport];
  if (write === undefined) {
    throw new CliError(
      `${client} cannot use ${transport}, only ${known.join(" or ")}.`,
      EXIT.usage,
    );
  }
  return { transport, text: write(connection), place: place(connection).split("\n") };
}

/** A client starts the server in a folder of its own choosing, so paths are passed on whole. */
function projectArgs(flags: ProjectFlags, project: Project): string[] {
  return [
    ...(flags.project === undefined ? [] : ["--project", project.directory]),
    ...(flags.tools === undefined ? [] : ["--tools", project.toolsDirectory]),
    ...(flags.overrides === undefined ? [] : ["--overrides", project.overridesPath]),
    ...(flags.calls === undefined ? [] : ["--calls", project.callsPath]),
  ];
}

function urlOf({ port }: Connection): string {
  return `http://127.0.0.1:${port}/mcp`;
}

function serversJson(entry: object, key = "mcpServers"): string {
  return JSON.stringify({ [key]: { [NAME]: entry } }, null, 2);
}

/** TOML's basic strings are JSON's, but for one character that they want escaped, too. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function homeFile(windows: boolean, path: string): string {
  return windows ? `%USERPROFILE%\\${path.replaceAll("/", "\\")}` : `~/${path}`;
}

function shellLine({ launch, windows }: Connection): string {
  return [launch.command, ...launch.args].map((word) => shellWord(word, windows)).join(" ");
}
