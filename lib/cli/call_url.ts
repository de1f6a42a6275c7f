// @ts-types="@modelcontextprotocol/sdk/client/sse"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type { Tool } from "@modelcontextprotocol/sdk/types";
// @ts-types="@modelcontextprotocol/sdk/types"
import { CallToolResultSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject } from "../json.ts";
import { argumentsOf, printResult } from "./call.ts";
import { commandLine } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { VERSION } from "./program.ts";
import { didYouMean } from "../suggest.ts";

/**
 * Calls a tool of a running server as any client does, with the SDK's own client: the result goes to
 * standard output, and the call shows in that server's log.
 *
 * @param address The server's: legacy SSE when it ends in `/sse`, else Streamable HTTP.
 * @param words The arguments: one JSON text, `key=value` pairs, or `-` for standard input.
 * @param value Whether to print the answer alone rather than the whole result.
 * @returns The exit code: failed when the result has `isError: true`.
 */
export async function callUrl(
  address: string,
  tool: string,
  words: readonly string[],
  value: boolean,
  io: Io,
): Promise<ExitCode> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const problem = `\`${address}\` is no address; write one like http://127.0.0.1:8787/mcp.`;
    throw new CliError(problem, EXIT.usage);
  }
  // The server is on this machine, which a proxy that the environment names would not find.
  Deno.env.set("NO_PROXY", "127.0.0.0/8,localhost,::1");
  const client = new Client({ name: "careem-mcp", version: VERSION });
  const transport = url.pathname.endsWith("/sse")
    ? new SSEClientTransport(url)
    : new StreamableHTTPClientTransport(url);
  try {
    // The SDK's transports declare optional members more loosely than `exactOptionalPropertyTypes`.
    await client.connect(transport as Transport);
  } catch (error) {
    throw unreachable(url, error);
  }
  try {
    const { inputSchema } = await findTool(client, tool);
    const args = await argumentsOf(words, inputSchema as JsonObject, io);
    const params = { name: tool, arguments: args };
    const result = await client.request({ method: "tools/call", params }, CallToolResultSchema);
    io.err(`${tool}: answered by ${url}, whose log names the scenario`);
    return printResult(result, value, io);
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    throw new CliError(`${url} refuses the call: ${error.message}`);
  } finally {
    if ("terminateSession" in transport) await transport.terminateSession().catch(() => {});
    await client.close();
  }
}

async function findTool(client: Client, name: string): Promise<Tool> {
  const all: Tool[] = [];
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor });
    all.push(...tools);
    cursor = nextCursor;
  } while (cursor !== undefined);
  const found = all.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  throw new CliError(`unknown tool \`${name}\`${didYouMean(name, all.map(({ name }) => name))}`);
}

function unreachable(url: URL, error: unknown): CliError {
  if (error instanceof Deno.errors.NotCapable) {
    return new CliError(`Cannot call ${url}: careem-mcp calls servers on this machine only.`);
  }
  const { code } = error as { code?: unknown };
  if (typeof code === "number" && code > 0) {
    return new CliError(`No MCP server at ${url}: it answers with HTTP status ${code}.`);
  }
  return new CliError(`Nothing answers at ${url}.\nStart a server: ${commandLine(["start"])}`);
}
