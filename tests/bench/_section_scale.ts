import { join } from "node:path";
import { CALLS } from "./_calls.ts";
import { type Contender, thisServer } from "./_contenders.ts";
import { callParams, type FolderSize, writeFixtures } from "./_fixtures.ts";
import { figure, median, table } from "./_figures.ts";
import { load, start } from "./_measure.ts";
import { running, type Setting } from "./_setting.ts";

const SIZES: readonly FolderSize[] = [
  { tools: 32, scenarios: 20 },
  { tools: 320, scenarios: 20 },
  { tools: 3200, scenarios: 20 },
  { tools: 1, scenarios: 20 },
  { tools: 1, scenarios: 1000 },
];

/** Measures how the server grows: with its tools, with their scenarios, with its sessions. */
export async function scaleSection(setting: Setting): Promise<void> {
  console.log("\n### Scale: generated tool files\n");
  const rows: string[][] = [];
  for (const size of SIZES) {
    const folder = join(setting.folder, `${size.tools}x${size.scenarios}`);
    const bytes = writeFixtures(folder, size);
    const server = thisServer(["--tools", folder]);
    rows.push([
      `${size.tools.toLocaleString("en-US")} × ${size.scenarios.toLocaleString("en-US")}`,
      figure(bytes / 1e6),
      ...(await measureFolder(server, size, setting)).map(figure),
    ]);
    await Deno.remove(folder, { recursive: true });
  }
  console.log(table(
    ["tools × scenarios", "MB", "start ms", "memory MB", "first µs", "last µs", "calls/s"],
    rows,
  ));
  console.log("\n### Scale: open sessions\n");
  console.log(table(["sessions", "memory MB", "KiB each"], await measureSessions()));
}

/** Start, memory, latency of a call that the first and the last scenario answers, throughput. */
async function measureFolder(
  server: Contender,
  { tools, scenarios }: FolderSize,
  { rounds, milliseconds }: Setting,
): Promise<number[]> {
  const starts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const started = await start(server);
    starts.push(performance.now() - began);
    await started.stop();
  }
  return await running([server], async ([started]) => {
    const memory = started!.memory() / 1e6;
    const ask = async (clients: number, tool: number, scenario: number) =>
      await load(started!, {
        clients,
        milliseconds,
        method: "tools/call",
        params: callParams(tool, scenario),
      });
    // The first load warms up.
    await ask(32, tools - 1, 0);
    const first = await ask(1, tools - 1, 0);
    const last = await ask(1, tools - 1, scenarios - 1);
    const many = await ask(32, tools - 1, scenarios >> 1);
    return [median(starts), memory, first.median, last.median, many.perSecond];
  });
}

async function measureSessions(): Promise<string[][]> {
  const rows: string[][] = [];
  await running([thisServer()], async ([server]) => {
    const call = { method: "tools/call", params: CALLS[0]!.params, milliseconds: 0 };
    let open = 0;
    let before: number | undefined;
    for (const sessions of [1, 100, 1000]) {
      // A client ends its connection and leaves its session open.
      while (open < sessions) {
        const clients = Math.min(100, sessions - open);
        await load(server!, { ...call, clients });
        open += clients;
      }
      const memory = server!.memory();
      const each = before === undefined ? undefined : (memory - before) / 1024 / (sessions - 1);
      before ??= memory;
      rows.push([open.toLocaleString("en-US"), figure(memory / 1e6), figure(each)]);
    }
  });
  return rows;
}
