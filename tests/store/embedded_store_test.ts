import assert from "node:assert/strict";
import { FixtureError } from "../../lib/fixture/problem.ts";
import { openEmbeddedStore } from "../../lib/store/embedded_store.ts";
import { toolText, withFolder, writeFiles } from "./_folder.ts";

Deno.test("the embedded copy is read once and never again", () =>
  withFolder(async (folder) => {
    writeFiles(folder, { "a.md": toolText("a", "1"), "b/b.md": toolText("b", "2") });
    const store = openEmbeddedStore(folder);
    assert.deepEqual([...store.fixtures.keys()], ["a", "b"]);
    writeFiles(folder, { "a.md": "oops" });
    for (const tool of ["a", "b"]) {
      assert.equal(await store.read(tool), store.fixtures.get(tool));
      assert.equal((await store.read(tool)).tool, tool);
    }
  }));

Deno.test("an embedded copy that cannot be used is refused", () =>
  withFolder((folder) => {
    assert.throws(() => openEmbeddedStore(folder), FixtureError);
    writeFiles(folder, { "a.md": "oops" });
    assert.throws(() => openEmbeddedStore(folder), FixtureError);
  }));
