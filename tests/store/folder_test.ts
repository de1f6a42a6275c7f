import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { FixtureError } from "../../lib/fixture/problem.ts";
import { loadFolder, readFolder } from "../../lib/store/folder.ts";
import { toolText, withFolder, writeFiles } from "./_folder.ts";

/** The lines of the message that a folder is refused with; nothing when it loads. */
function complaints(folder: string): string[] {
  try {
    loadFolder(folder);
    return [];
  } catch (error) {
    assert(error instanceof FixtureError, String(error));
    return error.message.split("\n");
  }
}

Deno.test("every Markdown file below the folder is a tool file, save README.md", () =>
  withFolder((folder) => {
    writeFiles(folder, {
      "README.md": "# Tools",
      "food/README.md": "# Food",
      "food/b.md": toolText("b", "1"),
      "food/deep/er/c.md": toolText("c", "1"),
      "a.md": toolText("a", "1"),
      "notes.txt": "text",
      "food/d.md.bak": "text",
      "food/e.md~": "text",
      "md": "text",
      "dir.md/f.md": toolText("f", "1"),
    });
    const fixtures = loadFolder(folder);
    const found = [...fixtures].map(([tool, { path }]) => [tool, relative(folder, path)]);
    assert.deepEqual(found, [
      ["a", "a.md"],
      ["f", join("dir.md", "f.md")],
      ["b", join("food", "b.md")],
      ["c", join("food", "deep", "er", "c.md")],
    ]);
  }));

Deno.test("only a file called exactly README.md is left out", () =>
  withFolder((folder) => {
    writeFiles(folder, {
      "a.md": toolText("a", "1"),
      "readme.md": toolText("small", "1"),
      "MY-README.md": toolText("my", "1"),
    });
    assert.deepEqual([...loadFolder(folder).keys()].sort(), ["a", "my", "small"]);
  }));

Deno.test("a tool's file may have any name", () =>
  withFolder((folder) => {
    writeFiles(folder, { "x y/مطعم.md": toolText("a", "1") });
    assert.deepEqual([...loadFolder(folder).keys()], ["a"]);
  }));

Deno.test("all problems of all files are told at once, with the path to open", () =>
  withFolder((folder) => {
    writeFiles(folder, {
      "good.md": toolText("good", "1"),
      "a/nothing.md": "",
      "a/two.md": toolText("two", "{oops").replace("tool: two\n", "tool: 2\n"),
      "b/json.md": toolText("json", '{"a": {{oops}}}'),
      "b/none.md": toolText("none", "1").slice(0, -60),
    });
    const found = complaints(folder).map((line) => relative(folder, line));
    assert.match(found[0]!, /^a.nothing\.md:1: no frontmatter/);
    assert.match(found[1]!, /^a.two\.md:5: the definition's `name` is "two"/);
    assert.match(found[2]!, /^a.two\.md:10: scenario `usual`: not valid JSON/);
    assert.match(found[3]!, /^b.json\.md:10: scenario `usual`: unknown expression `oops`/);
    assert.match(found[4]!, /^b.none\.md:/);
    const files = new Set(found.map((line) => /^.*?\.md/.exec(line)?.[0]));
    assert.equal(files.size, 4, found.join("\n"));
  }));

Deno.test("a tool that two files define is told where the second defines it", () =>
  withFolder((folder) => {
    writeFiles(folder, {
      "a/one.md": toolText("ping", "1"),
      "b/two.md": toolText("ping", "2"),
      "c/three.md": toolText("ping", "3"),
      "d/bad.md": toolText("ping", "{"),
    });
    const first = join(folder, "a", "one.md");
    const remedy = `the tool \`ping\` is already defined in ${first}; remove one of them`;
    const found = complaints(folder);
    assert.deepEqual(found.slice(0, 2), [
      `${join(folder, "b", "two.md")}:5: ${remedy}`,
      `${join(folder, "c", "three.md")}:5: ${remedy}`,
    ]);
    assert.equal(found.length, 3);
    assert(found[2]!.startsWith(`${join(folder, "d", "bad.md")}:10: scenario \`usual\`: `));
    assert.equal(readFolder(folder).fixtures.get("ping")?.path, first);
  }));

Deno.test("tool names that differ in case are two tools", () =>
  withFolder((folder) => {
    writeFiles(folder, { "a.md": toolText("ping", "1"), "b.md": toolText("Ping", "2") });
    assert.deepEqual([...loadFolder(folder).keys()], ["ping", "Ping"]);
  }));

Deno.test("good files are there beside bad ones", () =>
  withFolder((folder) => {
    writeFiles(folder, { "a.md": toolText("a", "1"), "b.md": "oops" });
    const { fixtures, problems } = readFolder(folder);
    assert.deepEqual([...fixtures.keys()], ["a"]);
    assert.deepEqual(problems.map(({ path, line }) => [path, line]), [[join(folder, "b.md"), 1]]);
  }));

Deno.test("a file that cannot be read is a problem like any other", () =>
  withFolder((folder) => {
    writeFiles(folder, { "a.md": toolText("a", "1"), "c.md": "oops" });
    Deno.symlinkSync(join(folder, "nowhere"), join(folder, "b.md"));
    const found = complaints(folder);
    assert.equal(found.length, 2);
    assert(found[0]!.startsWith(`${join(folder, "b.md")}:1: cannot be read: `), found[0]);
  }));

Deno.test("a link to a tool file is followed", () =>
  withFolder((folder) => {
    writeFiles(folder, { "real/a.txt": toolText("a", "1") });
    Deno.symlinkSync(join(folder, "real", "a.txt"), join(folder, "a.md"));
    assert.deepEqual([...loadFolder(folder).keys()], ["a"]);
  }));

Deno.test("a folder without tool files, or none at all, is refused with what to do", () =>
  withFolder((folder) => {
    writeFiles(folder, { "empty/README.md": "# Tools", "file.md": toolText("a", "1") });
    for (const name of ["empty", "missing", "file.md"]) {
      const path = join(folder, name);
      assert.deepEqual(complaints(path), [
        `${path}:1: no tool file (*.md) in this folder; name the right one with --tools`,
      ]);
      assert.deepEqual(readFolder(path), { fixtures: new Map(), problems: [] });
    }
  }));

Deno.test("problems have absolute paths, also when the folder's is relative", () =>
  withFolder((folder) => {
    writeFiles(folder, { "bad.md": "oops" });
    const found = complaints(relative(Deno.cwd(), folder));
    assert.equal(found.length, 1);
    assert(found[0]!.startsWith(`${join(folder, "bad.md")}:1: `), found[0]);
  }));

Deno.test("a schema that no call could be validated by is refused at start", () =>
  withFolder((folder) => {
    const schema = (text: string) =>
      toolText("a", "{}").replace('{"type": "object"}', `{"type": "object", ${text}}`);
    writeFiles(folder, {
      "lost.md": schema('"properties": {"x": {"$ref": "#/$defs/none"}}'),
      "pattern.md": schema('"properties": {"x": {"pattern": "("}}').replaceAll('"a"', '"b"')
        .replace("tool: a", "tool: b"),
    });
    const found = complaints(folder).map((problem) => problem.slice(folder.length + 1));
    assert.equal(found.length, 2);
    assert.match(found[0]!, /^lost\.md:5: the definition's `inputSchema` cannot be used: .*none/);
    assert.match(found[1]!, /^pattern\.md:5: the definition's `inputSchema` cannot be used: /);
  }));
