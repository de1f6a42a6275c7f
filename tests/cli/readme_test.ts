import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, startServer } from "../support/program.ts";

// What the README says to type is typed here, in its order, against a project of its own.

const README = await Deno.readTextFile(join(ROOT, "README.md"));
const COMMANDS = [...README.matchAll(/^```sh\n(.*?)^```$/gms)]
  .flatMap(([, block]) => block!.replaceAll("\\\n", " ").trim().split("\n"));

/** Commands that other tests run, which serve, watch, or ask for calls that were not made here. */
const ELSEWHERE = /^(?:\.\/careem-mcp\.sh (?:start|console|test|verify|calls)\b|npx )/;

/** What a command must show, where the README promises something to see. */
const SHOWN: Record<string, RegExp> = {
  "./careem-mcp.sh scenarios --find declined": /ride_book/,
  "./careem-mcp.sh check": /no findings|honest/i,
};

Deno.test("every command of the README does what it says", async (t) => {
  const project = await Deno.makeTempDir();
  try {
    await using server = await startServer(["--project", project]);
    await prepare(project, server.url);
    for (const command of COMMANDS.filter((command) => !ELSEWHERE.test(command))) {
      await t.step(command, async () => {
        const typed = command.replace("http://127.0.0.1:8787", server.url);
        const { code, text } = await type(typed, project);
        if (typed !== command) assert.match(text, /30102/);
        assert.equal(code, 0, text);
        assert.match(text, SHOWN[command] ?? /./s, text);
      });
    }
  } finally {
    await Deno.remove(project, { recursive: true });
  }
});

Deno.test("the README shows the first line of a server, its numbers left open", async () => {
  await using server = await startServer();
  const [banner] = server.log().split("\n");
  assert(README.includes(banner!.replaceAll(/\d+/g, "…")), banner);
});

/** A folder such as the executable lies in: no tools/ yet, and a saved list to import. */
async function prepare(project: string, url: string): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
  };
  const post = async (body: object, session = ""): Promise<Response> =>
    await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { ...headers, ...(session !== "" && { "mcp-session-id": session }) },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
  const opened = await post({ method: "initialize", params: {} });
  await opened.text();
  const session = opened.headers.get("mcp-session-id") ?? "";
  const listed = await (await post({ method: "tools/list" }, session)).text();
  const data = /^data: (.*)$/m.exec(listed)![1]!;
  await Deno.writeTextFile(join(project, "tools-list.json"), data);
}

async function type(command: string, project: string): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", command.replace("./careem-mcp.sh", `"${ROOT}careem-mcp.sh"`)],
    cwd: project,
    env: { CAREEM_MCP_PROJECT: project, DENO: Deno.execPath(), NO_COLOR: "1" },
  }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, text: decode(stdout) + decode(stderr) };
}
