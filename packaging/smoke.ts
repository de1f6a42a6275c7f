// Tries an executable on the system it is for, with nothing but Deno: packaging/smoke.ts <folder>

import assert from "node:assert/strict";
import { join } from "node:path";

const [folder = "dist"] = Deno.args;
const windows = Deno.build.os === "windows";
const executable = join(folder, windows ? "careem-mcp.exe" : "careem-mcp");
// Artifacts come without their permissions.
if (!windows) Deno.chmodSync(executable, 0o755);

const { version } = JSON.parse(
  Deno.readTextFileSync(join(import.meta.dirname!, "..", "deno.json")),
);
const INITIALIZE = message(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "smoke", version: "1.0.0" },
});
const CALL = message(2, "tools/call", {
  name: "reverse_geocode",
  arguments: { latitude: 25.0866, longitude: 55.1474 },
});

const printed = await run(["--version"]);
assert.equal(printed.trim(), version);

await run(["check"]);

const answers = (await run(["--stdio"], `${INITIALIZE}\n${CALL}\n`)).trim().split("\n");
assert.equal(JSON.parse(answers[0]!).result.serverInfo.name, "careem-mcp-service");
assert.equal(JSON.parse(answers[1]!).result.structuredContent.location.locationUuid, "LOC-50001");

await serveAndAsk();
console.log(`${executable} ${version} works here.`);

async function serveAndAsk(): Promise<void> {
  const server = new Deno.Command(executable, {
    args: ["--port", "0", "--console", "--console-port", "0"],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  try {
    const [url, console] = await addressesIn(server.stderr);
    const health = await fetch(`${url}/health`);
    assert.equal((await health.json()).status, "ok");
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: INITIALIZE,
    });
    assert.match(await response.text(), /careem-mcp-service/);
    assert.match(await (await fetch(console)).text(), /\/page\/main\.js/);
    const { tools } = await (await fetch(new URL("/api/tools", console))).json();
    assert(tools.length > 0 && tools.every((tool: object) => !("isBroken" in tool)));
  } finally {
    server.kill();
    await server.status;
  }
}

/** Reads until the server has said where it and its console listen. */
async function addressesIn(stderr: Deno.ChildProcess["stderr"]): Promise<[string, string]> {
  let text = "";
  for await (const chunk of stderr.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const address = /(http:\/\/\S+)\/health/.exec(text)?.[1];
    const page = /Console +(http:\S+)/.exec(text)?.[1];
    if (address !== undefined && page !== undefined) return [address, page];
  }
  throw new Error(`the server did not start:\n${text}`);
}

async function run(args: string[], input = ""): Promise<string> {
  const child = new Deno.Command(executable, {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A command that reads nothing may have ended by now.
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  assert.equal(code, 0, `${args.join(" ")}:\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

function message(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
