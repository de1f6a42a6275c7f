import assert from "node:assert/strict";
import { join } from "node:path";
import { MOST_FILES } from "../../lib/store/list_files.ts";
import { makeProject, run } from "../cli/_program.ts";
import { withFolder, writeFiles } from "./_folder.ts";

Deno.test("a folder that cannot be meant gets one clear error, and soon", () =>
  withFolder(async (folder) => {
    for (let n = 0; n <= MOST_FILES; n++) Deno.mkdirSync(join(folder, String(n)));
    for (const command of [["start", "--port", "0"], ["check"], ["scenarios"]]) {
      const started = performance.now();
      const { code, out, err } = await run([...command, "--tools", folder]);
      assert.equal(code, 1);
      assert(performance.now() - started < 10_000);
      const line = `${folder} does not look like a folder of tool files: ` +
        `it holds more than ${MOST_FILES} files.`;
      assert((out + err).includes(line), out + err);
      assert.match(out + err, /Name the right one with --tools\./);
    }
  }));

Deno.test("unrelated Markdown beside the program is told as a whole, with --project", async () => {
  using project = makeProject();
  for (const { name } of [...Deno.readDirSync(project.path("tools"))]) {
    Deno.removeSync(project.path("tools", name), { recursive: true });
  }
  writeFiles(project.path("tools"), { "notes.md": "# Notes\n\n- x\n", "deep/plan.md": "Plans\n" });
  for (const command of [["start", "--port", "0"], ["scenarios"]]) {
    const { code, err } = await project.run([...command, "--project", project.directory]);
    assert.equal(code, 1);
    assert.equal(
      err,
      `careem-mcp: ${project.path("tools")} does not look like a folder of tool files: ` +
        "none of its 2 Markdown files defines a tool.\n" +
        "Name a folder of tool files with --tools, or another project's folder with --project.\n",
    );
  }
});
