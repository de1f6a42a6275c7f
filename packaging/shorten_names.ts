/** The key under which the bundler keeps a CommonJS module of a package: its path in the cache. */
const CACHED_MODULE = /^( {2}")[^"\n]*\/npm\/[^"/\n]+\/([^"\n]+"\()/gm;

/**
 * Shortens the names under which the bundler keeps CommonJS modules to package, version and file,
 * so that nothing of the machine that builds an executable stays in it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { shortenNames } from "./shorten_names.ts";
 *
 * const module = '  "../home/.cache/deno/npm/npm.registry/ajv/8.20.0/dist/ajv.js"(exports) {';
 * assert.equal(shortenNames(module), '  "ajv/8.20.0/dist/ajv.js"(exports) {');
 * ```
 *
 * @param bundle A file that the bundler wrote, not minified.
 * @returns The file with the short names.
 */
export function shortenNames(bundle: string): string {
  return bundle.replace(CACHED_MODULE, "$1$2");
}
