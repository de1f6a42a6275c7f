import {
  Client as NewerClient,
  SSEClientTransport as NewerSse,
  StreamableHTTPClientTransport as NewerHttp,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";
import { join } from "node:path";
import { FAULTS } from "../../lib/control/overrides.ts";
import { startServer } from "../support/program.ts";

// What real clients make of each fault (docs/TESTING.md has it as a table), and that the server is
// fine afterwards. CAREEM_MCP_SHOW_FAULTS=1 prints what they report.

const TOOL = "pay_get_wallet_balance";
const ME = { name: "tester", version: "1.0.0" };
/** How long a client waits for an answer; longer than any fault but `hang` takes. */
const PATIENCE_MS = 700;

interface Agent {
  readonly call: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const CLIENTS: Readonly<Record<string, (url: string) => Promise<Agent>>> = {
  "SDK 1, HTTP": (url) => older(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never),
  "SDK 1, SSE": (url) => older(new SSEClientTransport(new URL(`${url}/sse`))),
  "SDK 2, HTTP": (url) => newer(new NewerHttp(new URL(`${url}/mcp`))),
  "SDK 2, SSE": (url) => newer(new NewerSse(new URL(`${url}/sse`))),
};

async function older(transport: Parameters<Client["connect"]>[0]): Promise<Agent> {
  const client = new Client(ME);
  client.onerror = () => {};
  await client.connect(transport);
  return {
    call: () => client.callTool({ name: TOOL }, undefined, { timeout: PATIENCE_MS }),
    close: () => client.close(),
  };
}

async function newer(transport: unknown): Promise<Agent> {
  const client = new NewerClient(ME);
  client.onerror = () => {};
  await client.connect(transport as Parameters<NewerClient["connect"]>[0]);
  return {
    call: () => client.callTool({ name: TOOL }, { timeout: PATIENCE_MS }),
    close: () => client.close(),
  };
}

const show = Deno.env.get("CAREEM_MCP_SHOW_FAULTS") === "1";

for (const [name, connect] of Object.entries(CLIENTS)) {
  Deno.test({
    name: `${name}: each fault is an error to the client, and the server is fine afterwards`,
    // Clients try to open their streams again, on timers of their own.
    sanitizeOps: false,
    sanitizeResources: false,
  }, async (t) => {
    const folder = await Deno.makeTempDir();
    const overrides = join(folder, "overrides.json");
    const force = (entries: object): void =>
      Deno.writeTextFileSync(overrides, JSON.stringify(entries));
    await using server = await startServer(["--overrides", overrides, "--no-journal"]);
    const works = async (): Promise<void> => {
      force({});
      const agent = await connect(server.url);
      assert.match(JSON.stringify(await agent.call()), /balance/);
      await agent.close();
    };
    for (const fault of FAULTS) {
      await t.step(fault, async () => {
        const agent = await connect(server.url);
        // Twice and more: fetch tries a dropped request again by itself.
        force({ [TOOL]: { fault } });
        const outcome = await agent.call().then(() => "answered", (error: Error) => error.message);
        if (show) console.log(`| ${name} | ${fault} | ${outcome.split("\n")[0]} |`);
        assert.notEqual(outcome, "answered");
        await agent.close().catch(() => {});
        await works();
      });
    }
    await t.step("a deploy: the session is lost, then two requests find no route", async () => {
      const agent = await connect(server.url);
      force({ [TOOL]: { fault: "lost-session", times: 1 } });
      await assert.rejects(agent.call());
      force({ "/": { fault: 404, times: 2 } });
      // A client that begins anew fails until the route is there.
      const attempts = [];
      for (let attempt = 0; attempt < 4; attempt++) {
        attempts.push(await connect(server.url).then((again) => again.close(), () => "failed"));
      }
      assert(attempts.includes("failed"), `${attempts}`);
      assert.notEqual(attempts.at(-1), "failed");
      await agent.close().catch(() => {});
      await works();
    });
    await Deno.remove(folder, { recursive: true });
  });
}
