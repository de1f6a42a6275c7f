import assert from "node:assert/strict";
import { entryText } from "../../lib/control/entry_text.ts";
import { commandLine, shellWord } from "../../lib/cli/installation.ts";
import { firstSentence } from "../../lib/fixture/written.ts";
import { parseOverrides } from "../../lib/control/overrides.ts";

Deno.test("words are quoted as the shell of the system reads them", () => {
  assert.equal(shellWord("--tools", false), "--tools");
  assert.equal(shellWord("/my tools", false), "'/my tools'");
  assert.equal(shellWord("it's", false), `'it'\\''s'`);
  assert.equal(shellWord("C:\\tools", true), "C:\\tools");
  assert.equal(shellWord("C:\\my tools", true), '"C:\\my tools"');
  assert.match(
    commandLine(["--tools", "/my tools"]),
    /careem-mcp.* --tools ['"]\/my tools['"]$/,
  );
});

Deno.test("an entry of the overrides file is said on one line", () => {
  const { entries } = parseOverrides(
    '{"a": [{"fault": 503, "delay": "3s", "times": 2}, null]}',
  );
  assert.equal(
    entryText(entries.get("a")!),
    "fault 503 after 3s (2 times), by arguments",
  );
});

Deno.test("a sentence ends where the next one begins, and loses its marks", () => {
  assert.equal(
    firstSentence("Costs `AED 2.50` or\nmore, e.g. at night. Rare."),
    "Costs AED 2.50 or more, e.g. at night.",
  );
});
