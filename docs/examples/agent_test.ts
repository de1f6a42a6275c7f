// A test of an agent with `deno test`. CAREEM_MCP names the program.
import { Client } from "npm:@modelcontextprotocol/sdk@1.32.2/client";
import { StreamableHTTPClientTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp.js";

const program = Deno.env.get("CAREEM_MCP") ?? "careem-mcp";

/** A server on a free port, with files of its own. */
async function startTwin() {
  const folder = await Deno.makeTempDir();
  const env = {
    CAREEM_MCP_OVERRIDES: `${folder}/overrides.json`,
    CAREEM_MCP_CALLS: `${folder}/calls.jsonl`,
  };
  const server = new Deno.Command(program, {
    args: ["start", "--port", "0", "--log", "json"],
    env,
    stdin: "null",
    stderr: "piped",
  }).spawn();
  const log = server.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) text += (await log.read()).value;
  const { url } = JSON.parse(text.split("\n")[0]!);
  return {
    url: url as string,
    async run(...args: string[]) {
      const { success, stderr } = await new Deno.Command(program, { args, env }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
    },
    async [Symbol.asyncDispose]() {
      server.kill();
      while (!(await log.read()).done);
      await server.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("the agent says so when no captain is near, and books nothing else", async () => {
  await using twin = await startTwin();
  await twin.run("scenario", "ride_book", "no-captains");

  // Your agent goes here; this one books a ride.
  const client = new Client({ name: "my-agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(twin.url)) as never);
  const result = await client.callTool({
    name: "ride_book",
    arguments: { fareId: "FARE-02-GO", paymentMethodId: "PM-1001" },
  });
  await client.close();

  if (!JSON.stringify(result).includes("captain")) throw new Error("nothing about captains");
  await twin.run("verify", "ride_book", "--times", "1", "--args", "fareId=FARE-02-GO");
});
