import assert from "node:assert/strict";
import { CLIENT_NAMES, clientConfig, type Connection } from "../../lib/cli/config.ts";
import { launchOf } from "../../lib/cli/installation.ts";
import { ROOT } from "../support/program.ts";
import { makeProject, run } from "./_program.ts";

const UNIX: Connection = {
  transport: undefined,
  port: 8787,
  launch: { command: "/opt/my apps/careem-mcp", args: ["--stdio"] },
  windows: false,
  mac: false,
};
const WINDOWS: Connection = {
  ...UNIX,
  launch: { command: "C:\\My Apps\\careem-mcp.exe", args: ["--stdio"] },
  windows: true,
};

/** This installation's command: the executable, or Deno with what has it run the sources. */
const EXECUTABLE = Deno.env.get("CAREEM_MCP_EXECUTABLE");
const COMMAND = EXECUTABLE ?? Deno.execPath();
const FIRST = EXECUTABLE ? [] : [
  ...["run", "--quiet", "--no-prompt", "--frozen", "--config", `${ROOT}deno.json`],
  ...["--permission-set", `${ROOT}main.ts`],
];

Deno.test("each client gets its configuration in its own words", () => {
  const url = "http://127.0.0.1:8787/mcp";
  const servers = (value: object): object => ({ mcpServers: { "careem-mcp": value } });
  const start = { command: "/opt/my apps/careem-mcp", args: ["--stdio"] };
  const json: [string, "http" | "stdio", object][] = [
    ["claude-desktop", "stdio", servers(start)],
    ["cursor", "http", servers({ url })],
    ["cursor", "stdio", servers(start)],
    ["vscode", "http", { servers: { "careem-mcp": { type: "http", url } } }],
    ["vscode", "stdio", { servers: { "careem-mcp": { type: "stdio", ...start } } }],
    ["windsurf", "http", servers({ serverUrl: url })],
    ["windsurf", "stdio", servers(start)],
  ];
  for (const [client, transport, expected] of json) {
    const { text } = clientConfig(client, { ...UNIX, transport });
    assert.deepEqual(JSON.parse(text), expected, client);
  }
  const texts: [string, "http" | "stdio", string][] = [
    ["claude-code", "http", `claude mcp add --transport http careem-mcp ${url}`],
    ["claude-code", "stdio", "claude mcp add careem-mcp -- '/opt/my apps/careem-mcp' --stdio"],
    ["codex", "http", `[mcp_servers.careem-mcp]\nurl = "${url}"`],
    [
      "codex",
      "stdio",
      '[mcp_servers.careem-mcp]\ncommand = "/opt/my apps/careem-mcp"\nargs = ["--stdio"]',
    ],
    [
      "chatgpt",
      "http",
      "cloudflared tunnel --url http://127.0.0.1:8787 --http-host-header 127.0.0.1:8787",
    ],
    [
      "inspector",
      "http",
      `npx @modelcontextprotocol/inspector --transport http --server-url ${url}`,
    ],
    [
      "inspector",
      "stdio",
      "npx @modelcontextprotocol/inspector -- '/opt/my apps/careem-mcp' --stdio",
    ],
  ];
  for (const [client, transport, expected] of texts) {
    assert.equal(clientConfig(client, { ...UNIX, transport }).text, expected, client);
  }
});

Deno.test("each client says where its configuration belongs, in the words of the system", () => {
  const cases: [string, Connection, RegExp][] = [
    ["codex", UNIX, /~\/\.codex\/config\.toml/],
    ["codex", WINDOWS, /%USERPROFILE%\\\.codex\\config\.toml/],
    ["cursor", WINDOWS, /%USERPROFILE%\\\.cursor\\mcp\.json/],
    ["windsurf", UNIX, /~\/\.codeium\/windsurf\/mcp_config\.json/],
    ["vscode", UNIX, /\.vscode\/mcp\.json/],
    ["claude-desktop", UNIX, /~\/\.config\/Claude\/claude_desktop_config\.json/],
    ["claude-desktop", { ...UNIX, mac: true }, /~\/Library\/Application Support\/Claude\//],
    ["claude-desktop", WINDOWS, /%APPDATA%\\Claude\\claude_desktop_config\.json/],
    ["claude-code", UNIX, /Run this in a terminal/],
    ["chatgpt", UNIX, /Developer mode/],
    ["inspector", UNIX, /Run this in a terminal/],
  ];
  for (const [client, connection, place] of cases) {
    assert.match(clientConfig(client, connection).place.join("\n"), place, client);
  }
});

Deno.test("Windows paths are escaped as JSON, TOML and the shell want them", () => {
  const escaped = '"C:\\\\My Apps\\\\careem-mcp.exe"';
  for (const client of ["claude-desktop", "cursor", "vscode", "windsurf", "codex"]) {
    const { text } = clientConfig(client, { ...WINDOWS, transport: "stdio" });
    assert(text.includes(escaped), text);
  }
  const { text } = clientConfig("claude-code", { ...WINDOWS, transport: "stdio" });
  assert.equal(text, 'claude mcp add careem-mcp -- "C:\\My Apps\\careem-mcp.exe" --stdio');
});

Deno.test("odd characters in a path survive every quoting", () => {
  const command = `/a b/it's "$HOME" \\ é\u007f`;
  const connection: Connection = {
    ...UNIX,
    transport: "stdio",
    launch: { command, args: [] },
  };
  assert.equal(
    clientConfig("claude-code", connection).text,
    `claude mcp add careem-mcp -- '/a b/it'\\''s "$HOME" \\ é\u007f'`,
  );
  const toml = clientConfig("codex", connection).text.split("\n")[1];
  assert.equal(toml, 'command = "/a b/it\'s \\"$HOME\\" \\\\ é\\u007f"');
  const { mcpServers } = JSON.parse(clientConfig("cursor", connection).text);
  assert.equal(mcpServers["careem-mcp"].command, command);
});

Deno.test("a transport that a client does not have is refused", () => {
  const cases: [string, "http" | "stdio", string][] = [
    ["chatgpt", "stdio", "chatgpt cannot use stdio, only http."],
    ["claude-desktop", "http", "claude-desktop cannot use http, only stdio."],
  ];
  for (const [client, transport, message] of cases) {
    assert.throws(() => clientConfig(client, { ...UNIX, transport }), { message });
  }
});

Deno.test("an installation is started by its executable, or by the Deno that runs now", () => {
  const checkout = {
    standalone: false,
    executable: "/usr/bin/deno",
    home: "/src/it",
    windows: false,
  };
  assert.deepEqual(launchOf(checkout, ["--stdio"]), {
    command: "/usr/bin/deno",
    args: [
      ...["run", "--quiet", "--no-prompt", "--frozen", "--config", "/src/it/deno.json"],
      ...["--permission-set", "/src/it/main.ts", "--stdio"],
    ],
  });
  assert.deepEqual(
    launchOf({ ...checkout, standalone: true, executable: "/opt/careem-mcp" }, ["--stdio"]),
    { command: "/opt/careem-mcp", args: ["--stdio"] },
  );
  const { command, args } = launchOf(
    { standalone: false, executable: "C:\\deno.exe", home: "C:\\it", windows: true },
    ["--stdio"],
  );
  assert.equal(command, "C:\\deno.exe");
  assert.deepEqual(args.slice(-5), [
    "--config",
    "C:\\it\\deno.json",
    "--permission-set",
    "C:\\it\\main.ts",
    "--stdio",
  ]);
});

Deno.test("`config` prints what to paste on stdout and where on stderr, for every client", async () => {
  await Promise.all(CLIENT_NAMES.map(async (client) => {
    const { code, out, err } = await run(["config", client]);
    assert.equal(code, 0, err);
    assert(out.length > 0 && err.length > 0, client);
    assert(!/Belongs|Run this|must be running/.test(out), out);
    assert.equal(/must be running: careem-mcp start\n/.test(err), /8787/.test(out), client);
  }));
  using project = makeProject();
  const { err } = await run([
    "config",
    "cursor",
    "--port",
    "9000",
    "--tools",
    project.path("tools"),
  ]);
  const line = `careem-mcp start --port 9000 --tools '${project.path("tools")}'`;
  assert(err.endsWith(`The server must be running: ${line}\n`), err);
});

Deno.test("`config` names the real paths of this installation, and a project by its whole path", async () => {
  using project = makeProject();
  const [plain, some] = await Promise.all([
    run(["config", "codex"]),
    run(
      ["config", "claude-desktop", "--tools", "tools", "--overrides", "o.json", "--project", "."],
      { cwd: project.directory },
    ),
  ]);
  assert.equal(
    plain.out,
    `[mcp_servers.careem-mcp]\ncommand = ${JSON.stringify(COMMAND)}\n` +
      `args = [${[...FIRST, "--stdio"].map((word) => JSON.stringify(word)).join(", ")}]\n`,
  );
  assert.deepEqual(JSON.parse(some.out).mcpServers["careem-mcp"], {
    command: COMMAND,
    args: [
      ...FIRST,
      ...["--stdio", "--project", project.directory, "--tools", project.path("tools")],
      ...["--overrides", project.path("o.json")],
    ],
  });
});

Deno.test("a desktop client can start what `config` prints, whose PATH is short, with spaces in every path", async () => {
  using project = makeProject();
  const { out } = await project.run(["config", "claude-desktop"]);
  const { command, args } = JSON.parse(out).mcpServers["careem-mcp"];
  const child = new Deno.Command(command, {
    args,
    cwd: "/",
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", HOME: Deno.env.get("HOME") ?? "/" },
  }).spawn();
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const [output] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(ping).body!.pipeTo(child.stdin),
  ]);
  assert.equal(output, '{"jsonrpc":"2.0","id":1,"result":{}}\n');
  assert.equal((await child.status).code, 0);
});

Deno.test("an unknown client is told which one may be meant, with exit code 2", async () => {
  const { code, out, err } = await run(["config", "claud-code"]);
  assert.deepEqual([code, out], [2, ""]);
  assert.match(
    err,
    /^careem-mcp: unknown client `claud-code`, did you mean `claude-code`\?\nKnown are: claude-code,/,
  );
  const wrong = await run(["config", "chatgpt", "--transport", "stdio"]);
  assert.deepEqual([wrong.code, wrong.err], [
    2,
    "careem-mcp: chatgpt cannot use stdio, only http.\n",
  ]);
});
