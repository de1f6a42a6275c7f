import assert from "node:assert/strict";

/** The repository's root. */
export const ROOT = new URL("../..", import.meta.url).pathname;

/**
 * The command that starts the program under test: the sources, or the executable that
 * CAREEM_MCP_EXECUTABLE names.
 */
export function programCommand(): [string, ...string[]] {
  const executable = Deno.env.get("CAREEM_MCP_EXECUTABLE");
  if (executable) return [executable];
  const flags = ["run", "--quiet", "--no-prompt", "--frozen", "--config", `${ROOT}deno.json`, "-P"];
  return [Deno.execPath(), ...flags, `${ROOT}main.ts`];
}

/**
 * The environment that has a server, unless its flags name a project, use the fixtures of this one
 * and `.run/` of another: what is forced here must not change a test, and what a test calls is not
 * for this journal. An executable has a folder of its own.
 */
export const OWN_PROJECT: Readonly<Record<string, string>> = Deno.env.get("CAREEM_MCP_EXECUTABLE")
  ? {}
  : { CAREEM_MCP_PROJECT: makeOwnProject() };

function makeOwnProject(): string {
  const folder = Deno.makeTempDirSync({ prefix: "careem-mcp-test-" });
  Deno.symlinkSync(`${ROOT}tools`, `${folder}/tools`, { type: "dir" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  return folder;
}

/** A started HTTP server. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:43211`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Everything it wrote to stderr so far. */
  readonly log: () => string;
  /** Ends it with a signal and tells how it ended. */
  stop(signal?: Deno.Signal): Promise<Deno.CommandStatus>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the program over HTTP on a free port and waits until it serves.
 *
 * @param flags Flags of `start`.
 * @param options Environment variables, working folder, another command than the program's own.
 * @returns The running server; dispose of it to end it.
 */
export async function startServer(
  flags: readonly string[] = [],
  options: { env?: Record<string, string>; cwd?: string; command?: string[] } = {},
): Promise<RunningServer> {
  const { command: words = programCommand(), env, ...surroundings } = options;
  const [command = "", ...args] = words;
  const child = new Deno.Command(command, {
    args: [...args, "start", "--port", "0", ...flags],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    env: { ...OWN_PROJECT, ...env },
    ...surroundings,
  }).spawn();
  let log = "";
  let port = 0;
  let announce = (_port: number): void => {};
  const announced = new Promise<number>((resolve) => announce = resolve);
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      log += text;
      if (port > 0) continue;
      const announcement = /http:\/\/[^\s/]*:(\d+)\/mcp/.exec(log)?.[1];
      if (announcement !== undefined) announce(Number(announcement));
    }
  })();
  const output = new Response(child.stdout).text();
  const ended = child.status.then(() => 0);
  port = await Promise.race([announced, ended]);
  assert(port > 0, `the server did not start:\n${log}`);

  let stopped: Promise<Deno.CommandStatus> | undefined;
  const stop = (signal: Deno.Signal = "SIGTERM"): Promise<Deno.CommandStatus> => {
    stopped ??= (async () => {
      try {
        child.kill(signal);
      } catch {
        // It has ended already.
      }
      const status = await child.status;
      await reading;
      assert.equal(await output, "", "an HTTP server writes nothing to stdout");
      return status;
    })();
    return stopped;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    log: () => log,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}
