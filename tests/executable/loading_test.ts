import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../support/program.ts";

// What each command and transport loads, by the graph of static imports.

interface Graph {
  readonly modules: {
    readonly specifier: string;
    readonly dependencies?: {
      readonly code?: { readonly specifier: string };
      readonly isDynamic?: boolean;
    }[];
  }[];
}

const { stdout } = await new Deno.Command(Deno.execPath(), {
  args: ["info", "--json", "--config", join(ROOT, "deno.json"), join(ROOT, "main.ts")],
}).output();
const graph: Graph = JSON.parse(new TextDecoder().decode(stdout));
const imports = new Map(graph.modules.map(({ specifier, dependencies = [] }) => [
  specifier,
  dependencies.flatMap(({ code, isDynamic }) => code && !isDynamic ? [code.specifier] : []),
]));

/** Everything that is loaded with a module of this checkout. */
function loadedWith(path: string): string[] {
  const loaded = new Set([pathToFileURL(join(ROOT, path)).href]);
  for (const specifier of loaded) imports.get(specifier)?.forEach((next) => loaded.add(next));
  return [...loaded];
}

const SDK = /@modelcontextprotocol/;
// Whoever loads the validator loads ajv, which it awaits.
const AJV = /ajv|schema\/compile/;
// What makes up samples serves nobody.
const SAMPLES = /randexp|schema\/sample/;
const COMMANDER = /commander/;
const HTTP = /\/lib\/http\//;
const SERVING = /\/lib\/(?:mcp\/session|http\/|stdio\/)/;

const LOADS: Record<string, { loads: RegExp[]; not: RegExp[] }> = {
  "main.ts": { loads: [/cli\/run\.ts$/], not: [SDK, AJV, COMMANDER, SERVING, SAMPLES] },
  "lib/cli/start.ts": { loads: [/store/], not: [SDK, AJV, COMMANDER, SERVING, SAMPLES] },
  "lib/stdio/stdio.ts": { loads: [/mcp\/session/], not: [SDK, AJV, COMMANDER, HTTP, SAMPLES] },
  "lib/http/http.ts": { loads: [HTTP], not: [SDK, AJV, COMMANDER, SAMPLES] },
  "lib/mcp/connection.ts": { loads: [SDK], not: [AJV, COMMANDER, HTTP] },
  "lib/cli/program.ts": { loads: [COMMANDER], not: [SDK, AJV, SERVING, SAMPLES] },
  "lib/cli/scenario.ts": { loads: [/store/], not: [SDK, AJV, SERVING] },
  "lib/cli/scenarios.ts": { loads: [/store/], not: [SDK, AJV, SERVING, SAMPLES] },
  "lib/cli/eject.ts": { loads: [/cli/], not: [/npm:/, SERVING] },
  "lib/cli/check.ts": { loads: [AJV, SAMPLES], not: [SDK, SERVING] },
  "lib/cli/call.ts": { loads: [/call_tool/], not: [SDK, AJV, SERVING, SAMPLES] },
  "lib/cli/call_url.ts": { loads: [SDK], not: [SERVING] },
};

for (const [module, { loads, not }] of Object.entries(LOADS)) {
  Deno.test(`${module} loads what it needs and nothing else`, () => {
    const loaded = loadedWith(module);
    for (const pattern of loads) {
      assert(loaded.some((specifier) => pattern.test(specifier)), `${pattern} is not loaded`);
    }
    for (const pattern of not) {
      assert.deepEqual(loaded.filter((specifier) => pattern.test(specifier)), [], `${pattern}`);
    }
  });
}
