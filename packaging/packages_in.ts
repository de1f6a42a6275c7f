/** The comment that the bundler puts before a package's module: its path in the cache. */
const MODULE = /^\s*\/\/ (\S+\/npm\/[^/\s]+\/((?:@[^/\s]+\/)?[^/\s]+)\/(\d[^/\s]*))\/\S+$/gm;

/**
 * Finds the packages whose code is in a bundle.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { packagesIn } from "./packages_in.ts";
 *
 * const bundle = "// ../cache/npm/npm.registry/ajv/8.20.0/dist/ajv.js\nvar ajv = {};\n";
 * const folder = "../cache/npm/npm.registry/ajv/8.20.0";
 * assert.deepEqual([...packagesIn(bundle)], [["ajv 8.20.0", folder]]);
 * ```
 *
 * @param bundle A file that the bundler wrote, not minified.
 * @returns The folder of each package by its name and version.
 */
export function packagesIn(bundle: string): Map<string, string> {
  const modules = [...bundle.matchAll(MODULE)];
  return new Map(modules.map(([, folder, name, version]) => [`${name} ${version}`, folder!]));
}
