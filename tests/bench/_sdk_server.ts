// The TypeScript SDK's own minimal server, with sessions, returning a constant.
//
//     deno run --allow-net --allow-read _sdk_server.ts <file with the tools and the result> [port]

import { Server } from "@modelcontextprotocol/sdk/server";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [file, port] = Deno.args;
const { result, tools } = JSON.parse(Deno.readTextFileSync(file!));

function createServer(): Server {
  const server = new Server({ name: "minimal", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, () => result);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  return server;
}

if (port === undefined) {
  // The SDK's transports declare optional members more loosely than `exactOptionalPropertyTypes`.
  await createServer().connect(new StdioServerTransport() as never);
} else {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const session = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id: string) => void sessions.set(id, session),
    });
    await createServer().connect(session as never);
    return session;
  };
  Deno.serve({
    hostname: "127.0.0.1",
    port: Number(port),
    onListen: () => {},
  }, async (request) => {
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? await open() : sessions.get(id);
    return session?.handleRequest(request) ?? new Response("session not found", { status: 404 });
  });
}
