import assert from "node:assert/strict";
import { join } from "node:path";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import { listEmbedded, readEmbeddedText, writeEmbedded } from "../../lib/store/embedded_files.ts";
import { portable, writeIndex } from "../../lib/store/embedded_index.ts";
import { embeddedFixtures, openEmbeddedStore } from "../../lib/store/embedded_store.ts";
import { loadFolder } from "../../lib/store/folder.ts";
import { toolText, withFolder, writeFiles } from "./_folder.ts";

const FILES = {
  "README.md": "About these files.\n",
  "food/a.md": toolText("a", '{"n": {{rand:1-2}}}').replace("tool: a", "tool: a\ndomain: food"),
  "b.md": toolText("b", '"ü"').replaceAll("\n", "\r\n"),
};

/** Gives a folder of tool files, and beside it the same embedded. */
function withEmbedded(use: (source: string, embedded: string) => void | Promise<void>) {
  return withFolder(async (folder) => {
    const [source, embedded] = [join(folder, "source"), join(folder, "embedded")];
    writeFiles(source, FILES);
    Deno.mkdirSync(join(embedded, "food"), { recursive: true });
    for (const [file, text] of Object.entries(FILES)) writeEmbedded(join(embedded, file), text);
    writeIndex([...loadFolder(source).values()], source, embedded);
    await use(source, embedded);
  });
}

/** All of a fixture but where it is. */
function contentOf({ tool, domain, definition, definitionLine, scenarios }: Fixture): unknown {
  const read = scenarios.map(({ name, line, isError, template, match }) => ({
    name,
    line,
    isError,
    template,
    match,
  }));
  return { tool, domain, definition, definitionLine, scenarios: read };
}

Deno.test("embedded fixtures are those of the folder that was embedded", () =>
  withEmbedded(async (source, embedded) => {
    const store = openEmbeddedStore(embedded);
    const originals = loadFolder(source);
    assert.deepEqual([...store.fixtures.keys()], [...originals.keys()]);
    assert.equal(store.scenarioCount, 2);
    for (const [tool, original] of originals) {
      const fixture = await store.read(tool);
      assert.deepEqual(contentOf(fixture), contentOf(original));
      assert.equal(fixture.path, join(embedded, original.path.slice(source.length)));
      assert.equal(fixture.scenarios, (await store.read(tool)).scenarios, "parsed once");
    }
  }));

Deno.test("an embedded file is not looked at before it is needed", () =>
  withEmbedded((_, embedded) => {
    Deno.removeSync(join(embedded, "b.md.gz"));
    const fixtures = embeddedFixtures(embedded)!;
    assert.equal(fixtures.get("b")!.definition.name, "b");
    assert.equal(fixtures.get("a")!.scenarios.length, 1);
    assert.throws(() => fixtures.get("b")!.scenarios, Deno.errors.NotFound);
  }));

Deno.test("embedded files are listed and read by the names they had", () =>
  withEmbedded((source, embedded) => {
    assert.deepEqual(listEmbedded(embedded), ["README.md", "b.md", join("food", "a.md")]);
    for (const file of listEmbedded(embedded)) {
      assert.equal(
        readEmbeddedText(join(embedded, file)),
        Deno.readTextFileSync(join(source, file)),
      );
    }
  }));

Deno.test("a folder without an index is the sources' own, and read as it is", () =>
  withEmbedded((source) => {
    assert.equal(embeddedFixtures(source), undefined);
    assert.deepEqual(listEmbedded(source), ["README.md", "b.md", join("food", "a.md")]);
    assert.equal(readEmbeddedText(join(source, "README.md")), FILES["README.md"]);
    assert.deepEqual(listEmbedded(join(source, "nowhere")), []);
  }));

Deno.test("paths in the index are the same on every system", () => {
  assert.equal(portable("food\\a.md", true), "food/a.md");
  assert.equal(portable("food/a.md", true), "food/a.md");
  assert.equal(portable("food/back\\slash.md", false), "food/back\\slash.md");
});
