import assert from "node:assert/strict";
import { type Console, serveConsole } from "../../lib/console/console.ts";
import type { Call } from "../../lib/control/calls.ts";
import type { JsonObject } from "../../lib/json.ts";
import { PRODUCTION } from "../../lib/mcp/twin.ts";
import { programCommand } from "../support/program.ts";
import { AS_ORDINARY, makeProject, type TestProject } from "../cli/_program.ts";

/** What a request of the API came to. */
export interface Reply {
  readonly status: number;
  // The tests say what they expect of it.
  readonly body: Body;
}

/** JSON whose members tests name freely. */
// deno-lint-ignore no-explicit-any -- what a test expects of an answer is said by its assertions
export type Body = any;

/** A client of the API. */
export interface Api {
  readonly url: string;
  get(path: string): Promise<Reply>;
  /** Sends a write with the token. */
  send(method: string, path: string, body?: unknown): Promise<Reply>;
}

/** Makes a client of a console's API. */
export async function apiOf(url: string): Promise<Api> {
  const ask = async (path: string, init?: RequestInit): Promise<Reply> => {
    const response = await fetch(new URL(path, url), init);
    return { status: response.status, body: await response.json() };
  };
  const { body: { token } } = await ask("/api/about");
  return {
    url,
    get: (path) => ask(path),
    send: (method, path, body) =>
      ask(path, {
        method,
        headers: {
          "x-console-token": token,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
  };
}

/** A project with a console in this process. */
export interface ConsoleProject extends Api {
  readonly project: TestProject;
  /** What the console told its developer. */
  readonly notes: readonly string[];
  /** Adds calls to the journal as a server does. */
  write(...calls: Partial<Call>[]): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves the console of a project of its own. */
export async function openConsole(
  { embedded = false, project = makeProject() }: { embedded?: boolean; project?: TestProject } = {},
): Promise<ConsoleProject> {
  const notes: string[] = [];
  const callsPath = project.path(".run", "calls.jsonl");
  const console: Console = serveConsole("127.0.0.1", 0, {
    files: {
      toolsDirectory: project.path("tools"),
      embedded,
      packed: embedded,
      overridesPath: project.overrides,
      callsPath,
    },
    appearance: PRODUCTION,
    version: "0.0.0",
    commandLine: (words) => ["careem-mcp", ...words].join(" "),
    note: (message) => notes.push(message),
  });
  return {
    ...await apiOf(console.url),
    project,
    notes,
    write(...calls) {
      Deno.mkdirSync(project.path(".run"), { recursive: true });
      const lines = calls.map((call) => `${JSON.stringify(callOf(call))}\n`).join("");
      Deno.writeTextFileSync(callsPath, lines, { append: true });
    },
    async [Symbol.asyncDispose]() {
      await console.close();
      project[Symbol.dispose]();
    },
  };
}

let lastCall = 0;

function callOf(call: Partial<Call>): Call {
  const id = `c-${++lastCall}`;
  return { id, time: new Date().toISOString(), pid: 1, tool: "order_track", ...call };
}

/** Events as they come. */
export interface EventReader {
  /** Waits for the next event of a name; those before it are passed over. */
  next(name: string): Promise<Body>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens the stream of events. */
export async function openEvents(url: string): Promise<EventReader> {
  const response = await fetch(new URL("/api/events", url));
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async next(name) {
      while (true) {
        const end = text.indexOf("\n\n");
        if (end === -1) {
          const { value, done } = await reader.read();
          assert(!done, `the stream ended before ${name}`);
          text += value;
          continue;
        }
        const [event, data] = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        if (event === `event: ${name}`) return JSON.parse(data!.slice("data: ".length));
      }
    },
    async [Symbol.asyncDispose]() {
      await reader.cancel();
    },
  };
}

/** A program that serves a console, in a process of its own. */
export interface ConsoleProcess {
  readonly url: string;
  readonly log: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the program, as one whom permission bits bind, and waits until its console is up. */
export async function startProgram(
  args: readonly string[],
  env?: Record<string, string>,
): Promise<ConsoleProcess> {
  const prefix = Deno.uid() === 0 ? AS_ORDINARY : [];
  const [command, ...words] = [...prefix, ...programCommand()] as [string, ...string[]];
  const child = new Deno.Command(command, {
    args: [...words, ...args],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    ...(env !== undefined && { clearEnv: true, env }),
  }).spawn();
  let log = "";
  const { promise, resolve } = Promise.withResolvers<string>();
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      log += text;
      const url = /Console +(http:\S+)/.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    }
    resolve("");
  })();
  const url = await promise;
  assert(url !== "", `no console came up:\n${log}`);
  return {
    url,
    log: () => log,
    async [Symbol.asyncDispose]() {
      try {
        child.kill();
      } catch {
        // It has ended already.
      }
      await child.status;
      await reading;
    },
  };
}

/** A result with one JSON answer. */
export function resultOf(value: JsonObject): JsonObject {
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
    isError: false,
  };
}
