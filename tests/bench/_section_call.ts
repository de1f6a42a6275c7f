import { CALLS } from "./_calls.ts";
import { figure, table } from "./_figures.ts";
import { compare, type Question } from "./_measure.ts";
import type { Contender } from "./_contenders.ts";
import { contenders, running, type Setting } from "./_setting.ts";
import { compareStdio } from "./_stdio.ts";

/** Measures `tools/call` with a small and a large answer, over Streamable HTTP and stdio. */
export async function callSection(setting: Setting): Promise<void> {
  const { milliseconds, rounds } = setting;
  for (const { name, params } of CALLS) {
    const title = `${params.name} (${name})`;
    const question = { method: "tools/call", params, milliseconds };
    const all = await contenders(setting, question);
    for (const clients of [1, 32]) {
      await overHttp(title, all, { ...question, clients }, rounds);
    }
    const withStdio = all.filter(({ stdio }) => stdio !== undefined);
    for (const atATime of [1, 32]) {
      console.log(`\n### ${title}: stdio, ${atATime} at a time\n`);
      const results = await compareStdio(withStdio, { atATime, milliseconds, params }, rounds);
      console.log(table(
        ["server", "calls/s", "of ours", "median µs", "p99 µs"],
        results.map(({ contender, perSecond, ratio, median, p99 }) => [
          contender.name,
          ...[perSecond, ratio, median, p99].map(figure),
        ]),
      ));
    }
  }
}

/** Measures a question over Streamable HTTP and prints what came of it. */
export async function overHttp(
  title: string,
  all: readonly Contender[],
  question: Question,
  rounds: number,
): Promise<void> {
  const clients = question.clients === 1 ? "one client" : `${question.clients} clients`;
  console.log(`\n### ${title}: Streamable HTTP, ${clients}\n`);
  const results = await running(all, (servers) => compare(servers, question, rounds));
  console.log(table(
    ["server", "calls/s", "of ours", "median µs", "p99 µs", "of ours", "CPU µs a call"],
    results.map(({ contender, perSecond, ratio, median, p99, p99Ratio, cpu }) => [
      contender.name,
      ...[perSecond, ratio, median, p99, p99Ratio, cpu].map(figure),
    ]),
  ));
}
