// Uses a server as many clients do at once, for minutes: sessions over every transport that come and
// go, clients that vanish, hostile requests, forced scenarios, and files that are edited all the
// while. Prints calls, errors by kind, memory and latency at the start and at the end.
//
//   deno task soak [--seconds 180] [--calls 5000000]
//
// It ends after that time or that many calls, whichever comes first, with exit code 1 if anything
// went wrong. The files that it edits are copies.

import { join } from "node:path";
import { parseArgs } from "node:util";
import type { JsonObject } from "../../lib/json.ts";
import { sampleArguments } from "../../lib/schema/sample.ts";
import { readFolder } from "../../lib/store/folder.ts";
import { ROOT, startServer } from "../support/program.ts";
import { targetsOf } from "./_hostile.ts";
import { type Ground, type Visit, VISITS } from "./_soak_clients.ts";
import { SAVES, startStorm } from "./_storm.ts";
import { Tally } from "./_tally.ts";
import { probeText } from "./_tools.ts";
import { assertServes, eventually, residentMemory } from "./_wire.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "180" },
    calls: { type: "string", default: "5000000" },
  },
});
const SECONDS = Number(values.seconds);
const CALLS = Number(values.calls);
if (!(SECONDS >= 10) || !(CALLS >= 1)) {
  console.error("soak: --seconds must be 10 or more and --calls 1 or more.");
  Deno.exit(2);
}

const folder = await Deno.realPath(await Deno.makeTempDir());
const tools = join(folder, "tools");
const overrides = join(folder, "overrides.json");
const { fixtures } = readFolder(join(ROOT, "tools"));
await Deno.mkdir(tools);
for (const { tool, path } of fixtures.values()) {
  await Deno.copyFile(path, join(tools, `${tool}.md`));
}
const probe = join(tools, "probe.md");
await Deno.writeTextFile(probe, probeText(0));
await Deno.writeTextFile(overrides, "{}");

const limits = ["--session-idle", "5s", "--max-sessions", "200"];
const server = await startServer(["--tools", tools, "--overrides", overrides, ...limits]);
const tally = new Tally();
const started = performance.now();
const elapsed = (): number => (performance.now() - started) / 1000;
const over = (): boolean => elapsed() > SECONDS || tally.answered >= CALLS;

const definitions = [...fixtures.values()].map(({ definition }) => definition as JsonObject);
const ground: Ground = {
  port: server.port,
  tally,
  calls: [
    ...[...fixtures.values()].flatMap(({ tool, definition, scenarios }) =>
      scenarios.map(({ match }) => ({
        name: tool,
        arguments: sampleArguments(definition.inputSchema, match ?? {}),
      }))
    ),
    // As often as all else together makes one in twenty.
    ...Array.from({ length: 100 }, () => ({ name: "probe", arguments: {} })),
  ],
  targets: targetsOf(definitions),
  overrides,
  over,
};

/** Saves the files of random tools, in every way, and forces random scenarios. */
async function edit(): Promise<void> {
  const ways = Object.values(SAVES);
  const all = [...fixtures.values()];
  for (let edits = 0; !over(); edits++) {
    const { tool, path, scenarios } = all[Math.floor(Math.random() * all.length)]!;
    const text = `${Deno.readTextFileSync(path)}\n<!-- edit ${edits} -->\n`;
    ways[edits % ways.length]!(join(tools, `${tool}.md`), text);
    const scenario = scenarios[Math.floor(Math.random() * scenarios.length)]!.name;
    const forced = edits % 3 === 0 ? {} : { [tool]: scenario };
    ways[edits % ways.length]!(overrides, JSON.stringify(forced));
    tally.count("edits of files");
    await new Promise((resume) => setTimeout(resume, 250));
  }
}

async function repeat(visit: Visit, pauseMs: number): Promise<void> {
  while (!over()) {
    try {
      await visit(ground);
    } catch (error) {
      if (over()) return;
      const text = error instanceof Error ? error.message : String(error);
      tally.count(`error: ${text.split("\n")[0]!.slice(0, 100)}`);
    }
    await new Promise((resume) => setTimeout(resume, pauseMs));
  }
}

const memory: { at: number; bytes: number }[] = [];
async function watch(): Promise<void> {
  while (!over()) {
    memory.push({ at: elapsed(), bytes: await residentMemory(server.pid) });
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

const storm = await startStorm(probe, Array.from({ length: 1000 }, (_, n) => probeText(n)));
await Promise.all([
  edit(),
  watch(),
  ...VISITS.flatMap(([visit, clients, pauseMs]) =>
    Array.from({ length: clients }, () => repeat(visit, pauseMs))
  ),
]);
const took = Math.min(elapsed(), SECONDS);
await storm.stop();
await Deno.writeTextFile(overrides, "{}");
await eventually(
  "it serves as it did at the start",
  () => assertServes(server.port).then(() => true, () => false),
);
// Sessions that were abandoned end, and the collector has a moment.
await new Promise((resume) => setTimeout(resume, 6000));
const rest = await residentMemory(server.pid);
const faults = server.log().split("\n").filter((line) =>
  /^[\d:]{8} request failed|Uncaught/.test(line)
);
const { code } = await server.stop();
await Deno.remove(folder, { recursive: true });

const window = Math.max(5, took / 10);
const first = tally.latency(0, window);
const last = tally.latency(took - window, took);
const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const mean = (from: number, to: number): number => {
  const inside = memory.filter(({ at }) => at >= from && at <= to).map(({ bytes }) => bytes);
  return inside.reduce((sum, bytes) => sum + bytes, 0) / inside.length;
};
const milliseconds = ({ calls, median, p99, max }: typeof first): string =>
  `${calls} calls, median ${median.toFixed(1)} ms, 99 % within ${p99.toFixed(1)} ms, ` +
  `slowest ${max.toFixed(0)} ms`;

console.log(
  `${tally.answered} calls in ${took.toFixed(0)} s (${Math.round(tally.answered / took)} a second)`,
);
for (const [kind, count] of [...tally.counts(), ["edits of one more file", storm.done] as const]) {
  console.log(`  ${count} ${kind}`);
}
console.log(`Latency, first ${window.toFixed(0)} s: ${milliseconds(first)}`);
console.log(`Latency, last ${window.toFixed(0)} s:  ${milliseconds(last)}`);
console.log(
  `Memory: ${mib(memory[0]!.bytes)} at the start, ${
    mib(mean(window, 3 * window))
  } on average in the ` +
    `second and third tenth, ${mib(mean(took - 2 * window, took))} in the last two, ${
      mib(rest)
    } at rest`,
);

const errors = tally.counts().filter(([kind]) => kind.startsWith("error:"));
const problems = [
  ...errors.map(([kind, count]) => `${count} × ${kind}`),
  ...faults,
  ...(code === 0 ? [] : [`the server ended with exit code ${code}`]),
  ...(last.median > 3 * first.median + 5 ? ["calls have become slower"] : []),
  ...(mean(took - 2 * window, took) > 1.5 * mean(window, 3 * window) ? ["memory has grown"] : []),
];
for (const problem of problems) console.log(`Problem: ${problem}`);
console.log(problems.length === 0 ? "All is well." : `${problems.length} problems.`);
Deno.exit(problems.length === 0 ? 0 : 1);
