import { loadFolder } from "./folder.ts";
import type { FixtureStore } from "./store.ts";

/**
 * A store over the copy inside the executable. It cannot change, so it is parsed once.
 *
 * @param directory Where the copy appears to the program.
 * @returns The store.
 * @throws {FixtureError} When a file cannot be used.
 */
export function openEmbeddedStore(directory: string): FixtureStore {
  const fixtures = loadFolder(directory);
  return { fixtures, read: (tool) => fixtures.get(tool)! };
}
