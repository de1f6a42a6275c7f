import assert from "node:assert/strict";
import { join } from "node:path";
import { readFolder } from "../../lib/store/folder.ts";
import { listFiles } from "../../lib/store/list_files.ts";
import { toolText, withFolder, writeFiles } from "./_folder.ts";

Deno.test("files are listed at any depth, in order, and those of editors and systems are not", () =>
  withFolder((folder) => {
    writeFiles(folder, {
      "b.md": "",
      "a/z/y.md": "",
      "a.txt": "",
      ".git/x.md": "",
      "a/._z.md": "",
    });
    // What Emacs puts beside a file that has not been saved yet.
    Deno.symlinkSync("somebody@somewhere.1", join(folder, ".#b.md"));
    assert.deepEqual(listFiles(folder), ["a.txt", join("a", "z", "y.md"), "b.md"]);
    assert.deepEqual(listFiles(join(folder, "none")), []);
    assert.deepEqual(listFiles(join(folder, "b.md")), []);
  }));

Deno.test("links to folders are followed, but never round and round", () =>
  withFolder((folder) => {
    writeFiles(folder, { "tools/a.md": "", "shared/b.md": "" });
    const tools = join(folder, "tools");
    Deno.symlinkSync(join(folder, "shared"), join(tools, "shared"));
    Deno.symlinkSync(tools, join(folder, "shared", "round"));
    Deno.symlinkSync("nowhere", join(tools, "c.md"));
    // A folder that is listed under its own name is not listed under another.
    writeFiles(folder, { "tools/z/d.md": "" });
    Deno.symlinkSync("z", join(tools, "also-z"));
    assert.deepEqual(listFiles(tools), ["a.md", "c.md", join("shared", "b.md"), join("z", "d.md")]);
  }));

Deno.test("folders that all lead to each other take no time", () =>
  withFolder((folder) => {
    const names = Array.from({ length: 12 }, (_, nth) => `folder${nth}`);
    for (const name of names) {
      writeFiles(folder, { [`${name}/file.md`]: "" });
      for (const other of names) Deno.symlinkSync(`../${other}`, join(folder, name, `to-${other}`));
    }
    assert.deepEqual(listFiles(folder), names.map((name) => join(name, "file.md")).sort());
  }));

Deno.test("a folder that cannot be read is a problem, and the rest is read", () =>
  withFolder((folder) => {
    writeFiles(folder, { "a.md": toolText("a", "{}"), "locked/b.md": toolText("b", "{}") });
    const locked = join(folder, "locked");
    const readDir = Deno.readDirSync;
    try {
      // Permissions do not stop everybody.
      Deno.readDirSync = (path) => {
        if (path === locked) throw new Deno.errors.PermissionDenied("permission denied");
        return readDir(path);
      };
      const { fixtures, problems } = readFolder(folder);
      assert.deepEqual([...fixtures.keys()], ["a"]);
      assert.deepEqual(problems, [
        { path: locked, line: 1, message: "cannot be read: permission denied" },
      ]);
    } finally {
      Deno.readDirSync = readDir;
    }
  }));
