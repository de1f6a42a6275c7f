import { join } from "node:path";
import { CALLS } from "./_calls.ts";
import { figure, median, table } from "./_figures.ts";
import { type Command, freePort, spawn, startListening } from "./_process.ts";
import { contenders, ROOT, type Setting } from "./_setting.ts";
import { StdioClient } from "./_stdio.ts";

/** What was measured of one program, in milliseconds, round by round. */
interface Times {
  readonly stdio: number[];
  readonly http: number[];
}

/** Measures how long servers take from the start of their process to their first answer. */
export async function startSection(setting: Setting): Promise<void> {
  const all = await contenders(setting, { method: "tools/call", params: CALLS[0]!.params });
  const empty = join(setting.folder, "empty.ts");
  Deno.writeTextFileSync(empty, "");
  const nothing: Times = { stdio: [], http: [] };
  const times = all.map((): Times => ({ stdio: [], http: [] }));
  // The first start may have to read files that the others find in memory.
  for (let round = 0; round <= 2 * setting.rounds; round++) {
    const command = { command: Deno.execPath(), args: ["run", "--quiet", empty] };
    nothing.stdio.push(await timed(async () => void await spawn(command, "null").status));
    for (const [nth, { stdio, http }] of all.entries()) {
      if (stdio) times[nth]!.stdio.push(await timeToInitialize(stdio));
      times[nth]!.http.push(await timeToListen(http));
    }
  }
  const row = (name: string, { stdio, http }: Times): string[] => [
    name,
    ...[stdio, http].map(([, ...rest]) => figure(rest.length > 0 ? median(rest) : undefined)),
  ];
  console.log("\n### Start, from the start of the process: milliseconds\n");
  console.log(table(
    ["server", "`initialize` over stdio", "listening over HTTP"],
    [
      row("`deno run` of an empty program", nothing),
      ...all.map(({ name }, nth) => row(name, times[nth]!)),
    ],
  ));
  console.log("\n### Start of the executable, beside an empty one\n");
  const script = join(ROOT, "tests/executable/measure_start.ts");
  await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", "--config", join(ROOT, "deno.json"), script, "20"],
  }).spawn().status;
}

async function timeToInitialize(command: Command): Promise<number> {
  let client: StdioClient | undefined;
  const time = await timed(async () => {
    client = new StdioClient(command);
    await client.initialize();
  });
  await client!.stop();
  return time;
}

async function timeToListen(http: (port: number) => Command): Promise<number> {
  const port = freePort();
  let stop = async (): Promise<void> => {};
  const time = await timed(async () => {
    ({ stop } = await startListening(http(port), port));
  });
  await stop();
  return time;
}

async function timed(action: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}
