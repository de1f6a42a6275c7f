import { join } from "node:path";
import { figure, table } from "./_figures.ts";

/** What `deno bench --json` prints, as far as it is read here. Times are in nanoseconds. */
interface BenchReport {
  readonly benches: readonly {
    readonly group: string;
    readonly name: string;
    readonly results: readonly [{ readonly ok: { readonly avg: number; readonly p99: number } }];
  }[];
}

/** Measures the parts of one call, one by one in one process. */
export async function partsSection(): Promise<void> {
  console.log("\n### The parts of a call, without the network: microseconds\n");
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["bench", "-A", "--quiet", "--json", join(import.meta.dirname!, "parts_bench.ts")],
    cwd: import.meta.dirname!,
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("deno bench failed");
  const { benches }: BenchReport = JSON.parse(new TextDecoder().decode(stdout));
  const groups = [...new Set(benches.map(({ group }) => group))];
  const names = [...new Set(benches.map(({ name }) => name))];
  const time = (group: string, name: string, pick: "avg" | "p99"): string => {
    const bench = benches.find((one) => one.group === group && one.name === name);
    return figure(bench && bench.results[0].ok[pick] / 1000);
  };
  console.log(table(
    ["part", ...groups.flatMap((group) => [group, "p99"])],
    names.map((name) => [
      name,
      ...groups.flatMap((group) => [time(group, name, "avg"), time(group, name, "p99")]),
    ]),
  ));
}
