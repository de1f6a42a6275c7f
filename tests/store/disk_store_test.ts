import assert from "node:assert/strict";
import { join } from "node:path";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import { FixtureError } from "../../lib/fixture/problem.ts";
import { openDiskStore } from "../../lib/store/disk_store.ts";
import type { FixtureStore } from "../../lib/store/store.ts";
import { toolText, withFolder, writeFiles } from "./_folder.ts";

/** A store over two tools, in `a.md` and `deep/b.md`, and the path of the first. */
function withStore(use: (store: FixtureStore, path: string, folder: string) => Promise<void>) {
  return withFolder((folder) => {
    writeFiles(folder, { "a.md": toolText("a", "1"), "deep/b.md": toolText("b", "2") });
    return use(openDiskStore(folder), join(folder, "a.md"), folder);
  });
}

/** The first scenario's template, as it is written. */
function answerOf(fixture: Fixture): string {
  const segments = fixture.scenarios[0]!.template.segments;
  return segments.map((segment) => segment.kind === "text" ? segment.text : "{{}}").join("");
}

async function answer(store: FixtureStore, tool = "a"): Promise<string> {
  return answerOf(await store.read(tool));
}

/** The message that reading the tool fails with. */
async function failure(store: FixtureStore, tool = "a"): Promise<string> {
  try {
    await store.read(tool);
  } catch (error) {
    assert(error instanceof FixtureError, String(error));
    assert(error.problems.length > 0);
    return error.message;
  }
  assert.fail("the read should have failed");
}

/** Sets a file's own time back, to a moment that tells of a fine-grained clock. */
function age(path: string): Date {
  const time = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_599_500);
  Deno.utimeSync(path, time, time);
  return time;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds));
}

Deno.test("a folder that cannot be used is refused at start", () =>
  withFolder((folder) => {
    assert.throws(() => openDiskStore(folder), FixtureError);
    writeFiles(folder, { "a.md": toolText("a", "1"), "b.md": "oops" });
    assert.throws(() => openDiskStore(folder), /b\.md:1: no frontmatter/);
  }));

Deno.test("each tool is read from its own file", () =>
  withStore(async (store, path, folder) => {
    assert.equal(await answer(store, "a"), "1");
    assert.equal(await answer(store, "b"), "2");
    assert.equal((await store.read("a")).path, path);
    assert.equal((await store.read("b")).path, join(folder, "deep", "b.md"));
  }));

Deno.test("an edit shows at the next read", () =>
  withStore(async (store, path) => {
    assert.equal(await answer(store), "1");
    for (const text of ['{"longer": true}', "[]", '{"other": true}']) {
      Deno.writeTextFileSync(path, toolText("a", text));
      assert.equal(await answer(store), text);
      assert.equal(await answer(store, "b"), "2");
    }
  }));

Deno.test("edits of the same size right after one another show, each at the next read", () =>
  withStore(async (store, path) => {
    for (let edit = 0; edit < 10; edit++) {
      Deno.writeTextFileSync(path, toolText("a", String(edit)));
      assert.equal(await answer(store), String(edit));
    }
    // Also when several come between two reads.
    for (let edit = 9; edit >= 5; edit--) Deno.writeTextFileSync(path, toolText("a", String(edit)));
    assert.equal(await answer(store), "5");
  }));

Deno.test("edits that keep the size and set the time back show, each at the next read", () =>
  withStore(async (store, path) => {
    const time = age(path);
    assert.equal(await answer(store), "1");
    for (let edit = 2; edit < 7; edit++) {
      Deno.writeTextFileSync(path, toolText("a", String(edit)));
      Deno.utimeSync(path, time, time);
      assert.equal(Deno.statSync(path).mtime?.getTime(), time.getTime());
      assert.equal(await answer(store), String(edit));
    }
  }));

Deno.test("a file of the same size and time put in its place shows", () =>
  withStore(async (store, path, folder) => {
    const time = age(path);
    await store.read("a");
    const other = join(folder, "other.tmp");
    Deno.writeTextFileSync(other, toolText("a", "7"));
    Deno.utimeSync(other, time, time);
    Deno.renameSync(other, path);
    assert.equal(await answer(store), "7");
  }));

Deno.test("a file at rest is not parsed again, until an edit that only the system's clock tells", () =>
  withStore(async (store, path) => {
    const started = Date.now();
    const time = age(path);
    // Trust takes as long as the coarsest of the file's times needs to tell a later edit.
    let fixture = await store.read("a");
    for (let again = await store.read("a"); again !== fixture; again = await store.read("a")) {
      assert(Date.now() < started + 10_000, "a file at rest is trusted in the end");
      assert.deepEqual(again, fixture);
      fixture = again;
      await pause(20);
    }
    // The system tells the time of the last change in whole seconds.
    assert(Date.now() - started >= 900, "and not before");

    for (let call = 0; call < 5; call++) assert.equal(store.read("a"), fixture);
    Deno.writeTextFileSync(path, toolText("a", "7"));
    Deno.utimeSync(path, time, time);
    assert.equal(await answer(store), "7");
  }));

Deno.test("a file with a time in the future is read at once, and edits of it show", () =>
  withStore(async (store, path) => {
    const future = new Date(Date.now() + 3_600_000);
    const started = performance.now();
    for (let edit = 0; edit < 5; edit++) {
      Deno.writeTextFileSync(path, toolText("a", String(edit)));
      Deno.utimeSync(path, future, future);
      assert.equal(await answer(store), String(edit));
    }
    // Waiting for such a file to settle would take a quarter of a second for each edit.
    assert(performance.now() - started < 1_000, "the reads do not wait");
  }));

Deno.test("a broken edit fails with its place and reason, and heals", () =>
  withStore(async (store, path) => {
    age(path);
    assert.equal(await answer(store), "1");
    const broken: readonly (readonly [text: string, message: string])[] = [
      [toolText("a", "{oops"), `${path}:10: scenario \`usual\`: not valid JSON: `],
      [toolText("a", "{{later}}"), `${path}:10: scenario \`usual\`: unknown expression \`later\``],
      ["", `${path}:1: no frontmatter`],
      [toolText("a", "1").slice(0, 30), `${path}:`],
    ];
    for (const [text, message] of broken) {
      Deno.writeTextFileSync(path, text);
      for (let time = 0; time < 2; time++) {
        const told = await failure(store);
        assert(told.startsWith(message), told);
      }
      assert.equal(await answer(store, "b"), "2");
      Deno.writeTextFileSync(path, toolText("a", "3"));
      assert.equal(await answer(store), "3");
    }
  }));

Deno.test("a deleted file fails by name and heals when it is back", () =>
  withStore(async (store, path) => {
    Deno.removeSync(path);
    for (let time = 0; time < 2; time++) {
      assert.equal(
        await failure(store),
        `${path}:1: the tool \`a\` is not defined here any more, nor in another file; put it back`,
      );
    }
    assert.equal(await answer(store, "b"), "2");
    Deno.writeTextFileSync(path, toolText("a", "4"));
    assert.equal(await answer(store), "4");
  }));

Deno.test("a deleted folder fails by name and heals when it is back", () =>
  withStore(async (store, path, folder) => {
    Deno.removeSync(path);
    Deno.removeSync(join(folder, "deep"), { recursive: true });
    assert.match(await failure(store, "b"), /b\.md:1: the tool `b` is not defined here any more/);
    writeFiles(folder, { "a.md": toolText("a", "3"), "elsewhere/b.md": toolText("b", "4") });
    assert.equal(await answer(store, "a"), "3");
    assert.equal(await answer(store, "b"), "4");
  }));

Deno.test("a file that moves within the folder is found, and edits of it show", () =>
  withStore(async (store, path, folder) => {
    age(path);
    assert.equal(await answer(store), "1");
    for (const name of ["z.md", join("deep", "a.md"), "a.md"]) {
      const target = join(folder, name);
      const from = (await store.read("a")).path;
      if (from !== target) Deno.renameSync(from, target);
      assert.equal((await store.read("a")).path, target);
      assert.equal(await answer(store, "b"), "2");
      Deno.writeTextFileSync(target, toolText("a", JSON.stringify(name)));
      assert.equal(await answer(store), JSON.stringify(name));
    }
  }));

Deno.test("the file of the start answers as soon as it is back, whatever else defines the tool", () =>
  withStore(async (store, path, folder) => {
    const backup = join(folder, "backup.md");
    Deno.renameSync(path, backup);
    assert.equal(await answer(store), "1");
    writeFiles(folder, { "a.md": toolText("a", "3") });
    assert.equal(await answer(store), "3");
    writeFiles(folder, { "a.md": toolText("a", "4"), "backup.md": toolText("a", "5") });
    assert.equal(await answer(store), "4");
  }));

Deno.test("a moved file is found beside files that cannot be used", () =>
  withStore(async (store, path, folder) => {
    writeFiles(folder, { "bad.md": "oops", "deep/b.md": "oops" });
    Deno.renameSync(path, join(folder, "z.md"));
    assert.equal(await answer(store), "1");
    assert.match(await failure(store, "b"), /b\.md:1: no frontmatter/);
  }));

Deno.test("a file that defines another tool now fails, and heals", () =>
  withStore(async (store, path) => {
    Deno.writeTextFileSync(path, toolText("c", "3"));
    assert.equal(
      await failure(store),
      `${path}:1: the tool \`a\` is not defined here any more, nor in another file; put it back`,
    );
    Deno.writeTextFileSync(path, toolText("a", "4"));
    assert.equal(await answer(store), "4");
  }));

Deno.test("a tool is found wherever the folder defines it, also when two files trade places", () =>
  withStore(async (store, path, folder) => {
    Deno.renameSync(path, join(folder, "other"));
    Deno.renameSync(join(folder, "deep", "b.md"), path);
    Deno.renameSync(join(folder, "other"), join(folder, "deep", "b.md"));
    assert.equal(await answer(store, "a"), "1");
    assert.equal(await answer(store, "b"), "2");
  }));

Deno.test("the tools are those found at start", () =>
  withStore(async (store, path, folder) => {
    writeFiles(folder, { "c.md": toolText("c", "3") });
    Deno.writeTextFileSync(path, toolText("a", "4").replace('"type"', '"title": "x", "type"'));
    assert.equal(await answer(store), "4");
    assert.deepEqual([...store.fixtures.keys()], ["a", "b"]);
    assert.deepEqual(store.fixtures.get("a")?.definition.inputSchema, { type: "object" });
  }));

Deno.test("a file replaced by renaming another over it shows", () =>
  withStore(async (store, path, folder) => {
    for (let save = 0; save < 8; save++) {
      const temporary = join(folder, ".a.md.tmp");
      Deno.writeTextFileSync(temporary, toolText("a", String(save)));
      Deno.renameSync(temporary, path);
      assert.equal(await answer(store), String(save));
    }
  }));

Deno.test("a file that cannot be read fails with the reason, and heals", () =>
  withStore(async (store, path) => {
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    const told = await failure(store);
    assert(told.startsWith(`${path}:1: cannot be read: `), told);
    assert.equal(await answer(store, "b"), "2");
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, toolText("a", "5"));
    assert.equal(await answer(store), "5");
  }));

Deno.test({
  name: "an edit behind a link shows, and a link to nothing fails",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withStore(async (_, path, folder) => {
      const target = join(folder, "a.txt");
      Deno.renameSync(path, target);
      Deno.symlinkSync(target, path);
      const store = openDiskStore(folder);
      assert.equal(await answer(store), "1");
      Deno.writeTextFileSync(target, toolText("a", "3"));
      assert.equal(await answer(store), "3");
      Deno.removeSync(target);
      assert(await failure(store));
      Deno.writeTextFileSync(target, toolText("a", "4"));
      assert.equal(await answer(store), "4");
    }),
});

Deno.test("a save that moves the old file away and then writes a new one shows the new one", () =>
  withStore(async (store, path) => {
    assert.equal(await answer(store), "1");
    Deno.renameSync(path, `${path}~`);
    const reading = answer(store);
    const writing = pause(5).then(() => Deno.writeTextFileSync(path, toolText("a", "6")));
    const [outcome] = await Promise.allSettled([reading, writing]);
    assert.deepEqual(outcome, { status: "fulfilled", value: "6" });
  }));

Deno.test("calls at the same time get the same answer", () =>
  withStore(async (store, path) => {
    Deno.writeTextFileSync(path, toolText("a", "8"));
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(store)));
    assert.deepEqual(new Set(answers), new Set(["8"]));
  }));

/** A text whose beginning is a usable file as well, with fewer scenarios. */
function longText(answer: string): string {
  const second = toolText("a", answer).slice(toolText("a", answer).indexOf("## Scenario"));
  return toolText("a", answer) + second.replaceAll("usual", "second") +
    second.replaceAll("usual", "third") + `## Notes\n${"words and words\n".repeat(20)}`;
}

/**
 * Writes a text in place, in pieces some 5 ms apart, as a slow save does.
 *
 * @returns The longest time between two pieces, in milliseconds.
 */
async function writeSlowly(path: string, text: string): Promise<number> {
  const bytes = new TextEncoder().encode(text);
  using file = Deno.openSync(path, { write: true, truncate: true });
  let last = performance.now();
  let longest = 0;
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 8)) {
    await pause(5);
    file.writeSync(bytes.subarray(at, at + Math.ceil(bytes.length / 8)));
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  return longest;
}

Deno.test("a call during a slow save gets the old or the new file, never a part of one", () =>
  withStore(async (store, path) => {
    const shown = (text: string) => JSON.stringify(parseFixture(text, path).scenarios);
    let old = toolText("a", "1");
    let smooth = 0;
    for (let save = 0; smooth < 4; save++) {
      assert(save < 100, "this machine is too busy for a save in steady pieces");
      const fresh = longText(`"save ${save}"`);
      let writing = true;
      const pause = writeSlowly(path, fresh).finally(() => writing = false);
      const seen: string[] = [];
      while (writing) {
        const outcome = await Promise.resolve().then(() => store.read("a")).catch(String);
        seen.push(typeof outcome === "string" ? outcome : JSON.stringify(outcome.scenarios));
        await new Promise((resume) => setTimeout(resume, 0));
      }
      // When the machine itself halts the save for long, nothing tells its half from a whole.
      if (await pause < 15) {
        smooth++;
        assert(seen.length > 0);
        for (const one of seen) assert([shown(old), shown(fresh)].includes(one), one);
      }
      assert.equal(JSON.stringify((await store.read("a")).scenarios), shown(fresh));
      old = fresh;
    }
  }));

Deno.test("a file that is never at rest is read all the same", () =>
  withStore(async (store, path) => {
    let reading = true;
    const outcome = answer(store).finally(() => reading = false);
    const deadline = Date.now() + 10_000;
    while (reading && Date.now() < deadline) {
      Deno.writeTextFileSync(path, toolText("a", "9"));
      await pause(2);
    }
    assert(!reading, "the read ended while the file was being written");
    assert.equal(await outcome, "9");
  }));
