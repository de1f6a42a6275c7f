import assert from "node:assert/strict";
import { openLogWriter } from "../../lib/mcp/log_writer.ts";

/** Something to write to that takes each text only when it is told to. */
function makeSink() {
  const written: string[] = [];
  const takes: (() => void)[] = [];
  return {
    written,
    write: (text: string) =>
      new Promise<void>((resolve) => {
        takes.push(() => {
          written.push(text);
          resolve();
        });
      }),
    /** Waits until there is a write under way. */
    async begun(): Promise<void> {
      while (takes.length === 0) await new Promise((resume) => setTimeout(resume, 1));
    },
    async take(): Promise<void> {
      await this.begun();
      takes.shift()!();
    },
  };
}

Deno.test("lines that come close together go together, and those after them follow in order", async () => {
  const sink = makeSink();
  const log = openLogWriter(sink.write);
  log.line("a");
  await null;
  log.line("b");
  await sink.take();
  log.line("c");
  await sink.take();
  await log.flush(1000);
  assert.deepEqual(sink.written, ["a\nb\n", "c\n"]);
});

Deno.test("many long lines are written as soon as they are many, so that none is left out", async () => {
  const written: string[] = [];
  const log = openLogWriter((text) => Promise.resolve(void written.push(text)));
  const line = "x".repeat(200_000);
  const lines = Array.from({ length: 50 }, () => line);
  for (const line of lines) {
    log.line(line);
    // The next call comes a turn later, well before lines are done gathering.
    await new Promise((resume) => setImmediate(resume));
  }
  await log.flush(1000);
  assert.deepEqual(written.join("").trimEnd().split("\n"), lines);
});

Deno.test("a flush writes what has been gathered at once", async () => {
  const written: string[] = [];
  const log = openLogWriter((text) => Promise.resolve(void written.push(text)));
  log.line("a");
  const flushed = log.flush(1000);
  // No timer can go off meanwhile.
  for (let microtask = 0; microtask < 10; microtask++) await null;
  assert.deepEqual(written, ["a\n"]);
  await flushed;
});

Deno.test("a log that nobody reads keeps no one waiting, keeps a megabyte, and tells what is missing", async () => {
  const sink = makeSink();
  const log = openLogWriter(sink.write);
  log.line("first");
  // The first write never ends.
  await sink.begun();
  const kilobyte = "x".repeat(1023);
  for (let line = 0; line < 5000; line++) log.line(kilobyte);
  const started = performance.now();
  await log.flush(20);
  assert(performance.now() - started < 1000);
  await sink.take();
  await sink.take();
  await log.flush(1000);
  const [first, rest, ...more] = sink.written;
  assert.equal(first, "first\n");
  assert.deepEqual(more, []);
  const lines = rest!.trimEnd().split("\n");
  assert.equal(lines.pop(), `(${5000 - lines.length} lines left out: not read in time)`);
  assert(lines.length > 1000 && lines.length <= 1024, `${lines.length} lines were kept`);
});

Deno.test("a line that is longer than all that may wait is written when nothing waits", async () => {
  const written: string[] = [];
  const log = openLogWriter((text) => Promise.resolve(void written.push(text)));
  const long = "x".repeat(3_000_000);
  log.line(long);
  await log.flush(1000);
  assert.deepEqual(written, [`${long}\n`]);
});

Deno.test("what cannot be written is lost, and the next line is tried", async () => {
  const written: string[] = [];
  let closed = true;
  const log = openLogWriter((text) =>
    closed ? Promise.reject(new Error("closed")) : Promise.resolve(void written.push(text))
  );
  log.line("lost");
  await log.flush(1000);
  closed = false;
  log.line("kept");
  await log.flush(1000);
  assert.deepEqual(written, ["kept\n"]);
});

Deno.test("flushing a log in which nothing waits ends at once", async () => {
  const log = openLogWriter(() => Promise.reject(new Error("nothing is written")));
  await log.flush(60_000);
});
