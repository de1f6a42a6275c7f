import assert from "node:assert/strict";
import { replaceFile } from "../../lib/store/replace_file.ts";
import { makeProject } from "./_program.ts";

Deno.test("a file is written whole, in folders that are made for it", () => {
  using project = makeProject({});
  replaceFile(project.path("new", "deep", "a.md"), "é");
  replaceFile(project.path("new", "deep", "a.md"), new Uint8Array([65, 10]));
  assert.equal(project.read("new/deep/a.md"), "A\n");
  assert.deepEqual([...Deno.readDirSync(project.path("new", "deep"))].map(({ name }) => name), [
    "a.md",
  ]);
});

Deno.test("through a symbolic link the file it leads to is written, and the link stays", () => {
  using project = makeProject({ "real/a.md": "old" });
  Deno.symlinkSync(project.path("real", "a.md"), project.path("tools", "a.md"));
  replaceFile(project.path("tools", "a.md"), "new");
  assert.equal(project.read("real/a.md"), "new");
  assert(Deno.lstatSync(project.path("tools", "a.md")).isSymlink);
});

Deno.test("what cannot be replaced stays, and nothing is left beside it", () => {
  using project = makeProject({ "taken/keep": "" });
  assert.throws(() => replaceFile(project.path("taken"), "text"), Error);
  assert(Deno.statSync(project.path("taken", "keep")).isFile);
  assert.deepEqual([...Deno.readDirSync(project.directory)].map(({ name }) => name).sort(), [
    "taken",
    "tools",
  ]);
});
