import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { BROWSERS } from "../../lib/cli/browser.ts";
import { Client } from "@modelcontextprotocol/sdk/client";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { makeProject } from "../cli/_program.ts";
import { programCommand, startServer } from "../support/program.ts";
import { apiOf, type Body, openEvents, resultOf, startProgram } from "./_console.ts";

type Call = (args: Record<string, unknown>) => Promise<Body>;

/** Connects the SDK's client, which calls one tool. */
async function callerOf(transport: unknown, tool: string): Promise<[Client, Call]> {
  const client = new Client({ name: "console-test", version: "1.0.0" });
  await client.connect(transport as never);
  return [client, async (args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    return (result as Body).structuredContent;
  }];
}

async function freePort(): Promise<number> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await Promise.resolve();
  return listener.addr.port;
}

for (const kind of ["Streamable HTTP", "stdio"] as const) {
  Deno.test(`a real client over ${kind}: its calls are seen at once, and obey what is forced`, async () => {
    using project = makeProject();
    const port = await freePort();
    const flags = ["--console", "--console-port", `${port}`, "--project", project.directory];
    await using server = kind === "stdio" ? undefined : await startServer(flags);
    const [command, ...words] = programCommand();
    const transport = server === undefined
      ? new StdioClientTransport({
        command,
        args: [...words, "start", "--stdio", ...flags],
        stderr: "ignore",
        env: Deno.env.toObject() as Record<string, string>,
      })
      : new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`));
    const [client, call] = await callerOf(transport, "order_track");
    try {
      const api = await untilUp(() => apiOf(`http://127.0.0.1:${port}/`));
      await using events = await openEvents(api.url);
      await events.next("calls");
      const started = performance.now();
      assert.deepEqual(await call({ order_id: "ORD-7" }), { order: "ORD-7" });
      const { calls: [seen] } = await events.next("calls");
      assert(performance.now() - started < 1_000);
      assert.deepEqual([seen.tool, seen.scenario, seen.why, seen.client.name], [
        "order_track",
        "unknown",
        "default",
        "console-test",
      ]);

      const steps = [{ scenario: "first" }, { scenario: "near", times: 1 }];
      assert.equal((await api.send("PUT", "/api/forced/order_track", { steps })).status, 200);
      assert.deepEqual(await call({ order_id: "ORD-7" }), { order: "ORD-1" });
      assert.deepEqual(await call({ order_id: "ORD-7" }), { near: true });
      assert.deepEqual(await call({ order_id: "ORD-7" }), { order: "ORD-7" });

      const id = await untilUp(async () =>
        (await api.get("/api/calls?scenario=near")).body.calls[0].id
      );
      const saved = { tool: "order_track", name: "kept", call: id };
      assert.equal((await api.send("POST", "/api/scenarios", saved)).status, 200);
      await api.send("DELETE", "/api/forced");
      assert.deepEqual(await call({ order_id: "ORD-7" }), { near: true }, "as it was saved");
      assert.equal((await project.run(["check"])).code, 0);
    } finally {
      await client.close();
    }
  });
}

/** A server over stdio begins its console when its client has had its handshake. */
async function untilUp<T>(connect: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      return await connect();
    } catch {
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }
  return await connect();
}

Deno.test("where its port is taken, a server goes on without a console and says so in one line", async () => {
  using project = makeProject();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = `${taken.addr.port}`;
  const flags = ["--project", project.directory];
  await using server = await startServer(["--console", "--console-port", port, ...flags]);
  assert.equal((await fetch(`${server.url}/health`).then((answer) => answer.json())).tools, 3);
  await untilUp(() => Promise.resolve(assert.match(server.log(), /no console/)));
  assert.match(
    server.log(),
    new RegExp(
      `\nWarning: there is no console\\. Port ${port} on 127\\.0\\.0\\.1 is taken\\..+--console-port \\d+\n`,
    ),
  );
  const alone = await project.run(["console", "--port", port]);
  assert.deepEqual([alone.code, alone.out], [1, ""]);
  assert.match(alone.err, /^careem-mcp: Port \d+ on 127\.0\.0\.1 is taken\..+ --port \d+\n$/);
});

Deno.test("two consoles of one project show and steer the same", async () => {
  using project = makeProject();
  const start = () => startProgram(["console", "--port", "0", "--project", project.directory]);
  await using one = await start();
  await using other = await start();
  const [first, second] = [await apiOf(one.url), await apiOf(other.url)];
  await using events = await openEvents(other.url);
  await events.next("forced");
  const steps = [{ scenario: "first" }];
  await first.send("PUT", "/api/forced/order_track", { steps });
  assert.equal((await events.next("forced")).entries[0].text, "first");
  await second.send("DELETE", "/api/forced/order_track");
  assert.deepEqual((await first.get("/api/forced")).body.entries, []);
});

Deno.test("a folder that cannot be written to is told, and nothing is lost", async () => {
  using project = makeProject();
  const result = resultOf({ order: "7" });
  const call = { id: "c", time: "2026-01-01T00:00:00Z", pid: 1, tool: "order_track", result };
  project.write(
    ".run/calls.jsonl",
    `${JSON.stringify({ ...call, arguments: { order_id: "7" } })}\n`,
  );
  const folders = [project.path("tools/orders"), project.path(".run")];
  await using console = await startProgram([
    "console",
    "--port",
    "0",
    "--project",
    project.directory,
  ]);
  const api = await apiOf(console.url);
  for (const folder of folders) Deno.chmodSync(folder, 0o500);
  try {
    const replies = [
      await api.send("POST", "/api/scenarios", { tool: "order_track", name: "x", call: "c" }),
      await api.send("PUT", "/api/forced/order_track", { steps: [{ scenario: "near" }] }),
      await api.send("DELETE", "/api/calls"),
    ];
    for (const { status, body } of replies) {
      assert(status >= 400);
      assert.match(body.error, /cannot be (written|deleted).*permission denied/);
    }
    assert.equal((await api.get("/api/calls")).body.calls.length, 1);
  } finally {
    for (const folder of folders) Deno.chmodSync(folder, 0o700);
  }
});

Deno.test({
  name: "--open has the system open the console in the browser",
  ignore: Deno.build.os !== "linux" || !existsSync(BROWSERS.linux),
  async fn() {
    using project = makeProject();
    const opened = project.path("opened");
    const browser = project.write("browser", `#!/bin/sh\necho "$1" > '${opened}'\n`);
    Deno.chmodSync(browser, 0o700);
    const link = "/tmp/careem-mcp-browser-" + Deno.pid;
    Deno.symlinkSync(browser, link);
    const flags = ["console", "--port", "0", "--project", project.directory, "--open"];
    try {
      await using console = await startProgram(flags, {
        PATH: Deno.env.get("PATH")!,
        HOME: Deno.env.get("HOME")!,
        // xdg-open takes it where no desktop runs, and its path for words.
        BROWSER: link,
      });
      const url = await untilUp(() => Deno.readTextFile(opened));
      assert.equal(url, `${console.url}\n`);
    } finally {
      Deno.removeSync(link);
    }
  },
});
