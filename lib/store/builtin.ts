/** The modules of Node's that are used, by name. */
interface Builtins {
  readonly fs: typeof import("node:fs");
  readonly zlib: typeof import("node:zlib");
}

/**
 * A module of Node's, loaded when it is first asked for. The runtime makes these modules when they
 * are imported, which takes some 20 ms for each of these two: nothing that a client should wait for
 * at every start.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { builtin } from "./builtin.ts";
 *
 * assert(builtin("fs").existsSync(Deno.cwd()));
 * ```
 *
 * @param name The module's name, without `node:`.
 * @returns The module.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  // deno-lint-ignore no-process-global -- to import it would load it at the start, too
  return process.getBuiltinModule(`node:${name}`) as Builtins[Name];
}
