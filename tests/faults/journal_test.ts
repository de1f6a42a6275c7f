import assert from "node:assert/strict";
import { join } from "node:path";
import { olderPath, readCalls } from "../../lib/control/calls.ts";
import { eventually, initialize, post } from "../reliability/_wire.ts";
import { startServer } from "../support/program.ts";

// The journal as servers write it, where that is hard.

const TOOL = "pay_get_wallet_balance";
const AT_ONCE = 100;

/** Calls the tool so many times and counts the answers. */
async function callTimes(
  port: number,
  session: string,
  times: number,
): Promise<number> {
  let answers = 0;
  for (let sent = 0; sent < times; sent += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, nth) => ({
      jsonrpc: "2.0",
      id: sent + nth,
      method: "tools/call",
      params: { name: TOOL },
    }));
    const { body } = await post(port, batch, { "mcp-session-id": session });
    answers += body.split('"isError":false').length - 1;
  }
  return answers;
}

Deno.test("two servers of a project have each of 20,000 calls in the journal once, in whole lines", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "calls.jsonl");
  const flags = [
    "--calls",
    path,
    "--overrides",
    join(folder, "overrides.json"),
  ];
  const servers = await Promise.all([startServer(flags), startServer(flags)]);
  const answers = await Promise.all(servers.map(async ({ port }) => {
    return await callTimes(port, await initialize(port), 10_000);
  }));
  assert.deepEqual(answers, [10_000, 10_000]);
  // What is gathered yet is written at the end.
  const ended = await Promise.all(servers.map((server) => server.stop()));
  assert.deepEqual(ended.map(({ code }) => code), [0, 0]);
  const lines = [olderPath(path), path].flatMap((file) => {
    return Deno.readTextFileSync(file).split("\n").slice(0, -1);
  });
  const calls = lines.map((line) => JSON.parse(line));
  assert.equal(calls.length, 20_000);
  assert.equal(new Set(calls.map(({ id }) => id)).size, 20_000);
  for (const { pid } of servers) {
    assert.equal(calls.filter((call) => call.pid === pid).length, 10_000);
  }
  await Deno.remove(folder, { recursive: true });
});

/** A disk of 256 kB, which only root can have. */
async function mountDisk(folder: string): Promise<boolean> {
  return Deno.build.os === "linux" && Deno.uid() === 0 &&
    await mount("-t", "tmpfs", "-o", "size=256k", "tmpfs", folder);
}

async function mount(...args: string[]): Promise<boolean> {
  const options = { args, stdout: "null", stderr: "null" } as const;
  return await new Deno.Command("mount", options).output().then(
    ({ success }) => success,
    () => false,
  );
}

const disk = await Deno.makeTempDir();
const hasDisk = await mountDisk(disk);
if (!hasDisk) {
  console.warn(
    "No disk can be mounted: the journal on a full one is not tested.",
  );
}
globalThis.addEventListener("unload", () => {
  if (hasDisk) new Deno.Command("umount", { args: [disk] }).outputSync();
  Deno.removeSync(disk);
});

Deno.test({
  name: "a full disk, and one that turns read-only, lose lines of the journal and no answers",
  ignore: !hasDisk,
}, async () => {
  const path = join(disk, "calls.jsonl");
  await using server = await startServer(["--calls", path]);
  const { port } = server;
  const session = await initialize(port);
  const told = (): string[] => server.log().match(/the journal .* is not written.*/g) ?? [];

  assert.equal(await callTimes(port, session, 2000), 2000);
  await eventually("it is told", () => told().length > 0);
  const calls = readCalls(path).length;
  assert(calls > 100 && calls < 2000, `${calls} lines`);

  // There is room again: the journal goes on.
  await Deno.truncate(path);
  assert.equal(await callTimes(port, session, 100), 100);
  await eventually("it is written again", () => readCalls(path).length >= 100);

  // Refused while lines are being written.
  await eventually("it is read-only", () => mount("-o", "remount,ro", disk));
  const written = readCalls(path).length;
  assert.equal(await callTimes(port, session, 300), 300);
  assert.equal(readCalls(path).length, written);
  assert.equal(told().length, 1, `${told()}`);
});
