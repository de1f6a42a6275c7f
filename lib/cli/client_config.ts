import { type Launch, shellWord } from "./installation.ts";
import { CliError, EXIT } from "./io.ts";

/** How a client reaches the server. */
export type TransportKind = "http" | "stdio";

/** What a configuration is made of. */
export interface Connection {
  /** `undefined` takes what the client is best at. */
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

/** How one client is configured. The first of its transports is the usual one. */
interface Client {
  readonly transports: readonly [TransportKind, ...TransportKind[]];
  readonly text: (transport: TransportKind, connection: Connection) => string;
  readonly place: (connection: Connection) => readonly string[];
}

const NAME = "careem-mcp";

const RUN_IT = "Run this in a terminal";

/** Sources: each client's own manual of MCP servers, and docs/SPEC.md. */
const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-code": {
    transports: ["http", "stdio"],
    text: (transport, connection) =>
      transport === "http"
        ? `claude mcp add --transport http ${NAME} ${urlOf(connection)}`
        : `claude mcp add ${NAME} -- ${shellLine(connection)}`,
    place: () => [`${RUN_IT}, in the folder you use Claude Code in; --scope user adds it for all.`],
  },
  "claude-desktop": {
    transports: ["stdio"],
    text: (_transport, { launch }) => json({ mcpServers: { [NAME]: launch } }),
    place: ({ windows, mac }) => [
      `Belongs in ${
        windows
          ? "%APPDATA%\\Claude\\claude_desktop_config.json"
          : mac
          ? "~/Library/Application Support/Claude/claude_desktop_config.json"
          : "~/.config/Claude/claude_desktop_config.json"
      } (Settings, Developer, Edit Config).`,
      "Restart Claude Desktop afterwards.",
    ],
  },
  "codex": {
    transports: ["stdio", "http"],
    text: (transport, connection) =>
      [
        `[mcp_servers.${NAME}]`,
        ...(transport === "http" ? [`url = ${tomlString(urlOf(connection))}`] : [
          `command = ${tomlString(connection.launch.command)}`,
          `args = [${connection.launch.args.map(tomlString).join(", ")}]`,
        ]),
      ].join("\n"),
    place: ({ windows }) => [`Belongs in ${homeFile(windows, ".codex/config.toml")}.`],
  },
  "cursor": {
    transports: ["http", "stdio"],
    text: (transport, connection) =>
      json({
        mcpServers: {
          [NAME]: transport === "http" ? { url: urlOf(connection) } : connection.launch,
        },
      }),
    place: ({ windows }) => [
      `Belongs in ${homeFile(windows, ".cursor/mcp.json")}, or in .cursor/mcp.json of a project.`,
    ],
  },
  "vscode": {
    transports: ["http", "stdio"],
    text: (transport, connection) =>
      json({
        servers: {
          [NAME]: transport === "http"
            ? { type: "http", url: urlOf(connection) }
            : { type: "stdio", ...connection.launch },
        },
      }),
    place: () => [
      "Belongs in .vscode/mcp.json of a workspace, or in the user's mcp.json " +
      "(command: MCP: Open User Configuration).",
    ],
  },
  "windsurf": {
    transports: ["http", "stdio"],
    text: (transport, connection) =>
      json({
        mcpServers: {
          [NAME]: transport === "http" ? { serverUrl: urlOf(connection) } : connection.launch,
        },
      }),
    place: ({ windows }) => [
      `Belongs in ${homeFile(windows, ".codeium/windsurf/mcp_config.json")}.`,
    ],
  },
  "chatgpt": {
    transports: ["http"],
    // The tunnel is told to send a loopback Host, as the server turns other names away.
    text: (_transport, { port }) =>
      `cloudflared tunnel --url http://127.0.0.1:${port} --http-host-header 127.0.0.1:${port}`,
    place: () => [
      `${RUN_IT} beside the server; it prints an address https://….trycloudflare.com.`,
      "In ChatGPT's settings turn Developer mode on and add a connector with that address and",
      "/mcp at its end, without authentication. Whoever knows the address can reach the server.",
    ],
  },
  "inspector": {
    transports: ["http", "stdio"],
    text: (transport, connection) =>
      transport === "http"
        ? `npx @modelcontextprotocol/inspector --transport http --server-url ${urlOf(connection)}`
        : `npx @modelcontextprotocol/inspector -- ${shellLine(connection)}`,
    place: () => [`${RUN_IT}; the Inspector opens in the browser.`],
  },
};

/** The clients that {@linkcode clientConfig} knows. */
export const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS);

/**
 * Words the configuration of an MCP client.
 *
 * @throws {CliError} When the client cannot use the transport asked for.
 */
export function clientConfig(client: string, connection: Connection): ClientConfig {
  const { transports, text, place } = CLIENTS[client]!;
  const transport = connection.transport ?? transports[0];
  if (!transports.includes(transport)) {
    throw new CliError(
      `${client} cannot use ${transport}, only ${transports.join(" or ")}.`,
      EXIT.usage,
    );
  }
  return { transport, text: text(transport, connection), place: place(connection) };
}

function urlOf({ port }: Connection): string {
  return `http://127.0.0.1:${port}/mcp`;
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
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
