import assert from "node:assert/strict";
import { START_VARIABLES } from "../../lib/cli/start_options.ts";
import { INITIALIZE } from "../support/messages.ts";
import { run } from "./_program.ts";

const INPUT = `${JSON.stringify(INITIALIZE)}\n`;

Deno.test("a bare --stdio does what `start --stdio` does", async () => {
  const [bare, full] = await Promise.all([
    run(["--stdio"], { input: INPUT }),
    run(["start", "--stdio"], { input: INPUT }),
  ]);
  assert.deepEqual(bare, full);
  assert.match(bare.out, /"serverInfo":\{"name":"careem-mcp-service","version":"v1.0.0"\}/);
});

Deno.test("a bare --stdio heeds every variable that `start` heeds", async () => {
  const help = await run(["start", "--help"]);
  const named = new Set(help.out.match(/CAREEM_MCP_\w+/g));
  assert.deepEqual([...named].sort(), [...START_VARIABLES].sort());
  const { out, err } = await run(["--stdio"], {
    input: INPUT,
    env: { CAREEM_MCP_NAME: "another", CAREEM_MCP_QUIET: "1" },
  });
  assert.match(out, /"name":"another"/);
  assert.equal(err, "");
});

Deno.test("a bare --stdio that cannot start says why as any command does", async () => {
  const { code, err } = await run(["--stdio"], { env: { CAREEM_MCP_TOOLS: "/nowhere" } });
  assert.equal(code, 1);
  assert.match(err, /^careem-mcp: CAREEM_MCP_TOOLS: there is no folder \/nowhere\./);
});
