import assert from "node:assert/strict";
import { ROOT } from "../support/program.ts";
import { eject } from "../../lib/cli/eject.ts";
import type { Project } from "../../lib/cli/project.ts";
import { makeProject, run, silentIo } from "./_program.ts";

const EXECUTABLE = Deno.env.get("CAREEM_MCP_EXECUTABLE");

const CATALOGUE = `${ROOT}tools`;

function filesBelow(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (path: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      const file = `${path}/${name}`;
      if (isDirectory) visit(file);
      else files.set(file.slice(folder.length + 1), Deno.readTextFileSync(file));
    }
  };
  visit(folder);
  return new Map([...files].sort());
}

Deno.test("`eject` writes the program's own fixtures into tools/, which is served from then on", async () => {
  using project = makeProject({});
  Deno.removeSync(project.path("tools"));
  const { code, out, err } = await project.run(["eject"]);
  const expected = filesBelow(CATALOGUE);
  assert.deepEqual([code, out], [0, `Wrote ${expected.size} files to ${project.path("tools")}.\n`]);
  assert.match(err, /^From now on careem-mcp serves these\./);
  assert.deepEqual(filesBelow(project.path("tools")), expected);
  const { tools } = JSON.parse((await project.run(["scenarios", "--json"])).out);
  assert(tools.length >= 32);
  assert(tools.every(({ file }: { file: string }) => file.startsWith(project.path("tools"))));
  const again = await project.run(["eject"]);
  if (EXECUTABLE) {
    const kept = `Wrote 0 files to ${
      project.path("tools")
    }; ${expected.size} were there already.\n`;
    assert.deepEqual([again.code, again.out], [0, kept]);
    return;
  }
  assert.equal(again.code, 1);
  assert.match(again.err, /The fixtures in use are in .+tools already; edit them there\./);
});

Deno.test("`eject <dir>` copies the fixtures in use to any folder, once and again", async () => {
  using project = makeProject();
  const circumstances = { cwd: project.directory };
  const args = ["eject", "new/copy", "--tools", "tools"];
  const first = await project.run(args, circumstances);
  const target = project.path("new/copy");
  assert.deepEqual([first.code, first.out], [0, `Wrote 3 files to ${target}.\n`]);
  assert.equal(first.err, `To serve them: careem-mcp --tools '${target}'\n`);
  assert.deepEqual(filesBelow(target), filesBelow(project.path("tools")));
  const second = await project.run(args, circumstances);
  assert.deepEqual([second.code, second.out], [
    0,
    `Wrote 0 files to ${target}; 3 were there already.\n`,
  ]);
});

Deno.test("a file that differs is named, nothing is written, --force overwrites it", async () => {
  using project = makeProject();
  const target = project.path("copy");
  project.write("copy/food/food_find_dish.md", "mine");
  project.write("copy/pay/pay_show_wallet.md", "mine, too");
  project.write("copy/notes.md", "other");
  const args = ["eject", target, "--tools", project.path("tools")];
  const refused = await project.run(args);
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.equal(
    refused.err,
    `careem-mcp: In ${target} there are other versions of ` +
      "food/food_find_dish.md, pay/pay_show_wallet.md.\n" +
      "Nothing was written. --force overwrites them.\n",
  );
  assert.deepEqual([...filesBelow(target).keys()], [
    "food/food_find_dish.md",
    "notes.md",
    "pay/pay_show_wallet.md",
  ]);
  assert.equal(project.read("copy/food/food_find_dish.md"), "mine");
  const forced = await project.run([...args, "--force"]);
  assert.equal(forced.code, 0);
  assert.equal(
    project.read("copy/food/food_find_dish.md"),
    project.read("tools/food/food_find_dish.md"),
  );
  assert.equal(project.read("copy/notes.md"), "other");
});

Deno.test("many files in the way are named up to ten", async () => {
  using project = makeProject({});
  for (const file of filesBelow(CATALOGUE).keys()) project.write(`copy/${file}`, "mine");
  const { code, err } = await run([
    ...["eject", project.path("copy"), "--project", ROOT],
  ]);
  assert.equal(code, 1);
  assert.match(err, /other versions of (?:[\w/]+\.md, ){9}[\w/]+\.md and \d+ more\.\n/);
});

Deno.test("a folder inside the fixtures, or one that cannot be written to, is refused", async () => {
  using project = makeProject();
  project.write("taken", "");
  const [inside, unwritable] = await Promise.all([
    project.run(["eject", project.path("tools", "copy")]),
    project.run(["eject", project.path("taken", "copy")]),
  ]);
  assert.equal(inside.code, 1);
  assert.match(inside.err, /lies inside the fixtures in use/);
  assert.equal(unwritable.code, 1);
  assert.match(unwritable.err, /careem-mcp: .+ cannot be written: .+\nName another folder\.\n$/);
});

Deno.test("the executable writes its own copy, whatever is in tools/ beside it", () => {
  using folder = makeProject({
    "own/food/a.md": "shipped",
    "own/b.md": "shipped, too",
    "tools/food/a.md": "edited",
  });
  const project: Project = {
    directory: folder.directory,
    toolsDirectory: folder.path("tools"),
    toolsNamed: false,
    embedded: false,
    ownTools: folder.path("own"),
    packed: true,
    overridesPath: folder.overrides,
    callsPath: folder.path(".run", "calls.jsonl"),
    words: [],
  };
  eject(folder.path("z"), false, project, silentIo());
  assert.deepEqual(Object.fromEntries(filesBelow(folder.path("z"))), {
    "b.md": "shipped, too",
    "food/a.md": "shipped",
  });
  assert.throws(() => eject(undefined, false, project, silentIo()), {
    message: /there are other versions of food\/a\.md\.\nNothing was written/,
  });
  eject(undefined, true, project, silentIo());
  assert.equal(folder.read("tools/food/a.md"), "shipped");
  eject(folder.path("named"), false, { ...project, toolsNamed: true }, silentIo());
  assert.deepEqual([...filesBelow(folder.path("named")).keys()].sort(), ["b.md", "food/a.md"]);
});

Deno.test("without any fixtures there is nothing to write", async () => {
  using project = makeProject({});
  const args = ["eject", project.path("z"), "--tools", project.path("tools")];
  const { code, err } = await project.run(args);
  assert.equal(code, 1);
  assert.equal(err, `careem-mcp: There are no fixtures in ${project.path("tools")}.\n`);
});
