import assert from "node:assert/strict";
import { tellRefusals } from "../../lib/http/refusals.ts";
import { asForced, refuse } from "../../lib/http/refuse.ts";
import { INITIALIZE } from "../support/messages.ts";
import { startServer } from "../support/program.ts";
import { exchange, type RawRequest } from "../support/raw_http.ts";

const JSON_HEADERS = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};
const POST = { method: "POST", path: "/mcp", headers: JSON_HEADERS, body: "{}" };

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** Requests that are refused, and the line that tells a developer why. */
const REFUSED: readonly [request: RawRequest, line: string][] = [
  [{ method: "GET", path: "/nowhere?a=b" }, "refused GET /nowhere?a=b: 404 404 page not found"],
  [
    { ...POST, host: "evil.test" },
    'refused POST /mcp: 403 Forbidden: invalid Host header "evil.test"',
  ],
  [
    { ...POST, headers: { ...JSON_HEADERS, origin: "https://evil.test" } },
    'refused POST /mcp: 403 Forbidden: invalid Origin header "https://evil.test"',
  ],
  [
    { ...POST, headers: { ...JSON_HEADERS, "content-type": "text/plain" } },
    "refused POST /mcp: 415 Content-Type must be 'application/json' (content-type: text/plain)",
  ],
  [
    { ...POST, headers: { "content-type": "application/json" } },
    "refused POST /mcp: 400 Accept must contain both 'application/json' and 'text/event-stream' " +
    "(accept: (none))",
  ],
  [
    { ...POST, headers: { ...JSON_HEADERS, "mcp-session-id": "GONE" } },
    "refused POST /mcp: 404 session not found (mcp-session-id: GONE)",
  ],
  [
    { ...POST, path: "/sse?sessionid=GONE" },
    "refused POST /sse?sessionid=GONE: 404 session not found (mcp-session-id: (none))",
  ],
  [
    POST,
    'refused POST /mcp: 400 malformed payload: invalid message version tag ""; expected "2.0"',
  ],
  [
    { ...POST, headers: { ...JSON_HEADERS, "mcp-protocol-version": "2026-07-28" }, body: PING },
    'refused POST /mcp: 400 protocol version "2026-07-28" is not supported by this server',
  ],
];

Deno.test("every refusal is told in the log, as text and as JSON, and nothing else is", async () => {
  for (const format of ["text", "json"]) {
    await using server = await startServer(["--log", format]);
    await waitFor(() => server.log().includes("Forced"), server.log);
    const before = server.log().length;
    const told = (): string[] =>
      server.log().slice(before).split("\n").filter((line) => line !== "").map((line) =>
        format === "json" ? JSON.parse(line).message : line.slice(9)
      );
    for (const [nth, [request, line]] of REFUSED.entries()) {
      assert((await exchange(server.port, request)).status >= 400);
      await waitFor(() => told().some((one) => one === line), () => `${line}\n${server.log()}`);
      // No more than a few of a second are told one by one.
      if (nth % 2 === 1) await new Promise((resume) => setTimeout(resume, 1000));
    }
    const count = told().length;
    await exchange(server.port, { ...POST, body: JSON.stringify(INITIALIZE) });
    await exchange(server.port, { method: "GET", path: "/health" });
    await new Promise((resume) => setTimeout(resume, 50));
    assert.equal(told().length, count);
  }
});

async function waitFor(holds: () => boolean, what: () => string): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 100) throw new Error(`not told: ${what()}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

Deno.test("of many refusals in a second a few are told, and how many more there were", () => {
  const lines: string[] = [];
  let now = 0;
  const tell = tellRefusals((line) => lines.push(line), () => now);
  const request = new Request("http://localhost/mcp", { method: "POST" });
  for (let n = 0; n < 50; n++) tell(request, "/mcp", refuse(400, "no"));
  tell(request, "/mcp", asForced(refuse(404, "as forced")));
  tell(request, "/mcp", new Response("fine"));
  now = 1000;
  tell(request, "/mcp", refuse(400, "no"));
  const line = "refused POST /mcp: 400 no";
  assert.deepEqual(lines, [line, line, line, "47 more refused", line]);
});
