import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type Call,
  mergeCalls,
  newestCalls,
  olderPath,
  parseLines,
  readCalls,
} from "../../lib/control/calls.ts";
import { followCalls } from "../../lib/control/follow_calls.ts";
import { type Journal, openJournal, type WrittenCall } from "../../lib/control/journal.ts";
import { withFolder } from "../store/_folder.ts";
import { startHeld } from "./_held.ts";

const MODULE = new URL("../../lib/control/journal.ts", import.meta.url).href;

function callOf(id: string, more: Partial<WrittenCall> = {}): WrittenCall {
  return { id, time: "2026-10-05T12:00:00.000Z", pid: 1, tool: "ride_book", ...more };
}

/** Gives a journal in a folder of its own, whose folder is still to be made. */
function withJournal(
  use: (journal: Journal, path: string, notes: string[]) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    const path = join(folder, ".run", "calls.jsonl");
    const notes: string[] = [];
    await use(openJournal(path, (note) => notes.push(note)), path, notes);
  });
}

Deno.test("a call is a line of JSON, for its owner alone, and read as it was written", () =>
  withJournal(async (journal, path, notes) => {
    const call = callOf(journal.id(), {
      transport: "stdio",
      client: { name: "c", version: "1" },
      arguments: { q: "مطعم\u2028" },
      scenario: "near",
      why: "rule",
      rule: { q: "*" },
      isError: false,
      ms: 1.5,
    });
    const result = { content: [], isError: false };
    const written = ['{"content":', new TextEncoder().encode("[]"), ',"isError":false}'];
    journal.write(call, written);
    assert.deepEqual(readCalls(path), [], "written aside");
    await journal.flush(1000);
    assert.deepEqual(readCalls(path), [{ ...call, result }]);
    const text = Deno.readTextFileSync(path);
    assert(text.endsWith("}\n") && text.split("\n").length === 2, text);
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    // Without a flush, too, and before long.
    journal.write(callOf("late"));
    await new Promise((resume) => setTimeout(resume, 200));
    assert.equal(readCalls(path).at(-1)?.id, "late");
    assert.deepEqual(notes, []);
  }));

Deno.test("what is long is cut, and marked with how long it was", () =>
  withJournal(async (journal, path) => {
    const long = "x".repeat(70_000);
    const result = ['{"long":"', new TextEncoder().encode(long), '"}'];
    journal.write(callOf("1", { arguments: { long }, tool: long, problem: long }), result);
    await journal.flush(1000);
    const [call] = readCalls(path);
    assert.equal(call!.result, `{"long":"${long}`.slice(0, 65_536));
    assert.deepEqual([call!.resultCutFrom, call!.argumentsCutFrom], [70_011, 70_011]);
    assert(Deno.statSync(path).size < 210_000);
    // Of too many calls at once the results are left out first, then the calls.
    for (let nth = 0; nth < 60; nth++) journal.write(callOf(`many-${nth}`), result);
    await journal.flush(1000);
    const last = readCalls(path).at(-1)!;
    assert.deepEqual([last.id, last.result, last.resultCutFrom], ["many-59", undefined, 70_011]);
  }));

Deno.test("a call that waits has a line when it comes and another when it ends", () => {
  const [begin, end] = [{ pending: true }, { ms: 5 }] as const;
  const lines = [callOf("a", begin), callOf("b"), callOf("c", begin), callOf("a", end)] as Call[];
  const expected = [callOf("a", end), callOf("b"), callOf("c", begin)];
  assert.deepEqual(mergeCalls(lines), expected);
  assert.deepEqual(mergeCalls([...lines, ...lines]), expected, "an end outdoes a wait");
});

Deno.test("lines that are not whole, or no calls, are passed over", () =>
  withFolder((folder) => {
    const path = join(folder, "calls.jsonl");
    const line = JSON.stringify(callOf("1"));
    Deno.writeTextFileSync(olderPath(path), `\n5\n{"id":"2"}\nnull\n${line.slice(9)}\n${line}\n`);
    Deno.writeTextFileSync(path, `${line.replace('"1"', '"3"')}\n${line.slice(0, 20)}`);
    assert.deepEqual(readCalls(path).map(({ id }) => id), ["1", "3"]);
  }));

Deno.test("a journal that cannot be written is told of once, and fails and stops nothing", async () => {
  await withFolder(async (folder) => {
    const pipe = join(folder, "pipe");
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    Deno.writeTextFileSync(join(folder, "file"), "");
    for (const path of [join(folder, "file", "calls.jsonl"), folder, pipe]) {
      const notes: string[] = [];
      const journal = openJournal(path, (note) => notes.push(note));
      for (let nth = 0; nth < 3; nth++) {
        journal.write(callOf(String(nth)));
        await journal.flush(1000);
      }
      assert.equal(notes.length, 1, path);
      assert(notes[0]!.startsWith(`the journal ${path} is not written: `), notes[0]);
    }
  });
});

Deno.test("a journal goes on when it can be written again, and after the half of a line", () =>
  withJournal(async (journal, path, notes) => {
    journal.write(callOf("1"));
    await journal.flush(1000);
    const { write } = Deno.FsFile.prototype;
    try {
      Deno.FsFile.prototype.write = function (bytes) {
        return write.call(this, bytes.subarray(0, 20));
      };
      journal.write(callOf("2"));
      await journal.flush(1000);
    } finally {
      Deno.FsFile.prototype.write = write;
    }
    journal.write(callOf("3"));
    await journal.flush(1000);
    assert.deepEqual(readCalls(path).map(({ id }) => id), ["1", "3"]);
    assert.deepEqual(notes, [`the journal ${path} is not written: no space is left on the device`]);
    Deno.removeSync(join(path, ".."), { recursive: true });
    journal.write(callOf("4"));
    await journal.flush(1000);
    assert.deepEqual(readCalls(path).map(({ id }) => id), ["4"]);
  }));

/** Starts a process that writes `count` lines of some 600 bytes once its input is closed. */
function startWriter(path: string, count: number): Deno.ChildProcess {
  const code = `
    const journal = openJournal(${JSON.stringify(path)}, (note) => { throw new Error(note); });
    for (let nth = 0; nth < ${count}; nth++) {
      const id = journal.id();
      const args = { nth, text: "x".repeat(500) };
      const time = new Date().toISOString();
      journal.write({ id, time, pid: Deno.pid, tool: "t", arguments: args });
      if (nth % 200 === 0) await new Promise((resume) => setTimeout(resume, 3));
      if (nth % 1000 === 0) await journal.flush(10_000);
    }
    await journal.flush(10_000);`;
  return startHeld(`import { openJournal } from ${JSON.stringify(MODULE)};`, code);
}

Deno.test("two processes that write 20,000 calls, and begin a new file, lose and tear none", () =>
  withFolder(async (folder) => {
    const path = join(folder, "calls.jsonl");
    const writers = [startWriter(path, 10_000), startWriter(path, 10_000)];
    const outputs = writers.map((writer) => writer.stdout.getReader());
    for (const output of outputs) await output.read();
    const seen: Call[] = [];
    const following = (async () => {
      for await (const calls of followCalls(path, 20)) {
        seen.push(...calls);
        if (seen.length >= 20_000) return;
      }
    })();
    await Promise.all(writers.map((writer) => writer.stdin.close()));
    const outcomes = await Promise.all(writers.map((writer) => writer.status));
    for (const output of outputs) await output.cancel();
    assert(outcomes.every(({ success }) => success));
    await following;

    const texts = [olderPath(path), path].map((file) => Deno.readTextFileSync(file));
    const lines = texts.flatMap((text) => text.split("\n").slice(0, -1));
    assert.equal(lines.length, 20_000);
    const calls: Call[] = lines.map((line) => JSON.parse(line));
    assert.equal(new Set(calls.map(({ id }) => id)).size, 20_000, "each id is its own");
    for (const writer of writers) {
      const own = calls.filter(({ pid }) => pid === writer.pid);
      const order = own.map(({ arguments: args }) => (args as { nth: number }).nth);
      assert.deepEqual(order, Array.from({ length: 10_000 }, (_, nth) => nth));
    }
    assert(Deno.statSync(olderPath(path)).size >= 8 * 1024 * 1024);
    for (const file of [olderPath(path), path]) {
      if (Deno.build.os !== "windows") assert.equal(Deno.statSync(file).mode! & 0o777, 0o600);
    }
    // Whoever follows sees all of it, across the change of files.
    assert.deepEqual(new Set(seen.map(({ id }) => id)).size, 20_000);
    assert.equal(seen.length, 20_000);
  }));

Deno.test("read from its end, a journal has the same calls, as many as are asked for", () =>
  withFolder((folder) => {
    const path = join(folder, "calls.jsonl");
    const lines = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, at) => {
        const nth = from + at;
        // Lines longer than what is read at a time, of letters of several bytes, and waits.
        const problem = nth % 50 === 0 ? "شا".repeat(100_000) : "م";
        const wait = nth % 7 === 0 ? { pending: true as const, delayMs: 5 } : {};
        const end = nth % 7 === 3
          ? `${JSON.stringify(callOf(`${nth - 3}`, { delayMs: 5, ms: 6 }))}\n`
          : "";
        return `${JSON.stringify({ ...callOf(`${nth}`), problem, ...wait })}\n${end}`;
      }).join("");
    Deno.writeTextFileSync(olderPath(path), lines(0, 150));
    Deno.writeTextFileSync(path, `${lines(150, 300)}{"id": "half`);
    const texts = [olderPath(path), path].map((file) => Deno.readTextFileSync(file));
    const all = mergeCalls(texts.flatMap(parseLines));
    assert.equal(all.length, 300);
    assert.deepEqual([...newestCalls(path)], all.toReversed());
    assert.deepEqual(readCalls(path), all);
    assert.deepEqual([...newestCalls(path).take(3)].map(({ id }) => id), ["299", "298", "297"]);
    assert.deepEqual([...newestCalls(path, '"id":"42"')], [all[42]]);
    assert.deepEqual([...newestCalls(join(folder, "none.jsonl"))], []);
  }));

Deno.test("a follower sees what is there, what comes, and what comes after a clear", () =>
  withFolder(async (folder) => {
    const path = join(folder, "calls.jsonl");
    const line = (id: string): string => `${JSON.stringify(callOf(id))}\n`;
    const append = (text: string) => Deno.writeTextFileSync(path, text, { append: true });
    const following = followCalls(path, 1);
    const next = async (): Promise<string[]> =>
      ((await following.next()).value as Call[]).map(({ id }) => id);
    Deno.writeTextFileSync(olderPath(path), line("old"));
    assert.deepEqual(await next(), ["old"]);
    append(line("1") + line("2").slice(0, 9));
    assert.deepEqual(await next(), ["1"]);
    assert.deepEqual(await next(), []);
    append(line("2").slice(9));
    assert.deepEqual(await next(), ["2"]);
    append(line("3"));
    Deno.renameSync(path, olderPath(path));
    append(line("4"));
    assert.deepEqual(await next(), ["3", "4"]);
    Deno.removeSync(path);
    assert.deepEqual(await next(), []);
    append(line("5"));
    assert.deepEqual(await next(), ["5"]);
    Deno.truncateSync(path);
    assert.deepEqual(await next(), []);
    append(line("6"));
    assert.deepEqual(await next(), ["6"]);
    await following.return(undefined);
  }));
