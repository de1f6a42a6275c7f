import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { isInside, nearPath } from "../../lib/cli/paths.ts";

Deno.test("a path lies in a folder or not, on every system", () => {
  const cases: [typeof posix, string, string, boolean][] = [
    [posix, "/a", "/a", true],
    [posix, "/a", "/a/b/c", true],
    [posix, "/a", "/a/..b", true],
    [posix, "/a", "/ab", false],
    [posix, "/a/b", "/a", false],
    [posix, "/a", "/b/a", false],
    [win32, "C:\\a", "C:\\a\\b", true],
    [win32, "C:\\a", "c:\\A\\b", true],
    [win32, "C:\\a", "D:\\a\\b", false],
    [win32, "C:\\a", "\\\\server\\a\\b", false],
    [win32, "C:\\a\\b", "C:\\a", false],
  ];
  for (const [rules, folder, file, expected] of cases) {
    assert.equal(isInside(folder, file, rules), expected, `${file} in ${folder}`);
  }
});

Deno.test("a path is shown relative to the folder it lies in", () => {
  assert.equal(nearPath("/a/b/c.md", "/a", posix), "b/c.md");
  assert.equal(nearPath("/b/c.md", "/a", posix), "/b/c.md");
  assert.equal(nearPath("/a", "/a", posix), "/a");
  assert.equal(nearPath("C:\\a\\b.md", "C:\\a", win32), "b.md");
  assert.equal(nearPath("D:\\a\\b.md", "C:\\a", win32), "D:\\a\\b.md");
});
