import assert from "node:assert/strict";
import { deferBuiltins } from "../../packaging/defer_builtins.ts";

Deno.test("imports of Node's modules become calls, whatever they bind", () => {
  const cases: [before: string, after: string][] = [
    ['import fs from "node:fs";', 'const fs = globalThis.process.getBuiltinModule("node:fs");'],
    [
      'import * as fs2 from "node:fs";',
      'const fs2 = globalThis.process.getBuiltinModule("node:fs");',
    ],
    [
      'import { styleText as a, inspect } from "node:util";',
      'const { styleText: a, inspect } = globalThis.process.getBuiltinModule("node:util");',
    ],
  ];
  for (const [before, after] of cases) {
    assert.equal(deferBuiltins(`x();\n${before}\ny();`), `x();\n${after}\ny();`);
  }
});

Deno.test("an import that binds otherwise is refused rather than broken", () => {
  for (const names of ["{ default as ev }", "fs, { readFileSync }", "{ a, default as b }"]) {
    assert.throws(() => deferBuiltins(`import ${names} from "node:events";`), /cannot be deferred/);
  }
});

Deno.test("what is no such import, or is needed at the start, stays", () => {
  const bundle = [
    'import { join } from "node:path";',
    'import { a } from "./chunk.js";',
    'const text = `import fs from "node:fs";`;',
    'const b = await import("node:zlib");',
  ].join("\n");
  assert.equal(deferBuiltins(bundle), bundle);
});
