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

Deno.test("a link to a file that is not there yet leads to it", () =>
  withFolder((folder) => {
    const [file, link, further] = ["real.md", "link.md", "further.md"].map((name) =>
      join(folder, name)
    );
    Deno.symlinkSync("real.md", link!);
    Deno.symlinkSync("link.md", further!);
    replaceFile(further!, "new");
    assert.equal(Deno.readTextFileSync(file!), "new");
    assert.deepEqual(namesIn(folder), ["further.md", "link.md", "real.md"]);
    Deno.symlinkSync("round.md", join(folder, "round.md"));
    assert.throws(() => replaceFile(join(folder, "round.md"), ""), /symbolic links/);
  }));

Deno.test("a relative link in a linked folder leads from where the folder really is", () =>
  withFolder((folder) => {
    for (const name of ["real/run", "real/shared", "project"]) {
      Deno.mkdirSync(join(folder, name), { recursive: true });
    }
    Deno.symlinkSync("../real/run", join(folder, "project", ".run"));
    Deno.symlinkSync("../shared/o.json", join(folder, "real", "run", "o.json"));
    replaceFile(join(folder, "project", ".run", "o.json"), "new");
    assert.equal(Deno.readTextFileSync(join(folder, "real", "shared", "o.json")), "new");
    assert.deepEqual(namesIn(join(folder, "project")), [".run"]);
  }));

Deno.test({
  name: "a file keeps its permissions",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder((folder) => {
      const file = join(folder, "a.md");
      Deno.writeTextFileSync(file, "old", { mode: 0o600 });
      Deno.chmodSync(file, 0o640);
      replaceFile(file, "new");
      assert.equal(Deno.statSync(file).mode! & 0o777, 0o640);
    }),
});

Deno.test("what is written beside the file goes through no link that somebody put there", () =>
  withFolder((folder) => {
    const [file, victim] = [join(folder, "a.json"), join(folder, "victim")];
    Deno.writeTextFileSync(victim, "precious");
    const names = new Set<string>();
    const rename = Deno.renameSync;
    try {
      // Whatever name was used the last time leads to the victim the next time.
      Deno.renameSync = (from, to) => {
        rename(from, to);
        names.add(String(from));
        Deno.symlinkSync(victim, from);
      };
      for (let time = 0; time < 5; time++) replaceFile(file, `text ${time}`);
    } finally {
      Deno.renameSync = rename;
    }
    assert.equal(Deno.readTextFileSync(victim), "precious");
    assert.equal(Deno.readTextFileSync(file), "text 4");
    assert.equal(names.size, 5);
  }));
