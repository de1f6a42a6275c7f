import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";
import { readLibrary, TOOLS } from "./_library.ts";

// What the documents say of single tools is so; adding a scenario makes none of it wrong.

const library = readLibrary();

Deno.test("tools/README.md has a row for each folder, and only stages that can be forced", () => {
  const readme = Deno.readTextFileSync(join(TOOLS, "README.md"));
  const folders = [...readme.matchAll(/^\| `(\w+)\/` +\|/gm)].map(([, folder]) => folder);
  const domains = new Set([...library.values()].map(({ domain }) => domain));
  assert.deepEqual(folders.toSorted(), [...domains].toSorted());
  const rows = [...readme.matchAll(/^\| ((?:`\w+_\w+`(?:, )?)+) \| (.*) \|$/gm)];
  assert(rows.length >= 5);
  for (const [, tools, stages] of rows) {
    for (const [, tool] of tools!.matchAll(/`(\w+)`/g)) {
      const names = library.get(tool!)!.scenarios.map((scenario) => scenario.name);
      for (const [, stage] of stages!.matchAll(/`([a-z0-9-]+)`/g)) {
        assert(names.includes(stage!), `${tool} has no scenario ${stage}`);
      }
    }
  }
});

Deno.test("the documents name only tools that there are", () => {
  const known =
    /^(?:location|food|groceries|cart|checkout|order|support|ride|pay|plus)_[a-z_]+$|^reverse_geocode$/;
  // Arguments and members have such names, too.
  const others = ["order_id", "groceries_"];
  for (const file of ["tools/README.md", "README.md", "docs/SOURCE.md", "docs/CLI.md"]) {
    const text = Deno.readTextFileSync(join(ROOT, file));
    for (const [name] of text.matchAll(/\b[a-z]+_[a-z_]+\b/g)) {
      if (!known.test(name) || others.includes(name)) continue;
      assert(library.has(name), `${file} names ${name}`);
    }
  }
});
