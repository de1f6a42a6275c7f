import assert from "node:assert/strict";
import { INITIALIZE } from "../support/messages.ts";
import { programCommand, ROOT, startServer } from "../support/program.ts";
import { exchange } from "../support/raw_http.ts";

/** What Java's default client and `curl --http2` send to a server that they do not know. */
const UPGRADE = {
  method: "POST",
  path: "/mcp",
  headers: {
    "connection": "Upgrade, HTTP2-Settings",
    "upgrade": "h2c",
    "http2-settings": "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
  },
  body: JSON.stringify(INITIALIZE),
};

Deno.test("a wish to upgrade is passed over, as by a Go server", async () => {
  await using server = await startServer();
  const { status, body } = await exchange(server.port, UPGRADE);
  assert.equal(status, 200);
  assert.match(body, /"careem-mcp-service"/);
});

const PIN = /^DENO_VERSION=(.*)$/m.exec(await Deno.readTextFile(`${ROOT}careem-mcp.sh`))![1]!;
const newest = await newestDeno();
if (newest === undefined) {
  console.warn("deno@latest cannot be had: nothing says if the pin can go.");
}

Deno.test({
  name: "the newest runtime still refuses a wish to upgrade, or the pin can go",
  ignore: newest === undefined,
}, async () => {
  const [, ...args] = programCommand();
  await using server = await startServer([], { command: [newest!.path, ...args] });
  const { status, body } = await exchange(server.port, UPGRADE);
  if (status === 200) {
    console.warn(`Deno ${newest!.version} answers an upgrade: the pin at ${PIN} can go.`);
    return;
  }
  console.log(`Deno ${newest!.version} refuses an upgrade: the pin at ${PIN} stays.`);
  assert.deepEqual([status, body], [400, ""]);
  assert.doesNotMatch(server.log(), /400/, "its handler never saw the request");
});

/** The newest Deno from npm; `undefined` where there is no npx or no network, or for an executable. */
async function newestDeno(): Promise<{ path: string; version: string } | undefined> {
  if (Deno.env.get("CAREEM_MCP_EXECUTABLE")) return undefined;
  const script = "console.log(JSON.stringify([Deno.execPath(), Deno.version.deno]))";
  try {
    const { success, stdout } = await new Deno.Command("npx", {
      args: ["--yes", "deno@latest", "eval", script],
      stdin: "null",
      stderr: "null",
      signal: AbortSignal.timeout(60_000),
    }).output();
    if (!success) return undefined;
    const [path, version] = JSON.parse(new TextDecoder().decode(stdout));
    return { path, version };
  } catch {
    return undefined;
  }
}
