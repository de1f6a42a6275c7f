import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import type { Overrides } from "../../lib/control/overrides.ts";
import {
  changeOverrides,
  OverridesFileError,
  overridesReader,
  readOverrides,
} from "../../lib/control/overrides_file.ts";
import { withFolder, writeFiles } from "../store/_folder.ts";
import { startHeld } from "./_held.ts";

const MODULE = new URL("../../lib/control/overrides_file.ts", import.meta.url).href;

/** The names in a folder that are neither the file nor its lock. */
function leftovers(folder: string): string[] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  return names.filter((name) => name !== "overrides.json" && !name.endsWith(".lock"));
}

function force(tool: string, scenario: string): (entries: JsonObject) => void {
  return (entries) => {
    entries[tool] = scenario;
  };
}

Deno.test("a change creates the folder and the file, as text that people can edit", () =>
  withFolder(async (folder) => {
    const path = join(folder, "new", ".run", "overrides.json");
    await changeOverrides(path, force("ride_book", "no-captains"));
    assert.equal(Deno.readTextFileSync(path), '{\n  "ride_book": "no-captains"\n}\n');
    assert.deepEqual(leftovers(join(path, "..")), []);
    await changeOverrides(path, (entries) => {
      delete entries.ride_book;
    });
    assert.equal(Deno.readTextFileSync(path), "{}\n");
  }));

Deno.test("a change keeps every other entry as it is, in its order", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    const text = '{"z":"one","a":null,"b":[1,{"c":"d"}],"__proto__":{"e":5},"f":"مطعم 😀"}';
    for (const written of [text, `\uFEFF${text}`, `\r\n${text}\r\n\r\n`]) {
      Deno.writeTextFileSync(path, written);
      await changeOverrides(path, force("z", "two"));
      await changeOverrides(path, force("new", "three"));
      const expected = text.replace('"one"', '"two"').replace(/}$/, ',"new":"three"}');
      assert.equal(JSON.stringify(JSON.parse(Deno.readTextFileSync(path))), expected);
    }
  }));

Deno.test("an empty file is an empty set of entries", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    for (const text of ["", " \r\n\t\n"]) {
      Deno.writeTextFileSync(path, text);
      await changeOverrides(path, force("a", "x"));
      assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { a: "x" });
    }
  }));

Deno.test("a file that is no JSON object is refused and left as it is", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    for (const text of ["null", "[]", '"a"', "5", "{", '{"a": "x",}', "a: x", '{"a": "x"} {}']) {
      Deno.writeTextFileSync(path, text);
      await assert.rejects(() => changeOverrides(path, force("a", "x")), (error) => {
        assert(error instanceof OverridesFileError, String(error));
        assert.equal(
          error.message,
          `${path} is not a JSON object, so it was left as it is.\n` +
            "Mend it, or delete it to start afresh.",
        );
        return true;
      }, text);
      assert.equal(Deno.readTextFileSync(path), text);
      assert.deepEqual(leftovers(folder), []);
    }
  }));

Deno.test("a file that cannot be written is told with the reason and what to do", () =>
  withFolder(async (folder) => {
    writeFiles(folder, { file: "text" });
    Deno.mkdirSync(join(folder, "folder", "overrides.json", "inner"), { recursive: true });
    const paths = [
      join(folder, "file", "overrides.json"),
      join(folder, "file", "deeper", "overrides.json"),
      join(folder, "folder", "overrides.json"),
    ];
    for (const path of paths) {
      await assert.rejects(() => changeOverrides(path, force("a", "x")), (error) => {
        assert(error instanceof OverridesFileError, String(error));
        const [reason, remedy, ...more] = error.message.split("\n");
        assert(reason!.startsWith(`${path} cannot be written: `), reason);
        assert.equal(
          remedy,
          "Mend that, or name another file with --overrides.",
        );
        assert.deepEqual(more, []);
        return true;
      }, path);
    }
    assert.equal(Deno.readTextFileSync(join(folder, "file")), "text");
    assert(Deno.statSync(join(folder, "folder", "overrides.json", "inner")).isDirectory);
    assert.deepEqual(leftovers(join(folder, "folder")), []);
  }));

Deno.test("a change that fails leaves the file as it is", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, '{"a":"x"}');
    const failing = (entries: JsonObject) => {
      entries.a = "y";
      throw new TypeError("no such scenario");
    };
    await assert.rejects(() => changeOverrides(path, failing), /no such scenario/);
    assert.equal(Deno.readTextFileSync(path), '{"a":"x"}');
    assert.deepEqual(leftovers(folder), []);
    await changeOverrides(path, force("b", "y"));
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { a: "x", b: "y" });
  }));

Deno.test("a file that cannot be put in its place leaves nothing beside it", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, "{}");
    // Meanwhile somebody makes a folder of that name.
    const change = () => {
      Deno.removeSync(path);
      Deno.mkdirSync(join(path, "inner"), { recursive: true });
    };
    await assert.rejects(() => changeOverrides(path, change), OverridesFileError);
    assert.deepEqual(leftovers(folder), []);
    assert(Deno.statSync(join(path, "inner")).isDirectory);
  }));

Deno.test("the file is replaced as a whole, never written over", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, '{"a":"x"}');
    // Another name of the same file keeps the old content if the new one is in a file of its own.
    Deno.linkSync(path, join(folder, "old"));
    await changeOverrides(path, force("a", "y"));
    assert.equal(Deno.readTextFileSync(join(folder, "old")), '{"a":"x"}');
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { a: "y" });
  }));

Deno.test("entries that cannot be read are not replaced by the new ones alone", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, '{"kept":"x"}');
    // A permission of the runtime stands in for one of the file, which the superuser has anyway.
    const code = `import { changeOverrides } from ${JSON.stringify(MODULE)};
      try {
        await changeOverrides(${JSON.stringify(path)}, (entries) => { entries.a = "y"; });
      } catch (error) { console.log(error.name); }`;
    const source = join(folder, "writer.mjs");
    Deno.writeTextFileSync(source, code);
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-config", "--no-prompt", "--allow-read", "--allow-write"],
        ...[`--deny-read=${path}`, source],
      ],
      stdin: "null",
      stderr: "inherit",
    }).output();
    assert(success);
    assert.equal(Deno.readTextFileSync(path), '{"kept":"x"}');
    assert.equal(new TextDecoder().decode(stdout).trim(), "OverridesFileError");
  }));

/** Starts a process that makes `changes` changes of its own once its input is closed. */
function startWriter(path: string, name: string, changes: number): Deno.ChildProcess {
  const code = `
    for (let nth = 0; nth < ${changes}; nth++) {
      await changeOverrides(${JSON.stringify(path)}, (entries) => {
        entries[${JSON.stringify(name)} + nth] = "x";
        entries.shared = "by " + ${JSON.stringify(name)};
      });
    }`;
  return startHeld(`import { changeOverrides } from ${JSON.stringify(MODULE)};`, code);
}

Deno.test("twenty processes that write at once lose nothing, and readers see whole files", () =>
  withFolder(async (folder) => {
    const path = join(folder, ".run", "overrides.json");
    writeFiles(folder, { ".run/overrides.json": '{"kept":"as it is","number":5}' });
    const changes = 5;
    const names = Array.from({ length: 20 }, (_, index) => `writer-${index}-`);
    const writers = names.map((name) => startWriter(path, name, changes));
    const outputs = writers.map((writer) => writer.stdout.getReader());
    for (const output of outputs) await output.read();
    await Promise.all(writers.map((writer) => writer.stdin.close()));

    const read = overridesReader(path);
    const kept = [{ scenario: "as it is" }];
    let running = true;
    let seen = 0;
    const reading = (async () => {
      while (running) {
        const { entries } = await read();
        assert.deepEqual(entries.get("kept")?.steps, kept);
        assert(entries.size >= seen, "entries only ever come");
        seen = entries.size;
        await new Promise((resume) => setTimeout(resume, 0));
      }
    })();
    const outcomes = await Promise.all(writers.map((writer) => writer.status));
    running = false;
    await reading;
    for (const output of outputs) await output.cancel();

    assert(outcomes.every(({ success }) => success));
    const entries = JSON.parse(Deno.readTextFileSync(path));
    const expected = names.flatMap((name) => Array.from({ length: changes }, (_, n) => name + n));
    assert.deepEqual(
      Object.keys(entries).sort(),
      ["kept", "number", "shared", ...expected].sort(),
    );
    assert.deepEqual([entries.kept, entries.number], ["as it is", 5]);
    assert.deepEqual(leftovers(join(folder, ".run")), []);
  }));

/** The forced scenario of each key. */
function forcedIn({ entries }: Overrides): [string, string | undefined][] {
  return [...entries].map(([key, { steps }]) => [key, steps[0]?.scenario]);
}

Deno.test("a reader sees each change at once, and no override where there is no file", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    const read = overridesReader(path);
    const seen = async () => forcedIn(await read());
    assert.deepEqual(await seen(), []);
    Deno.writeTextFileSync(path, '{"a":"x"}');
    assert.deepEqual(await seen(), [["a", "x"]]);
    assert.equal(read(), read(), "what is the same is not parsed again, nor waited for");
    // The same length, within the grain of any file time.
    Deno.writeTextFileSync(path, '{"a":"y"}');
    assert.deepEqual(await seen(), [["a", "y"]]);
    await changeOverrides(path, force("b", "z"));
    assert.deepEqual(await seen(), [["a", "y"], ["b", "z"]]);
    Deno.writeTextFileSync(path, '{"a":');
    assert.deepEqual(await seen(), []);
    assert(!(read() instanceof Promise), "a file that stays invalid keeps no call waiting");
    Deno.writeTextFileSync(path, '{"a":5,"b":"z"}');
    assert.deepEqual(await seen(), [["b", "z"]]);
    Deno.removeSync(path);
    assert.deepEqual(await seen(), []);
    assert(!(read() instanceof Promise), "nor does one that is gone");
    Deno.writeTextFileSync(path, "");
    assert.deepEqual(await seen(), []);
  }));

Deno.test("where no file has been for a while, none is opened, and one that comes is seen at once", () =>
  withFolder(async (folder) => {
    const linked = join(folder, "linked.json");
    Deno.symlinkSync(join(folder, "elsewhere.json"), linked);
    const paths = [join(folder, "o.json"), linked, join(folder, "later", "o.json")];
    const { statSync } = Deno;
    for (const path of paths) {
      const read = overridesReader(path);
      for (let call = 0; call < 50; call++) await read();
      try {
        Deno.statSync = () => assert.fail("the file is looked for, which ends in an error");
        assert.equal((await read()).entries.size, 0);
      } finally {
        Deno.statSync = statSync;
      }
      Deno.mkdirSync(join(folder, "later"), { recursive: true });
      Deno.writeTextFileSync(path, '{"a":"x"}');
      assert.deepEqual(forcedIn(await read()), [["a", "x"]]);
      Deno.removeSync(path === linked ? join(folder, "elsewhere.json") : path);
      assert.deepEqual(forcedIn(await read()), []);
    }
  }));

Deno.test("a reader gives a file that is being saved a moment", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, '{"a":"x"}');
    const read = overridesReader(path);
    for (
      const spoil of [() => Deno.writeTextFileSync(path, '{"a":'), () => Deno.removeSync(path)]
    ) {
      spoil();
      const reading = read();
      Deno.writeTextFileSync(path, '{"a":"y"}');
      assert.deepEqual(forcedIn(await reading), [["a", "y"]]);
    }
  }));

Deno.test("what cannot be read forces nothing, keeps nobody waiting, and says so", async (test) => {
  await withFolder(async (folder) => {
    const pipe = join(folder, "pipe");
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    writeFiles(folder, { file: "text" });
    const cases: [path: string, problem?: RegExp][] = [
      [folder, /^cannot be read, so nothing is forced: it is a folder$/],
      [pipe, /^cannot be read, so nothing is forced: it is a pipe or a device, and no file$/],
      ["/dev/zero", /^cannot be read, so nothing is forced: it is a pipe or a device/],
      [join(folder, "file", "overrides.json"), /^cannot be read, .+: a part of its path is not a/],
      [join(folder, "a", "b")],
    ];
    for (const [path, problem] of cases) {
      await test.step(path, async () => {
        for (const { entries, problems } of [readOverrides(path), await overridesReader(path)()]) {
          assert.equal(entries.size, 0);
          assert.equal(problems.length, problem === undefined ? 0 : 1);
          if (problem !== undefined) assert.match(problems[0]!.message, problem);
        }
      });
    }
    await assert.rejects(
      () => changeOverrides(pipe, force("a", "x")),
      /pipe cannot be written: it is a pipe or a device, and no file\.\nMend/,
    );
  });
});

Deno.test("two readers do not share what they remember", () =>
  withFolder(async (folder) => {
    writeFiles(folder, { "a.json": '{"a":"x"}', "b.json": '{"b":"y"}' });
    const first = overridesReader(join(folder, "a.json"));
    const second = overridesReader(join(folder, "b.json"));
    const seen = [await first(), await second(), await first()].flatMap(forcedIn);
    assert.deepEqual(seen, [["a", "x"], ["b", "y"], ["a", "x"]]);
  }));

Deno.test("a lock that another holds is waited for, and after a while named with its holder", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    const lock = Deno.openSync(`${path}.lock`, { create: true, write: true });
    lock.lockSync(true);
    lock.writeSync(new TextEncoder().encode("4711"));
    const started = Date.now();
    const refused = changeOverrides(path, force("a", "x"));
    await assert.rejects(refused, {
      name: "OverridesFileError",
      message: `${path} was not changed: the process 4711 has held ${path}.lock for 5 seconds.\n` +
        "End that, and try again.",
    });
    assert(Date.now() - started < 7_000);
    const waiting = changeOverrides(path, force("a", "x"));
    setTimeout(() => lock.close(), 100);
    await waiting;
    assert.equal(Deno.readTextFileSync(`${path}.lock`), String(Deno.pid));
  }));

/** An error of the system, which tests cannot have otherwise. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code} (os error 1)`), { code });
}

Deno.test("where there are no locks, the file is changed all the same, with a warning", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    const { lock } = Deno.FsFile.prototype;
    const warnings: string[] = [];
    try {
      Deno.FsFile.prototype.lock = () => Promise.reject(systemError("ENOLCK"));
      await changeOverrides(path, force("a", "x"), (message) => warnings.push(message));
    } finally {
      Deno.FsFile.prototype.lock = lock;
    }
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { a: "x" });
    assert.deepEqual(warnings, [
      `${path}.lock cannot be locked (ENOLCK), so change one thing at a time.`,
    ]);
  }));

Deno.test("a lock file that may not be opened is named, with whose it is", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    Deno.mkdirSync(`${path}.lock`);
    await assert.rejects(() => changeOverrides(path, force("a", "x")), {
      message: new RegExp(
        `^${path}\\.lock(?:, which belongs to the user \\d+,)? cannot be opened: it is a folder\\.\n` +
          "Delete it, or name another file with --overrides\\.$",
      ),
    });
  }));

Deno.test("a file that is mounted by itself is written in its place", () =>
  withFolder(async (folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, '{"a":"x"}');
    const { ino } = Deno.statSync(path);
    const rename = Deno.renameSync;
    try {
      Deno.renameSync = () => {
        throw systemError("EBUSY");
      };
      await changeOverrides(path, force("b", "y"));
    } finally {
      Deno.renameSync = rename;
    }
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { a: "x", b: "y" });
    assert.equal(Deno.statSync(path).ino, ino);
    assert.deepEqual(leftovers(folder), []);
  }));

Deno.test("a symbolic link stays one, and the file it points at is changed", () =>
  withFolder(async (folder) => {
    const file = join(folder, "kept.json");
    const link = join(folder, "overrides.json");
    Deno.writeTextFileSync(file, '{"a": "x"}');
    Deno.symlinkSync(file, link);
    await changeOverrides(link, (entries) => entries.b = "y");
    assert(Deno.lstatSync(link).isSymlink);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(file)), { a: "x", b: "y" });
  }));
