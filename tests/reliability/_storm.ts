/** A way to save a file. Each leaves it whole, with the given text. */
export type Save = (path: string, text: string) => void;

/** Lets a moment pass in the middle of a save, as a slow disk or editor would. */
export function pause(milliseconds = 2): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function writePieces(path: string, text: string, options: Deno.OpenOptions): void {
  const bytes = new TextEncoder().encode(text);
  using file = Deno.openSync(path, { write: true, ...options });
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 3)) {
    pause();
    file.writeSync(bytes.subarray(at, at + Math.ceil(bytes.length / 3)));
  }
}

/** How editors, generators and people save files. */
export const SAVES: Readonly<Record<string, Save>> = {
  "written over": (path, text) => Deno.writeTextFileSync(path, text),
  "truncated, then written in pieces": (path, text) => writePieces(path, text, { truncate: true }),
  "written beside and renamed": (path, text) => {
    Deno.writeTextFileSync(`${path}.tmp`, text);
    Deno.renameSync(`${path}.tmp`, path);
  },
  "deleted, then written": (path, text) => {
    Deno.removeSync(path);
    pause();
    writePieces(path, text, { create: true });
  },
  "moved away, then written": (path, text) => {
    Deno.renameSync(path, `${path}~`);
    pause();
    Deno.writeTextFileSync(path, text);
  },
  "broken, then mended": (path, text) => {
    Deno.writeTextFileSync(path, text.slice(0, text.length / 2));
    pause();
    Deno.writeTextFileSync(path, text);
  },
};

/** A storm of saves, on a thread of its own so that nothing waits for it. */
export interface Storm {
  /** How many saves were begun so far. */
  readonly begun: number;
  /** How many saves are done so far. */
  readonly done: number;

  /**
   * Ends the storm.
   *
   * @returns The saves that the machine halted for so long that half a file was at rest, which
   * nothing can tell from a whole one.
   */
  stop(): Promise<ReadonlySet<number>>;
}

/** What the thread is told. */
export interface Orders {
  readonly path: string;
  /** The text of save `n` is one of these, by `n` modulo their number. */
  readonly texts: readonly string[];
  /** Numbers of saves begun and done, and whether to stop. */
  readonly shared: Int32Array;
}

/**
 * Saves a file again and again, in every way, from right after one another to a while apart.
 *
 * @param path The file.
 * @param texts What is saved, in turns.
 * @returns The storm, which rages until it is stopped.
 */
export async function startStorm(path: string, texts: readonly string[]): Promise<Storm> {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(new URL("_storm_worker.ts", import.meta.url), { type: "module" });
  const ended = new Promise<ReadonlySet<number>>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
  worker.postMessage({ path, texts, shared } satisfies Orders);
  while (Atomics.load(shared, 1) === 0) await new Promise((resume) => setTimeout(resume, 5));
  return {
    get begun() {
      return Atomics.load(shared, 0);
    },
    get done() {
      return Atomics.load(shared, 1);
    },
    async stop() {
      Atomics.store(shared, 2, 1);
      const halted = await ended;
      worker.terminate();
      return halted;
    },
  };
}
