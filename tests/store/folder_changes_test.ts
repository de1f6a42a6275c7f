import assert from "node:assert/strict";
import { join } from "node:path";
import { folderChanges } from "../../lib/store/folder_changes.ts";
import { openDiskStore } from "../../lib/store/disk_store.ts";
import { startServer } from "../support/program.ts";
import { toolText, withFolder, writeFiles } from "./_folder.ts";

/** A folder with some files in it. */
function inFolder(
  files: Record<string, string>,
  use: (folder: string) => void | Promise<void>,
): Promise<void> {
  return withFolder((folder) => {
    writeFiles(folder, files);
    return use(folder);
  });
}

Deno.test("what a running server cannot follow is told once, and again when it came back", () =>
  inFolder({ "a.md": toolText("a", "1"), "b.md": toolText("b", "2") }, (folder) => {
    const store = openDiskStore(folder);
    const lines: string[] = [];
    const look = folderChanges(store.fixtures, (line) => lines.push(line));
    const [a, copy, c] = ["a.md", "a copy.md", "c.md"].map((name) => join(folder, name));
    const told = (...paths: string[]): string[] => {
      look(paths);
      look(paths);
      return lines.splice(0);
    };
    const twice = `a is defined in ${a}, which answers, and in ${copy}, ` +
      "whose edits have no effect: remove one of them";
    const changed = (path: string): string =>
      `the definition of a has changed in ${path}: restart to have it listed`;

    Deno.writeTextFileSync(a!, toolText("a", "3"));
    assert.deepEqual(told(a!, join(folder, "README.md"), join(folder, "x.txt")), []);

    Deno.copyFileSync(a!, copy!);
    assert.deepEqual(told(copy!), [twice]);
    Deno.writeTextFileSync(copy!, toolText("a", "4"));
    assert.deepEqual(told(copy!), []);
    Deno.removeSync(copy!);
    assert.deepEqual(told(copy!), []);
    // An editor's rename: the tool's file becomes the backup, and then comes back.
    Deno.renameSync(a!, copy!);
    assert.deepEqual(told(a!, copy!), []);
    Deno.writeTextFileSync(a!, toolText("a", "5"));
    assert.deepEqual(told(a!), [twice]);
    Deno.removeSync(copy!);
    assert.deepEqual(told(copy!), []);

    const edited = toolText("a", "5").replace('"type"', '"title": "x", "type"');
    Deno.writeTextFileSync(a!, edited);
    assert.deepEqual(told(a!), [changed(a!)]);
    Deno.writeTextFileSync(a!, toolText("a", "5"));
    assert.deepEqual(told(a!), []);
    Deno.writeTextFileSync(a!, edited);
    assert.deepEqual(told(a!), [changed(a!)]);
    Deno.writeTextFileSync(a!, "broken");
    assert.deepEqual(told(a!), []);

    Deno.writeTextFileSync(c!, toolText("c", "6"));
    assert.deepEqual(told(c!), [`${c} defines a new tool, c: restart to have it listed`]);
  }));

Deno.test("whatever the order of renames, the edit that counts is the one that answers", () =>
  inFolder({ "a.md": toolText("a", "0") }, async (folder) => {
    const store = openDiskStore(folder);
    const path = (name: string): string => join(folder, name);
    const steps: readonly [step: () => void, answers: string, text: string][] = [
      [() => Deno.renameSync(path("a.md"), path("a~.md")), "a~.md", "0"],
      [() => Deno.writeTextFileSync(path("a~.md"), toolText("a", "11")), "a~.md", "11"],
      [() => Deno.writeTextFileSync(path("0.md"), toolText("a", "12")), "a~.md", "11"],
      [() => Deno.removeSync(path("a~.md")), "0.md", "12"],
      [() => Deno.writeTextFileSync(path("a.md"), toolText("a", "13")), "a.md", "13"],
      [() => Deno.renameSync(path("0.md"), path("a.md")), "a.md", "12"],
      [() => Deno.renameSync(path("a.md"), path("z.md")), "z.md", "12"],
      [() => Deno.renameSync(path("z.md"), path("a.md")), "a.md", "12"],
      [() => Deno.writeTextFileSync(path("a.md"), toolText("a", "14")), "a.md", "14"],
    ];
    for (const [step, file, text] of steps) {
      step();
      const fixture = await store.read("a");
      const [segment] = fixture.scenarios[0]!.template.segments;
      assert.deepEqual(segment, { ...segment, text }, `${file} ${text}`);
      assert.equal(fixture.path, path(file));
    }
  }));

Deno.test("a running server tells of a second file, a new tool and a changed definition", () =>
  inFolder({ "a.md": toolText("a", "1") }, async (folder) => {
    for (const format of ["text", "json"]) {
      await using server = await startServer(["--tools", folder, "--log", format]);
      const waitFor = async (pattern: RegExp): Promise<void> => {
        for (let tries = 0; !pattern.test(server.log()); tries++) {
          assert(tries < 150, `${pattern} in ${server.log()}`);
          await new Promise((resume) => setTimeout(resume, 20));
        }
      };
      await waitFor(/Forced/);
      writeFiles(folder, { "a (conflict).md": toolText("a", "2"), "n.md": toolText("n", "3") });
      await waitFor(/a is defined in .*a\.md, which answers, and in .*a \(conflict\)\.md/);
      await waitFor(/n\.md defines a new tool, n: restart to have it listed/);
      Deno.removeSync(join(folder, "a (conflict).md"));
      Deno.removeSync(join(folder, "n.md"));
    }
  }));
