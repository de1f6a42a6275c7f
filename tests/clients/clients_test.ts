import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, startServer } from "../support/program.ts";

// Clients that other people wrote, run as their users run them.

const CONFORMANCE = "npm:@modelcontextprotocol/conformance@0.1.16";
const SCENARIOS = [
  "server-initialize",
  "ping",
  "logging-set-level",
  "tools-list",
  "resources-list",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

Deno.test("the official conformance suite's generic scenarios pass", async (t) => {
  await using server = await startServer();
  await using folder = await ownCaches();
  const env = { DENO_DIR: folder.path };
  for (const scenario of SCENARIOS) {
    await t.step(scenario, async () => {
      const options = ["--url", `${server.url}/mcp`, "--scenario", scenario];
      const args = ["run", "-A", "--quiet", CONFORMANCE, "server", ...options];
      const { code, output } = await runToEnd(Deno.execPath(), args, env);
      assert.equal(code, 0, output);
      assert.match(output, /Passed: [1-9]\d*\/\d+, 0 failed/, output);
    });
  }
});

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const hasNode = await runToEnd("npx", ["--version"]).then(({ code }) => code === 0, () => false);
if (!hasNode) console.warn("Node.js is not here: the MCP Inspector is not tested.");

Deno.test({
  name: "the MCP Inspector lists, finds every schema portable, and calls",
  ignore: !hasNode,
}, async (t) => {
  await using server = await startServer();
  const targets = {
    "over Streamable HTTP": ["--transport", "http", "--", `${server.url}/mcp`],
    "over legacy SSE": ["--transport", "sse", "--", `${server.url}/sse`],
    "over stdio": ["--", `${ROOT}careem-mcp.sh`, "--stdio"],
  };
  for (const [name, target] of Object.entries(targets)) {
    await t.step(name, async () => {
      const inspect = async (...request: string[]): Promise<string> => {
        const args = ["--yes", INSPECTOR, "--cli", ...request, ...target];
        const { code, output } = await runToEnd("npx", args);
        assert.equal(code, 0, output);
        return output;
      };
      const list = await inspect("--method", "tools/list", "--strict");
      assert.match(list, /"name": "food_get_restaurant_menu"/);
      const coordinates = ["latitude=25.0866", "longitude=55.1474"];
      const called = await inspect(
        ...["--method", "tools/call", "--tool-name", "reverse_geocode"],
        ...coordinates.flatMap((pair) => ["--tool-arg", pair]),
      );
      assert.match(called, /LOC-50001/);
    });
  }
});

Deno.test("the newer client package connects, lists and calls", async (t) => {
  await using server = await startServer();
  const transports = {
    "over Streamable HTTP": () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)),
    "over legacy SSE": () => new SSEClientTransport(new URL(`${server.url}/sse`)),
  };
  for (const [name, open] of Object.entries(transports)) {
    await t.step(name, async () => {
      const client = new Client({ name: "newer", version: "1.0.0" });
      await client.connect(open() as Parameters<typeof client.connect>[0]);
      assert.equal(client.getServerVersion()?.name, "careem-mcp-service");
      assert((await client.listTools()).tools.length >= 32);
      const args = { latitude: 25.0866, longitude: 55.1474 };
      const result = await client.callTool({ name: "reverse_geocode", arguments: args });
      assert.match(JSON.stringify(result.structuredContent), /LOC-50001/);
      await client.close();
    });
  }
});

/**
 * A folder for Deno's caches, with the packages that are there already.
 *
 * Deno 2.9 can wait for ever when it notes what a package's CommonJS modules export while another
 * process uses the same notes, and the suite has many such modules. Another version of Deno, such
 * as builds the executable here, throws all notes away, so they cannot be made in advance.
 */
async function ownCaches(): Promise<AsyncDisposable & { readonly path: string }> {
  const { code, output } = await runToEnd(Deno.execPath(), ["info", "--json"]);
  assert.equal(code, 0, output);
  const { npmCache } = JSON.parse(output);
  await Deno.mkdir(npmCache, { recursive: true });
  const path = await Deno.makeTempDir();
  await Deno.symlink(npmCache, join(path, "npm"), { type: "junction" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Runs a client to its end, for which it has 90 s. */
async function runToEnd(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const child = new Deno.Command(command, {
    args: [...args],
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { promise: late, reject } = Promise.withResolvers<never>();
  // Not by a signal: a process that this one started may hold the pipes open.
  const timer = setTimeout(() => {
    child.kill();
    reject(new Error(`${command} ${args.join(" ")} had not ended after 90 s`));
  }, 90_000);
  try {
    const { code, stdout, stderr } = await Promise.race([child.output(), late]);
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    return { code, output: text(stdout) + text(stderr) };
  } finally {
    clearTimeout(timer);
  }
}
