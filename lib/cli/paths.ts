import path from "node:path";

/** The rules of a system's paths: this one's, or in tests any. */
type PathRules = Pick<typeof path, "isAbsolute" | "relative" | "sep">;

/**
 * Tells whether a path lies in a folder, or is it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { win32 } from "node:path";
 * import { isInside } from "./paths.ts";
 *
 * assert(isInside("/a", "/a/b") && !isInside("/a", "/ab"));
 * assert(!isInside("C:\\a", "D:\\a\\b", win32));
 * ```
 *
 * @param folder The folder.
 * @param file The path.
 * @param rules The system's rules.
 * @returns Whether it is inside.
 */
export function isInside(folder: string, file: string, rules: PathRules = path): boolean {
  const way = rules.relative(folder, file);
  return way !== ".." && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way);
}

/**
 * The shortest way to write a path: relative to a folder if it lies in that.
 *
 * @param file The path.
 * @param folder The folder, as a rule the current one.
 * @param rules The system's rules.
 * @returns The path to show.
 */
export function nearPath(file: string, folder: string, rules: PathRules = path): string {
  return isInside(folder, file, rules) ? rules.relative(folder, file) || file : file;
}
