import assert from "node:assert/strict";
import { openLogWriter } from "../../lib/server/log_writer.ts";

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
    async take(): Promise<void> {
      while (takes.length === 0) await null;
      takes.shift()!();
    },
  };
}

Deno.test("lines of one turn go together, and those that come meanwhile follow in order", async () => {
  const sink = makeSink();
  const log = openLogWriter(sink.write);
  log.line("a");
  log.line("b");
  const first = sink.take();
  await first;
  log.line("c");
  await sink.take();
  await log.flush(1000);
  assert.deepEqual(sink.written, ["a\nb\n", "c\n"]);
});

Deno.test("a log that nobody reads keeps no one waiting, keeps a megabyte, and tells what is missing", async () => {
  const sink = makeSink();
  const log = openLogWriter(sink.write);
  log.line("first");
  // The first write has begun and never ends.
  await Promise.resolve();
  await Promise.resolve();
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
  assert.equal(lines.pop(), `(${5000 - lines.length} lines left out: nobody read them in time)`);
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
