import assert from "node:assert/strict";
import { join } from "node:path";
import { replaceFile } from "../../lib/store/replace_file.ts";
import { withFolder } from "./_folder.ts";

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("a file is written whole, in folders that are made for it", () =>
  withFolder((folder) => {
    const file = join(folder, "new", "deep", "a.md");
    replaceFile(file, "é");
    replaceFile(file, new Uint8Array([65, 10]));
    assert.equal(Deno.readTextFileSync(file), "A\n");
    assert.deepEqual(namesIn(join(folder, "new", "deep")), ["a.md"]);
  }));

Deno.test("through a symbolic link the file it leads to is written, and the link stays", () =>
  withFolder((folder) => {
    const [file, link] = [join(folder, "real.md"), join(folder, "link.md")];
    Deno.writeTextFileSync(file, "old");
    Deno.symlinkSync(file, link);
    replaceFile(link, "new");
    assert.equal(Deno.readTextFileSync(file), "new");
    assert(Deno.lstatSync(link).isSymlink);
  }));

Deno.test("what cannot be replaced stays, and nothing is left beside it", () =>
  withFolder((folder) => {
    const taken = join(folder, "taken");
    Deno.mkdirSync(taken);
    Deno.writeTextFileSync(join(taken, "keep"), "");
    assert.throws(() => replaceFile(taken, "text"), Error);
    assert.deepEqual(namesIn(folder), ["taken"]);
    assert.deepEqual(namesIn(taken), ["keep"]);
  }));
