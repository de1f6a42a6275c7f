import assert from "node:assert/strict";
import { reasonOf } from "../../lib/reason.ts";

Deno.test("errors of the system are worded for people", () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const cases: [() => unknown, string][] = [
      [() => Deno.readTextFileSync(`${folder}/none`), "no such file or folder"],
      [() => Deno.readTextFileSync(folder), "it is a folder"],
      [() => Deno.mkdirSync(`${folder}/file`), "a file is there already"],
      [() => Deno.readTextFileSync(`${folder}/file/x`), "a part of its path is not a folder"],
      [() => Deno.removeSync(folder), "the folder is not empty"],
      [() => Deno.writeTextFileSync(`${folder}/${"x".repeat(999)}`, ""), "its name is too long"],
    ];
    for (const [act, expected] of cases) {
      assert.throws(act, (error) => {
        assert.equal(reasonOf(error), expected);
        return true;
      });
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("what has no words of its own keeps the system's, without numbers and paths", () => {
  const cases: [unknown, string][] = [
    [
      new Error("The process cannot access the file. (os error 32): open 'C:\\x'"),
      "The process cannot access the file",
    ],
    [
      new Deno.errors.NotCapable('Requires all access to "/dev/full", run again with the … flag'),
      "the program is not permitted to",
    ],
    [new Error("two\nlines"), "two\\nlines"],
    ["thrown", "thrown"],
  ];
  for (const [error, expected] of cases) assert.equal(reasonOf(error), expected);
});
