/** The latencies of one stretch of time, in milliseconds. */
export interface Latency {
  readonly calls: number;
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

/** Counts what happened: good calls with their time, and everything else by its kind. */
export class Tally {
  private readonly started = performance.now();
  private readonly calls: { at: number; took: number }[] = [];
  private readonly kinds = new Map<string, number>();

  /** How many calls were answered well. */
  get answered(): number {
    return this.calls.length;
  }

  /** Counts a thing that is no call, or an error. */
  count(kind: string): void {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  /** Times a call; one that fails is counted by the text of its error. */
  async time<T>(call: () => Promise<T>): Promise<T | undefined> {
    const at = performance.now();
    try {
      const result = await call();
      this.calls.push({ at: at - this.started, took: performance.now() - at });
      return result;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.count(`error: ${text.split("\n")[0]!.slice(0, 100)}`);
      return undefined;
    }
  }

  /** What was counted, by kind. */
  counts(): [kind: string, count: number][] {
    return [...this.kinds].sort(([a], [b]) => a < b ? -1 : 1);
  }

  /** The latencies of the calls that began in a stretch of time, in seconds from the start. */
  latency(from: number, to: number): Latency {
    const took = this.calls
      .filter(({ at }) => at >= from * 1000 && at < to * 1000)
      .map(({ took }) => took)
      .sort((a, b) => a - b);
    const at = (share: number) =>
      took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
    return { calls: took.length, median: at(0.5), p99: at(0.99), max: at(1) };
  }
}
