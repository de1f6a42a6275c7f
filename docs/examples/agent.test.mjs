// A test of an agent with vitest. CAREEM_MCP names the program.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const program = process.env.CAREEM_MCP ?? "careem-mcp";
let folder, env, server, url;
const run = (...args) => execFileSync(program, args, { env, encoding: "utf8" });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "careem-mcp-"));
  env = {
    ...process.env,
    CAREEM_MCP_OVERRIDES: join(folder, "overrides.json"),
    CAREEM_MCP_CALLS: join(folder, "calls.jsonl"),
  };
  server = spawn(program, ["start", "--port", "0", "--log", "json"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  for await (const part of server.stderr.iterator({ destroyOnReturn: false })) {
    log += part;
    if (log.includes("\n")) break;
  }
  url = JSON.parse(log.split("\n")[0]).url;
  server.stderr.resume();
});

afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true });
});

test("an order that is late is told to support", () => {
  run("scenario", "order_get_status", "late");
  // Your agent goes here; this one asks and reports.
  const answer = run("call", "order_get_status", "order_id=ORD-80006", "--url", url);
  expect(answer).toContain("late");
  run(
    ...["call", "support_report_issue", "subject_id=ORD-80006", "topic=late"],
    ...["description=It is late.", "--url", url],
  );
  run("verify", "support_report_issue", "--times", "1", "--args", "topic=late");
});
