import { builtin } from "./builtin.ts";

let quick: ((path: string) => boolean) | undefined;

/**
 * Tells whether something is there. The runtime's own way to hear that nothing is goes through an
 * error, which takes ten times as long as Node's; that is used once {@linkcode prepareExists} was
 * called.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { exists, prepareExists } from "./exists.ts";
 *
 * assert(exists(Deno.cwd()));
 * prepareExists();
 * assert(exists(Deno.cwd()) && !exists(`${Deno.cwd()}.not`));
 * ```
 *
 * @param path A file or folder; of a symbolic link, what it leads to counts.
 * @returns Whether it is there.
 */
export function exists(path: string): boolean {
  if (quick !== undefined) return quick(path);
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes {@linkcode exists} quick. Loading what that takes is for when nobody waits. */
export function prepareExists(): void {
  quick = builtin("fs").existsSync;
}
