import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/json.ts";
import { OWN_PROJECT, programCommand } from "../support/program.ts";
import { startStdio, type StdioProgram } from "./_stdio.ts";
import {
  eventually,
  INITIALIZE,
  initialize,
  MENU,
  post,
  residentMemory,
  toolCall,
} from "./_wire.ts";

const PING: JsonObject = { jsonrpc: "2.0", id: 1, method: "ping" };

async function assertServes(program: StdioProgram): Promise<void> {
  await program.send(toolCall(MENU, "menu"));
  const reply = await program.read();
  assert.equal(reply?.id, "menu");
  const { structuredContent } = reply.result as { structuredContent: { restaurant: JsonObject } };
  assert.equal(structuredContent.restaurant.id, 30104);
}

/** Waits for the end of the program and tells its code and how long that took. */
async function end(program: StdioProgram): Promise<{ code: number; took: number }> {
  const started = performance.now();
  const { code, signal } = await program.child.status;
  assert.equal(signal, null);
  return { code, took: performance.now() - started };
}

Deno.test("at the end of the input it ends, after the last answer", async () => {
  await using program = startStdio();
  await program.send(INITIALIZE);
  const ids = Array.from({ length: 200 }, (_, index) => index + 10);
  for (const id of ids) await program.send(toolCall(MENU, id));
  await program.endInput();
  const seen = new Set<unknown>();
  for (let reply = await program.read(); reply; reply = await program.read()) seen.add(reply.id);
  assert.deepEqual(seen, new Set([1, ...ids]));
  assert.equal((await end(program)).code, 0);
});

Deno.test("an input that ends at once, or without a line end, is no trouble", async () => {
  for (const [text, ids] of [["", []], ["\n\n", []], [JSON.stringify(PING), [1]]] as const) {
    await using program = startStdio();
    await program.write(text);
    await program.endInput();
    for (const id of ids) assert.equal((await program.read())?.id, id);
    assert.equal(await program.read(), undefined);
    assert.equal((await end(program)).code, 0);
  }
});

Deno.test("a broken line is answered with an error, and the next message works", async () => {
  await using program = startStdio();
  await program.send(INITIALIZE);
  assert.equal((await program.read())?.id, 1);
  const broken = [
    "{",
    "[]",
    "5",
    '{"jsonrpc":"1.0"}',
    "\0\x01",
    "null",
    "{}}",
    `${"[".repeat(1e5)}`,
  ];
  for (const line of broken) {
    await program.write(`${line}\n`);
    const reply = await program.read();
    assert.equal(reply?.id, null, line.slice(0, 20));
    assert.equal((reply.error as JsonObject).code, -32700);
    assert.doesNotMatch(JSON.stringify(reply), /deno|SyntaxError|Unexpected token/i);
  }
  // Blank lines and CRLF are none.
  await program.write(`\r\n \n${JSON.stringify(PING)}\r\n`);
  assert.deepEqual(await program.read(), { jsonrpc: "2.0", id: 1, result: {} });
  await assertServes(program);
});

Deno.test("a line of 10 MB is answered with an error, and the next message works", async () => {
  await using program = startStdio();
  await program.send(INITIALIZE);
  await program.read();
  await program.send({ ...PING, params: { text: "x".repeat(10_000_000) } });
  const reply = await program.read();
  assert.deepEqual(reply, {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32700, message: "message exceeds 4194304 bytes" },
  });
  await assertServes(program);
});

/** Waits until a client that goes on sending gets no further. */
async function keptWaiting(sent: () => number): Promise<void> {
  let last = -1;
  await eventually("the client is kept waiting", async () => {
    const now = sent();
    const stalled = now === last && now > 0;
    last = now;
    await new Promise((resume) => setTimeout(resume, 300));
    return stalled;
  });
}

Deno.test("a client that sends broken lines without reading has to wait, too", async () => {
  await using program = startStdio();
  const line = `${JSON.stringify("x".repeat(50_000))}\n`;
  let sent = 0;
  const lines = 400;
  const sending = (async () => {
    for (; sent < lines; sent++) await program.write(line);
  })();
  await keptWaiting(() => sent);
  assert(sent < lines, "it could send all without reading an answer");
  for (let count = 0; count < lines; count++) assert.equal((await program.read())?.id, null);
  await sending;
});

Deno.test("a batch cannot ask for more than can be answered", async () => {
  await using program = startStdio();
  await program.write(`${JSON.stringify(Array.from({ length: 50_000 }, () => PING))}\n`);
  assert.equal(((await program.read())?.error as JsonObject).code, -32700);
  await program.send(PING);
  assert.equal((await program.read())?.id, 1);
});

Deno.test("a closed stdout ends it quietly at its next answer", async () => {
  await using program = startStdio({ stderr: "piped" });
  const told = new Response(program.child.stderr).text();
  await program.send(INITIALIZE);
  await program.read();
  await program.closeOutput();
  // The input stays open: only the attempt to answer tells that nobody reads.
  await program.send(PING).catch(() => {});
  const { code, took } = await end(program);
  assert.equal(code, 0);
  assert(took < 5000, `${took} ms`);
  assert.doesNotMatch(await told, /error|broken pipe| {4}at /i);
});

Deno.test("a closed stderr is survived, from the start or from some time on", async (t) => {
  await t.step("closed by its reader", async () => {
    await using program = startStdio({ stderr: "piped" });
    await program.send(INITIALIZE);
    await program.read();
    await program.child.stderr.cancel();
    for (let call = 0; call < 20; call++) await assertServes(program);
    await program.endInput();
    assert.equal((await end(program)).code, 0);
  });
  await t.step({
    name: "closed before it started",
    ignore: Deno.build.os === "windows",
    async fn() {
      const command = ["bash", "-c", 'exec "$@" 2>&-', "bash", ...programCommand()];
      await using program = startStdio({ command });
      await program.send(INITIALIZE);
      await program.read();
      await assertServes(program);
      await program.endInput();
      assert.equal((await end(program)).code, 0);
    },
  });
});

Deno.test("a stderr that nobody reads does not stop it, over stdio nor over HTTP", async (t) => {
  // Each call is a line; a pipe holds some hundreds of them.
  const calls = 3000;
  await t.step("over stdio", async () => {
    await using program = startStdio({ stderr: "piped" });
    await program.send(INITIALIZE);
    await program.read();
    for (let call = 0; call < calls; call++) {
      await program.send(toolCall(MENU, call));
      assert.equal((await program.read())?.id, call);
    }
    await program.endInput();
    const { code, took } = await end(program);
    assert.equal(code, 0);
    assert(took < 5000, `${took} ms`);
    await program.child.stderr.cancel();
  });
  await t.step("over stdio, with much to tell before the first call", async () => {
    const overrides = await Deno.makeTempFile();
    const idle = Array.from({ length: 2000 }, (_, nth) => [`no_such_tool_${nth}`, "x"]);
    await Deno.writeTextFile(overrides, JSON.stringify(Object.fromEntries(idle)));
    await using program = startStdio({ stderr: "piped", flags: ["--overrides", overrides] });
    await program.send(INITIALIZE);
    await program.read();
    // By then it has told what is forced.
    await new Promise((resume) => setTimeout(resume, 600));
    await program.send(toolCall(MENU, 7));
    assert.equal((await program.read())?.id, 7);
    await program.endInput();
    assert.equal((await end(program)).code, 0);
    await program.child.stderr.cancel();
    await Deno.remove(overrides);
  });
  await t.step("over HTTP", async () => {
    const [command = "", ...args] = programCommand();
    const child = new Deno.Command(command, {
      args: [...args, "start", "--port", "0"],
      env: OWN_PROJECT,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    let banner = "";
    while (!/:\d+\/mcp/.test(banner)) banner += (await reader.read()).value;
    const port = Number(/:(\d+)\/mcp/.exec(banner)![1]);
    const session = await initialize(port);
    for (let call = 0; call < calls / 3; call++) {
      // A call that is refused has two lines in the log, with all that was sent.
      const request = toolCall({ name: "ride_book", arguments: { filler: "x".repeat(500) } });
      const { status } = await post(port, request, { "mcp-session-id": session });
      assert.equal(status, 200);
    }
    child.kill("SIGTERM");
    assert.equal((await child.status).code, 0);
    await reader.cancel();
  });
});

Deno.test("it does not outlive a parent that is killed", async () => {
  const [command, ...args] = programCommand();
  const code = `
    const child = new Deno.Command(${JSON.stringify(command)}, {
      args: ${JSON.stringify([...args, "start", "--stdio"])},
      stdin: "piped", stdout: "piped", stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(${JSON.stringify(`${JSON.stringify(PING)}\n`)}));
    await child.stdout.getReader().read();
    console.log(child.pid);
    await new Promise(() => setInterval(() => {}, 1000));`;
  const parent = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", code],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = parent.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const pid = Number((await reader.read()).value);
  assert(pid > 0);
  const { code: alive } = await signal(pid);
  assert.equal(alive, 0);
  parent.kill("SIGKILL");
  await parent.status;
  await reader.cancel();
  await eventually("the program has ended", async () => (await signal(pid)).code !== 0, 2000);
});

/** Asks whether a process is there, by a signal that does nothing. */
async function signal(pid: number): Promise<{ code: number }> {
  // One that has ended and waits to be reaped is a zombie, and gone.
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] })
    .output();
  const state = new TextDecoder().decode(stdout).trim();
  return { code: state === "" || state.startsWith("Z") ? 1 : 0 };
}

Deno.test("SIGTERM and SIGINT end it with 0, also when they come twice", async () => {
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    await using program = startStdio();
    await program.send(INITIALIZE);
    await program.read();
    program.child.kill(name);
    try {
      program.child.kill(name);
    } catch {
      // It was quick.
    }
    const { code, took } = await end(program);
    assert.equal(code, 0, name);
    assert(took < 5000, `${took} ms`);
  }
});

Deno.test({
  name: "it takes no time of the processor while nothing is asked",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using program = startStdio();
    await program.send(INITIALIZE);
    await program.read();
    await assertServes(program);
    // What was begun by the call may still be going on.
    await new Promise((resume) => setTimeout(resume, 300));
    const before = await processorTime(program.child.pid);
    await new Promise((resume) => setTimeout(resume, 1000));
    const took = await processorTime(program.child.pid) - before;
    assert(took <= 200, `${took} ms in a second`);
  },
});

/** The processor time of a process so far, in milliseconds, to the nearest ten. */
async function processorTime(pid: number): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user, system] = text.slice(text.lastIndexOf(")") + 2).split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

Deno.test("a client that asks without reading has to wait, and gets every answer in the end", async () => {
  await using program = startStdio({ flags: ["--quiet"] });
  await program.send(INITIALIZE);
  await program.read();
  await program.send({ ...PING, method: "tools/list" });
  await program.read();
  const before = await residentMemory(program.child.pid);
  const requests = 600;
  let sent = 0;
  const sending = (async () => {
    // Messages of some size, so that the pipe itself does not hold them all.
    const params = { _meta: { filler: "x".repeat(2000) } };
    for (let id = 0; id < requests; id++) {
      await program.send({ jsonrpc: "2.0", id, method: "tools/list", params });
      sent++;
    }
  })();
  await keptWaiting(() => sent);
  assert(sent < requests, "it could send all without reading an answer");
  const grown = (await residentMemory(program.child.pid) - before) / 1024 / 1024;
  assert(grown < 150, `${grown} MiB more`);
  for (let id = 0; id < requests; id++) assert.equal((await program.read())?.id, id);
  await sending;
  await program.endInput();
  assert.equal((await end(program)).code, 0);
});
