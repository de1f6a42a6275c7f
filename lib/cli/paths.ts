import path from "node:path";

/** The rules of a system's paths: this one's, or in tests any. */
type PathRules = Pick<typeof path, "isAbsolute" | "relative" | "sep">;

/** Tells whether a path lies in a folder, or is it. */
export function isInside(folder: string, file: string, rules: PathRules = path): boolean {
  const way = rules.relative(folder, file);
  return way !== ".." && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way);
}

/** The shortest way to write a path: relative to a folder if it lies in that. */
export function nearPath(file: string, folder: string, rules: PathRules = path): string {
  return isInside(folder, file, rules) ? rules.relative(folder, file) || file : file;
}

/** Whether anything is at a path: a file, a folder, or a link that may lead nowhere. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
