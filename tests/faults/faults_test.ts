import assert from "node:assert/strict";
import { join } from "node:path";
import { programCommand, startServer } from "../support/program.ts";
import { RawConnection } from "../support/raw_http.ts";

// Each fault as it comes over the wire, on each transport, and that the server is fine afterwards.

const JSON_AND_STREAM = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const INITIALIZE = message(0, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "tester", version: "1" },
});
const CALL = message(1, "tools/call", { name: "pay_get_wallet_balance" });

function message(id: number, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** A project folder of its own, in which things are forced. */
async function withControl(
  work: (flags: string[], force: (entries: object) => void, journal: () => Call[]) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const overrides = join(folder, "overrides.json");
  const calls = join(folder, "calls.jsonl");
  const journal = (): Call[] =>
    Deno.readTextFileSync(calls).trim().split("\n").map((line) => JSON.parse(line));
  try {
    await work(
      ["--overrides", overrides, "--calls", calls],
      (entries) => Deno.writeTextFileSync(overrides, JSON.stringify(entries)),
      journal,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Call {
  readonly tool: string;
  readonly why?: string;
  readonly fault?: string;
  readonly pending?: boolean;
  readonly transport?: string;
  readonly client?: { readonly name: string };
}

const STATUSES: Readonly<Record<string, [number, string, Record<string, string>?]>> = {
  "unauthorized": [401, "Unauthorized\n", { "www-authenticate": 'Bearer error="invalid_token"' }],
  "404": [404, "404 page not found\n"],
  "429": [429, "Too Many Requests\n", { "retry-after": "1" }],
  "500": [500, "Internal Server Error\n"],
  "502": [502, "Bad Gateway\n"],
  "503": [503, "Service Unavailable\n"],
  "504": [504, "Gateway Timeout\n"],
};

/** One client over Streamable HTTP, at the level of requests. */
async function openHttp(url: string) {
  const post = (body: string, session?: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: { ...JSON_AND_STREAM, ...(session && { "mcp-session-id": session }) },
      body,
      ...(signal && { signal }),
    });
  const opened = await post(INITIALIZE);
  await opened.body?.cancel();
  const session = opened.headers.get("mcp-session-id")!;
  return { post, session, call: (signal?: AbortSignal) => post(CALL, session, signal) };
}

Deno.test("faults over Streamable HTTP", async (t) => {
  await withControl(async (flags, force, journal) => {
    await using server = await startServer(flags);
    const { post, session, call } = await openHttp(server.url);
    const isFine = async (): Promise<void> => {
      force({});
      const response = await post(CALL, session);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /"balance"/);
    };
    for (const [fault, [status, text, headers = {}]] of Object.entries(STATUSES)) {
      for (const key of ["pay_get_wallet_balance", "*", "/"]) {
        await t.step(`${fault} for ${key}`, async () => {
          force({ [key]: { fault, times: 1 } });
          const response = await call();
          assert.deepEqual([response.status, await response.text()], [status, text]);
          assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
          for (const [name, value] of Object.entries(headers)) {
            assert.equal(response.headers.get(name), value);
          }
          await isFine();
        });
      }
    }
    await t.step("drop", async () => {
      force({ pay_get_wallet_balance: { fault: "drop" } });
      await assert.rejects(call());
      force({ "/": { fault: "drop" } });
      await assert.rejects(post(INITIALIZE));
      await isFine();
    });
    await t.step("cut", async () => {
      for (const key of ["pay_get_wallet_balance", "/"]) {
        force({ [key]: { fault: "cut" } });
        const response = await call();
        assert.equal(response.status, 200);
        const got: string[] = [];
        await assert.rejects(async () => {
          for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
            got.push(part);
          }
        });
        assert.match(got.join(""), /^event: message\ndata: \{"jsonrpc"/);
        assert.doesNotMatch(got.join(""), /\n\n$/);
        await isFine();
      }
    });
    await t.step(
      "cut, where there is no half: no answer, and the stream can be opened",
      async () => {
        const ask = async (method: string, session: string): Promise<number> => {
          using connection = await RawConnection.open(server.port);
          const headers = { accept: "text/event-stream", "mcp-session-id": session };
          await connection.send({ method, path: "/mcp", headers });
          return (await connection.readHead()).status;
        };
        const other = await openHttp(server.url);
        force({ "/": { fault: "cut" } });
        await assert.rejects(ask("GET", other.session));
        force({});
        assert.equal(await ask("GET", other.session), 200);
        force({ "/": { fault: "cut" } });
        await assert.rejects(ask("DELETE", other.session));
        await isFine();
      },
    );
    await t.step("hang, until the client gives up", async () => {
      for (const key of ["pay_get_wallet_balance", "/"]) {
        force({ [key]: { fault: "hang" } });
        await assert.rejects(call(AbortSignal.timeout(150)), { name: "TimeoutError" });
        await isFine();
      }
      const lines = journal().filter(({ fault }) => fault === "hang");
      assert.deepEqual(lines.map(({ pending = false, why }) => [pending, why]), [
        [true, undefined],
        [false, "fault"],
      ]);
    });
    await t.step("lost-session: 404, and the session is gone", async () => {
      for (const key of ["pay_get_wallet_balance", "/"]) {
        const other = await openHttp(server.url);
        force({ [key]: { fault: "lost-session", times: 1 } });
        for (let attempt = 0; attempt < 2; attempt++) {
          const response = await other.call();
          assert.deepEqual([response.status, await response.text()], [404, "session not found\n"]);
        }
        await isFine();
      }
    });
    await t.step("a deploy: two requests find no route, initialize among them", async () => {
      force({ "/": { fault: 404, times: 2 } });
      const statuses = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const response = await post(INITIALIZE);
        await response.body?.cancel();
        statuses.push(response.status);
      }
      assert.deepEqual(statuses, [404, 404, 200]);
      assert.match(server.log(), /POST \/mcp: fault 404, as forced on `\/`/);
    });
    await t.step("a slow start, then a tool's own entry behind it", async () => {
      force({ "/": { delay: "150ms", times: 1 }, pay_get_wallet_balance: { fault: 503 } });
      const started = performance.now();
      const response = await call();
      assert.equal(response.status, 503);
      await response.body?.cancel();
      assert(performance.now() - started >= 140);
      await isFine();
    });
  });
});

Deno.test("faults over legacy SSE", async (t) => {
  await withControl(async (flags, force, journal) => {
    await using server = await startServer(flags);
    const open = async () => {
      const stream = await fetch(`${server.url}/sse`);
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      const path = /data: (\S+)/.exec((await reader.read()).value!)![1]!;
      const post = (body: string): Promise<Response> =>
        fetch(server.url + path, { method: "POST", headers: JSON_AND_STREAM, body });
      await (await post(INITIALIZE)).body?.cancel();
      assert.match((await reader.read()).value!, /"serverInfo"/);
      return { post, reader };
    };
    for (const [fault, [status, text]] of Object.entries(STATUSES)) {
      await t.step(fault, async () => {
        const { post, reader } = await open();
        force({ pay_get_wallet_balance: { fault } });
        const response = await post(CALL);
        assert.deepEqual([response.status, await response.text()], [status, text]);
        force({});
        assert.equal((await post(CALL)).status, 202);
        assert.match((await reader.read()).value!, /"balance"/);
        await reader.cancel();
      });
    }
    for (const fault of ["drop", "lost-session", "cut"]) {
      await t.step(`${fault}: the stream ends`, async () => {
        const { post, reader } = await open();
        force({ pay_get_wallet_balance: { fault } });
        assert.equal((await post(CALL)).status, 202);
        let rest = "";
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          rest += read.value;
        }
        if (fault === "cut") assert.match(rest, /^event: message\ndata: \{"jsonrpc"[^\n]*$/);
        else assert.equal(rest, "");
        force({});
        const again = await post(CALL);
        assert.deepEqual([again.status, await again.text()], [404, "session not found\n"]);
      });
    }
    for (const fault of ["drop", "lost-session", "cut"]) {
      await t.step(`${fault} of any request: no answer, and the stream ends`, async () => {
        const { post, reader } = await open();
        // For good: fetch tries a dropped request again by itself.
        force({ "/": { fault } });
        if (fault === "lost-session") {
          const refused = await post(CALL);
          assert.deepEqual([refused.status, await refused.text()], [404, "session not found\n"]);
        } else {
          await assert.rejects(post(CALL));
        }
        assert.equal((await reader.read()).done, true);
        force({});
      });
    }
    await t.step("hang: other calls go on, and the journal shows who waits", async () => {
      const { post, reader } = await open();
      force({ pay_get_wallet_balance: { fault: "hang", times: 1 } });
      assert.equal((await post(CALL)).status, 202);
      assert.equal((await post(message(2, "ping"))).status, 202);
      assert.match((await reader.read()).value!, /"id":2,"result":\{\}/);
      await reader.cancel();
      await new Promise((resume) => setTimeout(resume, 100));
      const last = journal().findLast(({ fault }) => fault === "hang")!;
      assert.deepEqual([last.why, last.transport, last.client?.name], ["fault", "sse", "tester"]);
      force({});
    });
  });
});

Deno.test("faults over stdio", async (t) => {
  await withControl(async (flags, force) => {
    const run = async (entries: object, lines: readonly string[]) => {
      force(entries);
      const [command, ...args] = programCommand();
      const child = new Deno.Command(command, {
        args: [...args, "start", "--stdio", "--quiet", ...flags],
        stdin: "piped",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
      const ending = setTimeout(() => writer.close().catch(() => {}), 1500);
      const { code, stdout } = await child.output();
      clearTimeout(ending);
      await writer.close().catch(() => {});
      return { code, out: new TextDecoder().decode(stdout) };
    };
    for (const [fault, [, text]] of Object.entries(STATUSES)) {
      await t.step(fault, async () => {
        const { code, out } = await run(
          { pay_get_wallet_balance: { fault, times: 1 } },
          [INITIALIZE, CALL],
        );
        const error = { code: -32603, message: text.trim() };
        assert.deepEqual(JSON.parse(out.trim().split("\n")[1]!), { jsonrpc: "2.0", id: 1, error });
        assert.equal(code, 0);
      });
    }
    for (const fault of ["drop", "lost-session", "cut"]) {
      await t.step(`${fault}: the process ends`, async () => {
        const { code, out } = await run({ pay_get_wallet_balance: { fault } }, [INITIALIZE, CALL]);
        assert.equal(code, 1);
        const [first, rest] = out.split("\n");
        assert.match(first!, /"serverInfo"/);
        if (fault === "cut") assert.match(rest!, /^\{"jsonrpc":"2\.0","id":1,"result"/);
        else assert.equal(rest, "");
      });
    }
    await t.step("a request of any kind, and then as before", async () => {
      const { code, out } = await run({ "/": { fault: 503, times: 1 } }, [INITIALIZE, INITIALIZE]);
      const [refused, opened] = out.trim().split("\n").map((line) => JSON.parse(line));
      assert.deepEqual(refused.error, { code: -32603, message: "Service Unavailable" });
      assert.equal(opened.result.serverInfo.name, "careem-mcp-service");
      assert.equal(code, 0);
    });
    await t.step("hang: cancelled by the client", async () => {
      const cancel = JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 1 },
      });
      const { code, out } = await run(
        { pay_get_wallet_balance: { fault: "hang" } },
        [INITIALIZE, CALL, cancel, message(2, "ping")],
      );
      assert.match(out, /"id":2,"result":\{\}/);
      assert.equal(code, 0);
    });
  });
});
