import {
  Client as NewerClient,
  SSEClientTransport as NewerSse,
  StreamableHTTPClientTransport as NewerHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as NewerStdio } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { STATUS_TEXTS } from "../../lib/control/fault.ts";
import { FAULTS } from "../../lib/control/overrides.ts";
import { programCommand, ROOT, startServer } from "../support/program.ts";

// What real clients make of each fault (docs/TESTING.md has it as a table), and that the server is
// fine afterwards. CAREEM_MCP_SHOW_FAULTS=1 prints what they report. PYTHON names one with `mcp`.

const TOOL = "pay_get_wallet_balance";
const ME = { name: "tester", version: "1.0.0" };
/** How long a client waits for an answer; longer than any fault but `hang` takes. */
const PATIENCE_MS = 700;

const TRANSPORTS = ["http", "sse", "stdio"] as const;

/** Where a server is: over HTTP its URL, over stdio its command. */
interface Target {
  readonly transport: typeof TRANSPORTS[number];
  readonly words: readonly string[];
}

interface Agent {
  /** Calls the tool; an error of whatever kind is thrown. */
  readonly call: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

type Connect = (target: Target) => Promise<Agent>;

async function older({ transport, words: [target = "", ...args] }: Target): Promise<Agent> {
  const client = new Client(ME);
  client.onerror = () => {};
  const env = Deno.env.toObject();
  await client.connect(
    transport === "stdio"
      ? new StdioClientTransport({ command: target, args, env, stderr: "ignore" })
      : transport === "sse"
      ? new SSEClientTransport(new URL(target))
      : new StreamableHTTPClientTransport(new URL(target)) as never,
  );
  return {
    call: () => client.callTool({ name: TOOL }, undefined, { timeout: PATIENCE_MS }),
    close: () => client.close(),
  };
}

async function newer({ transport, words: [target = "", ...args] }: Target): Promise<Agent> {
  const client = new NewerClient(ME);
  client.onerror = () => {};
  const env = Deno.env.toObject();
  const opened = transport === "stdio"
    ? new NewerStdio({ command: target, args, env, stderr: "ignore" })
    : transport === "sse"
    ? new NewerSse(new URL(target))
    : new NewerHttp(new URL(target));
  await client.connect(opened as Parameters<NewerClient["connect"]>[0]);
  return {
    call: () => client.callTool({ name: TOOL }, { timeout: PATIENCE_MS }),
    close: () => client.close(),
  };
}

/** A client that is a program: it calls once for each line, and tells what came of it in one. */
async function program(command: readonly string[], { transport, words }: Target): Promise<Agent> {
  const [file = "", ...args] = [...command, transport, ...words];
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const outcome = async (): Promise<string> => {
    const { value } = await lines.next();
    const { text, error } = value === undefined ? { error: "it has ended" } : JSON.parse(value);
    if (error !== undefined) throw new Error(error);
    return text;
  };
  const agent: Agent = {
    call() {
      child.stdin.write("\n");
      return outcome();
    },
    async close() {
      child.stdin.end();
      const patience = setTimeout(() => child.kill(), 3000);
      await ended;
      clearTimeout(patience);
    },
  };
  await outcome().catch(async (error) => {
    await agent.close();
    throw error;
  });
  return agent;
}

const CLIENTS: Record<string, Connect> = { "SDK 1": older, "SDK 2": newer };

const PYTHON = Deno.env.get("PYTHON") ?? "python3";
if (
  await succeeds(PYTHON, ["-c", "from mcp.client.streamable_http import streamable_http_client"])
) {
  const command = [PYTHON, join(ROOT, "tests/clients/agent.py")];
  CLIENTS.Python = (target) => program(command, target);
} else {console.warn(
    "Python with `mcp` is not here: its client is not tested. PYTHON can name one.",
  );}

const built = await Deno.makeTempDir();
const goAgent = join(built, "agent");
if (await succeeds("go", ["build", "-o", goAgent, "."], join(ROOT, "tests/clients/go"))) {
  CLIENTS.Go = (target) => program([goAgent], target);
} else console.warn("Go, or the module of its SDK, is not here: its client is not tested.");
globalThis.addEventListener("unload", () => Deno.removeSync(built, { recursive: true }));

async function succeeds(command: string, args: string[], cwd = ROOT): Promise<boolean> {
  try {
    const options = { args, cwd, stdin: "null", stdout: "null", stderr: "null" } as const;
    return (await new Deno.Command(command, options).output()).success;
  } catch {
    return false;
  }
}

/** What a call comes to: its answer's text does not matter, its error's first line does. */
function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(() => "answered", (error: Error) => error.message.split("\n")[0]!);
}

const show = Deno.env.get("CAREEM_MCP_SHOW_FAULTS") === "1";

for (const [name, connect] of Object.entries(CLIENTS)) {
  Deno.test(
    {
      name: `${name}: each fault is an error to the client, and the server is fine afterwards`,
      // Clients try to open their streams again, on timers of their own.
      sanitizeOps: false,
      sanitizeResources: false,
    },
    () => Promise.all(TRANSPORTS.map((transport) => fail(name, connect, transport))).then(() => {}),
  );
}

/** Has every fault happen to a client, one after the other. */
async function fail(
  name: string,
  connect: Connect,
  transport: Target["transport"],
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const overrides = join(folder, "overrides.json");
  const flags = ["--overrides", overrides, "--no-journal"];
  const force = (entries: object): void =>
    Deno.writeTextFileSync(overrides, JSON.stringify(entries));
  await using server = await startServer(flags);
  const target: Target = {
    transport,
    words: transport === "stdio"
      ? [...programCommand(), "start", "--stdio", "--quiet", ...flags]
      : [`${server.url}/${transport === "sse" ? "sse" : "mcp"}`],
  };
  const where = `${name}, ${transport}`;
  /** Whether a client that comes now is served. */
  const works = async (): Promise<void> => {
    const agent = await older({ transport: "http", words: [`${server.url}/mcp`] });
    assert.match(JSON.stringify(await agent.call()), /balance/, where);
    await agent.close();
  };
  for (const fault of FAULTS) {
    force({});
    const agent = await connect(target);
    // For all calls: fetch tries a dropped request again by itself.
    force({ [TOOL]: { fault } });
    const outcome = await outcomeOf(agent.call());
    assert.notEqual(outcome, "answered", `${where}: ${fault}`);
    force({});
    const next = await outcomeOf(agent.call());
    if (show) console.log(`| ${where} | ${fault} | ${outcome} | then: ${next} |`);
    // The session has outlived a status, whatever its client makes of that.
    if (STATUS_TEXTS[fault] !== undefined && name.startsWith("SDK")) {
      assert.equal(next, "answered", `${where}: after ${fault}`);
    }
    await agent.close().catch(() => {});
    await works();
  }
  // Each process of stdio counts by itself, so there a deploy would never be over.
  if (transport !== "stdio") {
    const agent = await connect(target);
    force({ [TOOL]: { fault: "lost-session", times: 1 } });
    assert.notEqual(await outcomeOf(agent.call()), "answered", `${where}: a deploy`);
    // Else its streams ask for a route as well.
    await agent.close().catch(() => {});
    // Whoever begins anew finds no route, twice.
    force({ "/": { fault: 404, times: 2 } });
    const attempts: string[] = [];
    for (let attempt = 0; attempt < 4 && attempts.at(-1) !== "connected"; attempt++) {
      const again = connect(target).then(async (later) => {
        assert.match(JSON.stringify(await later.call()), /balance/, `${where}: after a deploy`);
        await later.close();
        return "connected";
      });
      attempts.push(await again.catch((error: Error) => error.message.split("\n")[0]!));
    }
    if (show) console.log(`| ${where} | deploy | ${attempts.join(" | ")} |`);
    assert.notEqual(attempts[0], "connected", where);
    assert.equal(attempts.at(-1), "connected", `${where}: ${attempts}`);
    await works();
  }
  await Deno.remove(folder, { recursive: true });
}
