import { Client } from "@modelcontextprotocol/sdk/client";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JsonObject } from "../../lib/json.ts";
import { OWN_PROJECT, programCommand, startServer } from "./program.ts";

/** The three ways to reach the program. */
export const TRANSPORTS = ["Streamable HTTP", "legacy SSE", "stdio"] as const;

/** A `tools/call` result as a client gets it. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: JsonObject | undefined;
}

/** The SDK's own client, connected to a program that was started for it. */
export interface ConnectedClient {
  readonly client: Client;
  call(name: string, args?: JsonObject): Promise<ToolResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the program and connects the official SDK's client to it.
 *
 * @param transport How.
 * @param flags Flags of `start`.
 * @returns The client; dispose of it to end both.
 */
export async function connect(
  transport: typeof TRANSPORTS[number],
  flags: readonly string[] = [],
): Promise<ConnectedClient> {
  const client = new Client({ name: "acceptance", version: "1.0.0" });
  const server = transport === "stdio" ? undefined : await startServer(flags);
  // The SDK's transports declare optional members more loosely than `exactOptionalPropertyTypes`.
  await client.connect(makeTransport(transport, flags, server?.url) as never);
  return {
    client,
    async call(name, args) {
      const result = await client.callTool({ name, ...(args && { arguments: args }) }) as {
        content: { text: string }[];
        structuredContent?: JsonObject;
        isError: boolean;
      };
      const { content, structuredContent, isError } = result;
      return { isError, text: content[0]!.text, structured: structuredContent };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server?.stop();
    },
  };
}

function makeTransport(
  transport: typeof TRANSPORTS[number],
  flags: readonly string[],
  url: string | undefined,
): unknown {
  switch (transport) {
    case "Streamable HTTP":
      return new StreamableHTTPClientTransport(new URL(`${url}/mcp`));
    case "legacy SSE":
      return new SSEClientTransport(new URL(`${url}/sse`));
    case "stdio": {
      const [command, ...args] = programCommand();
      return new StdioClientTransport({
        command,
        args: [...args, "start", "--stdio", ...flags],
        stderr: "ignore",
        env: { ...Deno.env.toObject(), ...OWN_PROJECT },
      });
    }
  }
}
