import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import {
  changeOverrides,
  OverridesFileError,
  overridesReader,
} from "../../lib/control/overrides_file.ts";
import { withFolder, writeFiles } from "../store/_folder.ts";

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
  withFolder((folder) => {
    const path = join(folder, "new", ".run", "overrides.json");
    changeOverrides(path, force("ride_book", "no-captains"));
    assert.equal(Deno.readTextFileSync(path), '{\n  "ride_book": "no-captains"\n}\n');
    assert.deepEqual(leftovers(join(path, "..")), []);
    changeOverrides(path, (entries) => {
      delete entries.ride_book;
    });
    assert.equal(Deno.readTextFileSync(path), "{}\n");
  }));

Deno.test("a change keeps every other entry as it is, in its order", () =>
  withFolder((folder) => {
    const path = join(folder, "overrides.json");
    const text = '{"z":"one","a":null,"b":[1,{"c":"d"}],"__proto__":{"e":5},"f":"مطعم 😀"}';
    for (const written of [text, `\uFEFF${text}`, `\r\n${text}\r\n\r\n`]) {
      Deno.writeTextFileSync(path, written);
      changeOverrides(path, force("z", "two"));
      changeOverrides(path, force("new", "three"));
      const expected = text.replace('"one"', '"two"').replace(/}$/, ',"new":"three"}');
      assert.equal(JSON.stringify(JSON.parse(Deno.readTextFileSync(path))), expected);
    }
  }));

Deno.test("an empty file is an empty set of entries", () =>
  withFolder((folder) => {
    const path = join(folder, "overrides.json");
    for (const text of ["", " \r\n\t\n"]) {
      Deno.writeTextFileSync(path, text);
      changeOverrides(path, force("a", "x"));
      assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { a: "x" });
    }
  }));

Deno.test("a file that is no JSON object is refused and left as it is", () =>
  withFolder((folder) => {
    const path = join(folder, "overrides.json");
    for (const text of ["null", "[]", '"a"', "5", "{", '{"a": "x",}', "a: x", '{"a": "x"} {}']) {
      Deno.writeTextFileSync(path, text);
      assert.throws(() => changeOverrides(path, force("a", "x")), (error) => {
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
  withFolder((folder) => {
    writeFiles(folder, { file: "text" });
    Deno.mkdirSync(join(folder, "folder", "overrides.json", "inner"), { recursive: true });
    const paths = [
      join(folder, "file", "overrides.json"),
      join(folder, "file", "deeper", "overrides.json"),
      join(folder, "folder", "overrides.json"),
    ];
    for (const path of paths) {
      assert.throws(() => changeOverrides(path, force("a", "x")), (error) => {
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
  withFolder((folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, '{"a":"x"}');
    const failing = (entries: JsonObject) => {
      entries.a = "y";
      throw new TypeError("no such scenario");
    };
    assert.throws(() => changeOverrides(path, failing), /no such scenario/);
    assert.equal(Deno.readTextFileSync(path), '{"a":"x"}');
    assert.deepEqual(leftovers(folder), []);
    changeOverrides(path, force("b", "y"));
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { a: "x", b: "y" });
  }));

Deno.test("a file that cannot be put in its place leaves nothing beside it", () =>
  withFolder((folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, "{}");
    // Meanwhile somebody makes a folder of that name.
    const change = () => {
      Deno.removeSync(path);
      Deno.mkdirSync(join(path, "inner"), { recursive: true });
    };
    assert.throws(() => changeOverrides(path, change), OverridesFileError);
    assert.deepEqual(leftovers(folder), []);
    assert(Deno.statSync(join(path, "inner")).isDirectory);
  }));

Deno.test("the file is replaced as a whole, never written over", () =>
  withFolder((folder) => {
    const path = join(folder, "overrides.json");
    Deno.writeTextFileSync(path, '{"a":"x"}');
    // Another name of the same file keeps the old content if the new one is in a file of its own.
    Deno.linkSync(path, join(folder, "old"));
    changeOverrides(path, force("a", "y"));
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
        changeOverrides(${JSON.stringify(path)}, (entries) => { entries.a = "y"; });
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
    import { changeOverrides } from ${JSON.stringify(MODULE)};
    await Deno.stdout.write(new TextEncoder().encode("ready"));
    await Deno.stdin.read(new Uint8Array(1));
    for (let nth = 0; nth < ${changes}; nth++) {
      changeOverrides(${JSON.stringify(path)}, (entries) => {
        entries[${JSON.stringify(name)} + nth] = "x";
        entries.shared = "by " + ${JSON.stringify(name)};
      });
    }`;
  return new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-config", "--ext=ts", code],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
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
    let running = true;
    let seen = 0;
    const reading = (async () => {
      while (running) {
        const overrides = read();
        assert.equal(overrides.get("kept"), "as it is");
        assert(overrides.size >= seen, "entries only ever come");
        seen = overrides.size;
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

Deno.test("a reader sees each change at once, and no override where there is no file", () =>
  withFolder((folder) => {
    const path = join(folder, "overrides.json");
    const read = overridesReader(path);
    const seen = () => [...read()];
    assert.deepEqual(seen(), []);
    Deno.writeTextFileSync(path, '{"a":"x"}');
    assert.deepEqual(seen(), [["a", "x"]]);
    assert.deepEqual(seen(), [["a", "x"]]);
    // The same length, within the grain of any file time.
    Deno.writeTextFileSync(path, '{"a":"y"}');
    assert.deepEqual(seen(), [["a", "y"]]);
    changeOverrides(path, force("b", "z"));
    assert.deepEqual(seen(), [["a", "y"], ["b", "z"]]);
    Deno.writeTextFileSync(path, '{"a":');
    assert.deepEqual(seen(), []);
    Deno.writeTextFileSync(path, '{"a":5,"b":"z"}');
    assert.deepEqual(seen(), [["b", "z"]]);
    Deno.removeSync(path);
    assert.deepEqual(seen(), []);
    Deno.writeTextFileSync(path, '{"a":5,"b":"z"}');
    assert.deepEqual(seen(), [["b", "z"]]);
    Deno.writeTextFileSync(path, "");
    assert.deepEqual(seen(), []);
  }));

Deno.test("a reader passes over what it cannot read", () =>
  withFolder((folder) => {
    writeFiles(folder, { file: "text" });
    for (const path of [folder, join(folder, "file", "overrides.json"), join(folder, "a", "b")]) {
      assert.equal(overridesReader(path)().size, 0, path);
    }
  }));

Deno.test("two readers do not share what they remember", () =>
  withFolder((folder) => {
    writeFiles(folder, { "a.json": '{"a":"x"}', "b.json": '{"b":"y"}' });
    const first = overridesReader(join(folder, "a.json"));
    const second = overridesReader(join(folder, "b.json"));
    assert.deepEqual([...first(), ...second(), ...first()], [["a", "x"], ["b", "y"], ["a", "x"]]);
  }));

Deno.test("a symbolic link stays one, and the file it points at is changed", () =>
  withFolder((folder) => {
    const file = join(folder, "kept.json");
    const link = join(folder, "overrides.json");
    Deno.writeTextFileSync(file, '{"a": "x"}');
    Deno.symlinkSync(file, link);
    changeOverrides(link, (entries) => entries.b = "y");
    assert(Deno.lstatSync(link).isSymlink);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(file)), { a: "x", b: "y" });
  }));
