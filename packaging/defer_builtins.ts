/** An import of one of Node's modules, as the bundler writes it. `node:path` is needed at the start. */
const IMPORT = /^import ([^;"]+?) from "node:(?!path")([\w/]+)";$/gm;

/**
 * Has Node's modules loaded when the code that needs them first runs. Bundled into one file, all of
 * them would be imported at every start, also those that only the command line parser uses, and the
 * runtime makes each of them when it is imported.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { deferBuiltins } from "./defer_builtins.ts";
 *
 * assert.equal(
 *   deferBuiltins('import { EventEmitter as E } from "node:events";'),
 *   'const { EventEmitter: E } = globalThis.process.getBuiltinModule("node:events");',
 * );
 * ```
 *
 * @param bundle A file that the bundler wrote, not minified.
 * @returns The file without these imports.
 * @throws {Error} When an import binds what this does not know.
 */
export function deferBuiltins(bundle: string): string {
  return bundle.replace(IMPORT, (line, names: string, module: string) => {
    const isKnown = /^(?:\* as )?[\w$]+$|^\{(?!.*\bdefault\b)[^}]*\}$/s.test(names);
    if (!isKnown) throw new Error(`this import cannot be deferred: ${line}`);
    const binding = names.replace(/^\* as /, "").replaceAll(" as ", ": ");
    return `const ${binding} = globalThis.process.getBuiltinModule("node:${module}");`;
  });
}
