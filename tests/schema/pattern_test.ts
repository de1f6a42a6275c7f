import assert from "node:assert/strict";
import { compilePattern } from "../../lib/schema/_pattern.ts";

Deno.test("a pattern of Go's is read as Go reads it", () => {
  const cases: [pattern: string, text: string, matches: boolean][] = [
    ["^(?P<year>\\d{4})$", "2026", true],
    ["^(?<year>\\d{4})$", "2026", true],
    ["^((?P<a>x)(?P<b>y))$", "xy", true],
    // The same letters where they name nothing.
    ["^\\(?P<x$", "(P<x", true],
    ["^\\(?P<x$", "P<x", true],
    ["^[(?P<]$", "P", true],
    ["^[(?P<]$", "x", false],
    ["^[\\](?P<]$", "<", true],
    ["(?i)^abc$", "ABC", true],
    ["^a\\-b$", "a-b", true],
  ];
  for (const [pattern, text, matches] of cases) {
    assert.equal(compilePattern(pattern).test(text), matches, `${pattern} against ${text}`);
  }
  assert.throws(() => compilePattern("("), SyntaxError);
});
