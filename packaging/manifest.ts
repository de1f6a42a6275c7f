// Prints the manifest of the bundle for Claude Desktop (.mcpb): packaging/manifest.ts <target>

import { join } from "node:path";
import { loadFolder } from "../lib/store/folder.ts";

const ROOT = join(import.meta.dirname!, "..");

const [target] = Deno.args;
if (target === undefined) {
  console.error("Usage: packaging/manifest.ts <target>, such as aarch64-apple-darwin");
  Deno.exit(2);
}
const { version, license } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
const platform = platformOf(target);
const program = platform === "win32" ? "server/careem-mcp.exe" : "server/careem-mcp";
const tools = [...loadFolder(join(ROOT, "tools")).values()]
  .map(({ tool, definition }) => ({ name: tool, description: definition.title }));

// https://github.com/anthropics/mcpb/blob/main/MANIFEST.md
const manifest = {
  manifest_version: "0.3",
  name: "careem-mcp",
  display_name: "careem-mcp",
  version,
  description: "The tools of careem-mcp on your own machine, answering from Markdown files.",
  author: { name: "the careem-mcp authors" },
  license,
  server: {
    type: "binary",
    entry_point: program,
    mcp_config: { command: `\${__dirname}/${program}`, args: ["--stdio"], env: {} },
  },
  tools,
  compatibility: { platforms: [platform] },
};
console.log(JSON.stringify(manifest, null, 2));

/** What Claude Desktop calls the system of a target. */
function platformOf(target: string): "darwin" | "linux" | "win32" {
  if (target.includes("windows")) return "win32";
  return target.includes("apple") ? "darwin" : "linux";
}
