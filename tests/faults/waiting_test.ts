import assert from "node:assert/strict";
import { join } from "node:path";
import { readCalls } from "../../lib/control/calls.ts";
import type { JsonObject } from "../../lib/json.ts";
import {
  assertServes,
  deleteSession,
  eventually,
  initialize,
  POST_HEADERS,
  residentMemory,
} from "../reliability/_wire.ts";
import { startStdio } from "../reliability/_stdio.ts";
import { startServer } from "../support/program.ts";
import { RawConnection } from "../support/raw_http.ts";

const TOOL = "pay_get_wallet_balance";
const MIB = 1024 * 1024;

/** A folder with an overrides file that has calls of the tool hang. */
async function hanging(
  work: (flags: string[], calls: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const [overrides, calls] = [
    join(folder, "overrides.json"),
    join(folder, "calls.jsonl"),
  ];
  await Deno.writeTextFile(
    overrides,
    JSON.stringify({ [TOOL]: { fault: "hang" } }),
  );
  await work(["--overrides", overrides, "--calls", calls], calls);
  await Deno.remove(folder, { recursive: true });
}

function call(id: number): JsonObject {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: TOOL } };
}

/** Sends calls that will wait, on a connection of their own. */
async function sendCalls(
  port: number,
  session: string,
  count: number,
): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  await connection.send({
    method: "POST",
    path: "/mcp",
    headers: { ...POST_HEADERS, "mcp-session-id": session },
    body: JSON.stringify(Array.from({ length: count }, (_, id) => call(id))),
  });
  return connection;
}

Deno.test("10,000 calls that wait take little memory, hold up nobody, and end with their clients or the server", () =>
  hanging(async (flags, path) => {
    const server = await startServer(flags);
    const { port, pid } = server;
    await assertServes(port);
    const before = await residentMemory(pid);
    const counts = (): { pending: number; ended: number } => {
      const calls = readCalls(path).filter(({ tool }) => tool === TOOL);
      const pending = calls.filter((call) => call.pending).length;
      return { pending, ended: calls.length - pending };
    };
    const wait = async (): Promise<RawConnection[]> => {
      const session = await initialize(port);
      return await Promise.all(
        Array.from({ length: 100 }, () => sendCalls(port, session, 100)),
      );
    };

    const connections = await wait();
    await eventually(
      "all of them wait",
      () => counts().pending === 10_000,
      20_000,
    );
    const waiting = await residentMemory(pid);
    const started = performance.now();
    await assertServes(port);
    const took = performance.now() - started;
    console.log(
      `10,000 waiting calls: ${((waiting - before) / MIB).toFixed(0)} MiB more`,
    );
    assert(
      waiting - before < 256 * MIB,
      `${(waiting - before) / MIB} MiB more`,
    );
    assert(took < 2000, `${took} ms`);

    for (const connection of connections) connection.close();
    const ended = { pending: 0, ended: 10_000 };
    await eventually(
      "all of them have ended",
      () => counts().ended === 10_000,
      20_000,
    );
    assert.deepEqual(counts(), ended);
    await assertServes(port);

    const others = await wait();
    await eventually("others wait", () => counts().pending > 0, 20_000);
    const stopping = performance.now();
    assert.equal((await server.stop()).code, 0);
    assert(performance.now() - stopping < 5000);
    for (const connection of others) connection.close();
  }));

Deno.test("a session that ends has its calls end", () =>
  hanging(async (flags, path) => {
    await using server = await startServer(flags);
    const session = await initialize(server.port);
    using waiting = await sendCalls(server.port, session, 1);
    const response = waiting.readResponse("POST");
    await eventually("it waits", () => readCalls(path).some(({ pending }) => pending));
    assert.equal(await deleteSession(server.port, session), 204);
    assert.equal((await response).body, "");
  }));

Deno.test("over stdio, as many calls wait as the client sends; one is cancelled, and all end with the client", () =>
  hanging(async (flags, path) => {
    await using program = startStdio({ flags: ["--quiet", ...flags] });
    const initialized = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "tester", version: "1" },
    };
    await program.send({ jsonrpc: "2.0", id: "open", method: "initialize", params: initialized });
    for (let nth = 0; nth < 10; nth++) {
      const calls = Array.from({ length: 100 }, (_, id) => JSON.stringify(call(nth * 100 + id)));
      await program.write(`${calls.join("\n")}\n`);
    }
    const ended = () => readCalls(path).filter(({ pending }) => !pending).length;
    await eventually("all of them wait", () => {
      try {
        return readCalls(path).filter(({ pending }) => pending).length === 1000;
      } catch {
        return false;
      }
    }, 20_000);
    const params = { requestId: 500 };
    await program.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    await program.send({ jsonrpc: "2.0", id: "still here", method: "ping" });
    await eventually("one has ended", () => ended() === 1);
    await program.endInput();
    const answers = [];
    for (let line; (line = await program.read()) !== undefined;) answers.push(line);
    const ids = answers.map(({ id }) => String(id));
    assert.deepEqual(ids.slice(0, 3).sort(), ["500", "open", "still here"]);
    assert.equal((await program.child.status).code, 0);
    assert.equal(ended(), 1000);
  }));
