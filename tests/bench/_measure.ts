import { join } from "node:path";
import type { Contender } from "./_contenders.ts";
import { median } from "./_figures.ts";
import type { Load, LoadResult } from "./_load.ts";
import { freePort, type Measured, startListening } from "./_process.ts";

/** A contender that listens. */
export interface Running extends Measured {
  readonly contender: Contender;
  readonly port: number;
}

/** What to ask for, and for how long. */
export type Question = Pick<Load, "clients" | "milliseconds" | "method" | "params">;

/** How a contender answered, over all rounds. */
export interface Performance {
  readonly contender: Contender;
  readonly perSecond: number;
  /** Calls per second as a share of the first contender's, round by round. */
  readonly ratio: number;
  /** Microseconds. */
  readonly median: number;
  readonly p99: number;
  /** The p99 as a multiple of the first contender's, round by round. */
  readonly p99Ratio: number;
  /** Microseconds of processor time per call. */
  readonly cpu: number;
}

/** Starts a contender over HTTP. */
export async function start(contender: Contender): Promise<Running> {
  const port = freePort();
  const measured = await startListening(contender.http(port), port);
  return { ...measured, contender, port };
}

/** Puts load on a server from a process of its own. */
export async function load({ contender, port }: Running, question: Question): Promise<LoadResult> {
  const { path, handshake } = contender;
  const params = question.method === "tools/call" ? contender.params ?? question.params : {};
  const task: Load = { ...question, params, port, path, handshake };
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--allow-net"],
      join(import.meta.dirname!, "_load.ts"),
      JSON.stringify(task),
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${contender.name} failed under load`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/**
 * Asks all contenders the same, in rounds: one after the other in each, so that what else the
 * machine does meets them all alike. The first round warms up and does not count.
 */
export async function compare(
  servers: readonly Running[],
  question: Question,
  rounds: number,
): Promise<Performance[]> {
  const results = servers.map((): (LoadResult & { cpu: number })[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [nth, server] of servers.entries()) {
      const before = server.cpu();
      const result = await load(server, question);
      const cpu = 1e6 * (server.cpu() - before) / result.requests;
      if (round > 0) results[nth]!.push({ ...result, cpu });
    }
  }
  const first = results[0]!;
  return servers.map(({ contender }, nth) => {
    const own = results[nth]!;
    const middle = (pick: (result: LoadResult & { cpu: number }, round: number) => number) =>
      median(own.map(pick));
    return {
      contender,
      perSecond: middle((result) => result.perSecond),
      ratio: middle((result, round) => result.perSecond / first[round]!.perSecond),
      median: middle((result) => result.median),
      p99: middle((result) => result.p99),
      p99Ratio: middle((result, round) => result.p99 / first[round]!.p99),
      cpu: middle((result) => result.cpu),
    };
  });
}
