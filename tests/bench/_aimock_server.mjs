// aimock's MCP server by itself, with tools that return a constant text.
//
//     node _aimock_server.mjs <its module> <file with the tools and the text> <port>

import { readFileSync } from "node:fs";

const [modulePath, file, port] = process.argv.slice(2);
const { MCPMock } = await import(modulePath);
const { tools, text } = JSON.parse(readFileSync(file, "utf8"));

const server = new MCPMock({ port: Number(port) });
for (const tool of tools) {
  server.addTool(tool);
  server.onToolCall(tool.name, () => text);
}
await server.start();
