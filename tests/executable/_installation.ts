import { Client } from "@modelcontextprotocol/sdk/client";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import { type Outcome, outcomeOf } from "../support/outcome.ts";

/** How to run a program. */
export interface Circumstances {
  readonly cwd?: string;
  /** All of its environment. */
  readonly env?: Record<string, string>;
  readonly input?: string;
  /** The user to run it as. */
  readonly uid?: number;
}

/** An executable alone in a folder of its own. */
export interface Installation {
  readonly folder: string;
  readonly executable: string;
  path(...parts: string[]): string;
  write(file: string, text: string): void;
  /** The names of what is in the folder. */
  names(): string[];
  run(args: readonly string[], circumstances?: Circumstances): Promise<Outcome>;
  [Symbol.dispose](): void;
}

/**
 * Copies an executable into a new empty folder.
 *
 * @param source The executable.
 * @returns The installation; dispose of it to delete it.
 */
export function install(source: string): Installation {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "careem mcp " }));
  // Everybody may look into it, as into a folder of installed programs.
  if (Deno.build.os !== "windows") Deno.chmodSync(folder, 0o755);
  const path = (...parts: string[]): string => join(folder, ...parts);
  const executable = path(Deno.build.os === "windows" ? "careem-mcp.exe" : "careem-mcp");
  Deno.copyFileSync(source, executable);
  return {
    folder,
    executable,
    path,
    write(file, text) {
      Deno.mkdirSync(join(path(file), ".."), { recursive: true });
      Deno.writeTextFileSync(path(file), text);
    },
    names: () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort(),
    run: (args, circumstances) => run(executable, args, circumstances),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

/**
 * Runs a program with nothing in its environment but what is given.
 *
 * @param command The program.
 * @param args Its arguments.
 * @param circumstances Folder, environment, standard input, user.
 * @returns How it ended.
 */
export async function run(
  command: string,
  args: readonly string[],
  { input = "", env = {}, ...where }: Circumstances = {},
): Promise<Outcome> {
  const child = new Deno.Command(command, {
    args: [...args],
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...where,
  }).spawn();
  return await outcomeOf(child, input);
}

/** A client that has started a server of its own. */
export interface StdioClient {
  readonly client: Client;
  /** Calls a tool and gives its structured content. */
  call(name: string, args: JsonObject): Promise<JsonObject>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server as MCP clients do, through the official SDK's client.
 *
 * @param command The command of the client's configuration.
 * @param args Its arguments.
 * @returns The client; dispose of it to end both.
 */
export async function connectStdio(
  command: string,
  args: readonly string[],
): Promise<StdioClient> {
  const client = new Client({ name: "executable", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: "ignore" }));
  return {
    client,
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      return result.structuredContent as JsonObject;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
