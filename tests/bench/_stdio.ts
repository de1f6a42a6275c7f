import type { Contender } from "./_contenders.ts";
import { median } from "./_figures.ts";
import { type Command, spawn } from "./_process.ts";

/** How a server answered over stdio. */
export interface StdioResult {
  readonly perSecond: number;
  /** Microseconds. */
  readonly median: number;
  readonly p99: number;
}

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "load", version: "1.0.0" },
};

/** A server on pipes. */
export class StdioClient {
  private readonly child: Deno.ChildProcess;
  private readonly writer: WritableStreamDefaultWriter<Uint8Array>;
  private readonly waiting = new Map<number, () => void>();
  private readonly reading: Promise<void>;
  private nextId = 1;

  /** Starts the server. */
  constructor(command: Command) {
    this.child = spawn(command, "piped");
    this.writer = this.child.stdin.getWriter();
    this.reading = this.read();
  }

  /** Opens the session. */
  async initialize(): Promise<void> {
    await this.ask("initialize", INITIALIZE);
    await this.write({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Asks, and waits for the answer. */
  async ask(method: string, params: object): Promise<void> {
    const id = this.nextId++;
    const answered = new Promise<void>((resolve) => this.waiting.set(id, resolve));
    await this.write({ jsonrpc: "2.0", id, method, params });
    await answered;
  }

  /** Asks for a while, several at a time. */
  async askFor(
    milliseconds: number,
    atATime: number,
    method: string,
    params: object,
  ): Promise<StdioResult> {
    const latencies: number[] = [];
    const started = performance.now();
    const deadline = started + milliseconds;
    await Promise.all(Array.from({ length: atATime }, async () => {
      for (let asked = performance.now(); asked < deadline;) {
        await this.ask(method, params);
        const now = performance.now();
        latencies.push(1000 * (now - asked));
        asked = now;
      }
    }));
    const seconds = (performance.now() - started) / 1000;
    latencies.sort((a, b) => a - b);
    return {
      perSecond: latencies.length / seconds,
      median: median(latencies),
      p99: latencies[Math.floor(0.99 * latencies.length)]!,
    };
  }

  /** Ends the server. */
  async stop(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.writer.abort().catch(() => {});
    await this.reading;
    await this.child.status;
  }

  private async write(message: object): Promise<void> {
    await this.writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  /** Takes the ids of answers from the beginnings or the ends of their lines, without parsing them. */
  private async read(): Promise<void> {
    let rest = "";
    for await (const chunk of this.child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const id = Number(/"id":(\d+)/.exec(line.slice(0, 60) + line.slice(-60))?.[1]);
        this.waiting.get(id)?.();
        this.waiting.delete(id);
      }
    }
  }
}

/** Asks all contenders the same over stdio, in rounds; the first round warms up. */
export async function compareStdio(
  contenders: readonly Contender[],
  { atATime, milliseconds, params }: { atATime: number; milliseconds: number; params: object },
  rounds: number,
): Promise<(StdioResult & { readonly contender: Contender; readonly ratio: number })[]> {
  const clients = contenders.map(({ stdio }) => new StdioClient(stdio!));
  const results = contenders.map((): StdioResult[] => []);
  try {
    for (const client of clients) await client.initialize();
    for (let round = 0; round <= rounds; round++) {
      for (const [nth, client] of clients.entries()) {
        const asked = contenders[nth]!.params ?? params;
        const result = await client.askFor(milliseconds, atATime, "tools/call", asked);
        if (round > 0) results[nth]!.push(result);
      }
    }
  } finally {
    for (const client of clients) await client.stop();
  }
  return contenders.map((contender, nth) => ({
    contender,
    perSecond: median(results[nth]!.map(({ perSecond }) => perSecond)),
    median: median(results[nth]!.map((result) => result.median)),
    p99: median(results[nth]!.map(({ p99 }) => p99)),
    ratio: median(results[nth]!.map(({ perSecond }, round) => {
      return perSecond / results[0]![round]!.perSecond;
    })),
  }));
}
