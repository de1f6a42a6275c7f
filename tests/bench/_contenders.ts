import { join } from "node:path";
import type { Command } from "./_process.ts";

const HERE = import.meta.dirname!;
const ROOT = new URL("../..", import.meta.url).pathname;

const AIMOCK = "@copilotkit/aimock@1.43.0";
const EVERYTHING = "@modelcontextprotocol/server-everything@2026.8.31";

/** A server to measure: how it is started and how it is called. */
export interface Contender {
  readonly name: string;
  /** The command that serves HTTP on a port. */
  http(port: number): Command;
  /** Where it serves MCP. */
  readonly path: string;
  /** Whether it speaks MCP at all. */
  readonly handshake: boolean;
  /** The command that serves stdio, where it can. */
  readonly stdio?: Command;
  /** What to call in place of the tool that the others share. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Answers of this project's server, for the yardsticks to give as well. */
export interface Answer {
  /** The body of the response, for the one that sends nothing but bytes. */
  readonly body: string;
  /** The result of a call. */
  readonly result: { readonly content: readonly [{ readonly text: string }] };
  /** The tools that the server lists. */
  readonly tools: readonly object[];
}

/**
 * This project's server.
 *
 * @param name What to call it.
 * @param root The checkout to run from source, or the executable.
 * @param flags Flags of `start`.
 */
export function careemMcp(name: string, root: string, flags: readonly string[] = []): Contender {
  const run = Deno.statSync(root).isFile ? { command: root, args: [] } : {
    command: Deno.execPath(),
    args: [
      ...["run", "--quiet", "--no-prompt", "--frozen", "--config", join(root, "deno.json"), "-P"],
      join(root, "main.ts"),
    ],
  };
  const { command, args } = run;
  return {
    name,
    http: (port) => ({ command, args: [...args, "start", "--port", String(port), ...flags] }),
    path: "/mcp",
    handshake: true,
    stdio: { command, args: [...args, "start", "--stdio", ...flags] },
  };
}

/** This checkout's server, or the executable that `CAREEM_MCP_EXECUTABLE` names. */
export function thisServer(flags: readonly string[] = []): Contender {
  return careemMcp("careem-mcp", Deno.env.get("CAREEM_MCP_EXECUTABLE") || ROOT, flags);
}

/**
 * The servers to compare with. They return the same answer without looking for it.
 *
 * @param answer The answer.
 * @param folder Where to write what they read at their start.
 * @param modules Where {@linkcode installYardsticks} has put the npm packages.
 */
export function yardsticks(answer: Answer, folder: string, modules: string): Contender[] {
  const { body, result, tools } = answer;
  const { text } = result.content[0];
  const write = (name: string, content: string): string => {
    const file = join(folder, name);
    Deno.writeTextFileSync(file, content);
    return file;
  };
  const bytes = write("body.txt", body);
  const data = write("answer.json", JSON.stringify({ result, tools, text }));
  const aimockTools = tools.map((tool) => ({ ...tool, result: text }));
  const aimockConfig = write("aimock.json", JSON.stringify({ mcp: { tools: aimockTools } }));
  const aimock = join(modules, "@copilotkit/aimock/dist");
  const everything = join(modules, "@modelcontextprotocol/server-everything/dist/index.js");
  const deno = ["run", "--quiet", "--allow-all", "--config", join(ROOT, "deno.json")];
  return [
    {
      name: "bare Deno.serve",
      http: (port) => ({
        command: Deno.execPath(),
        args: [...deno, join(HERE, "_bare_server.ts"), bytes, String(port)],
      }),
      path: "/",
      handshake: false,
    },
    {
      name: "SDK's minimal server",
      http: (port) => ({
        command: Deno.execPath(),
        args: [...deno, join(HERE, "_sdk_server.ts"), data, String(port)],
      }),
      path: "/",
      handshake: true,
      stdio: { command: Deno.execPath(), args: [...deno, join(HERE, "_sdk_server.ts"), data] },
    },
    {
      name: "aimock",
      http: (port) => ({
        command: "node",
        args: [join(aimock, "aimock-cli.js"), "--config", aimockConfig, "--port", String(port)],
      }),
      path: "/mcp",
      handshake: true,
    },
    {
      name: "aimock's MCP part alone",
      http: (port) => ({
        command: "node",
        args: [
          join(HERE, "_aimock_server.mjs"),
          join(aimock, "mcp-stub.js"),
          data,
          String(port),
        ],
      }),
      path: "/",
      handshake: true,
    },
    {
      name: "server-everything",
      http: (port) => ({
        command: "node",
        args: [everything, "streamableHttp"],
        env: { PORT: String(port) },
      }),
      path: "/mcp",
      handshake: true,
      stdio: { command: "node", args: [everything, "stdio"] },
      params: { name: "echo", arguments: { message: text } },
    },
  ];
}

/**
 * Has npm install the packages of the yardsticks.
 *
 * @param folder Where; what is there already is kept.
 * @returns The folder of the modules.
 */
export async function installYardsticks(folder: string): Promise<string> {
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { success } = await new Deno.Command("npm", {
    args: ["install", "--silent", "--no-audit", "--no-fund", AIMOCK, EVERYTHING],
    cwd: folder,
  }).output();
  if (!success) throw new Error(`npm could not install ${AIMOCK} and ${EVERYTHING}`);
  return join(folder, "node_modules");
}
