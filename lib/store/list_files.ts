import { join } from "node:path";

/**
 * Lists the files below a folder. Links are followed, each folder once; names that begin with a dot
 * are passed over, since editors and systems keep things of their own under them.
 *
 * @param directory The folder.
 * @param unreadable Is told of each folder that cannot be read, and why; one that is not there is
 * empty.
 * @returns The files' paths relative to the folder, sorted.
 */
export function listFiles(
  directory: string,
  unreadable: (folder: string, error: unknown) => void = () => {},
): string[] {
  const files: string[] = [];
  const visit = (folder: string, around: readonly string[]): void => {
    const full = join(directory, folder);
    try {
      const place = Deno.realPathSync(full);
      if (around.includes(place)) return;
      for (const entry of [...Deno.readDirSync(full)]) {
        if (entry.name.startsWith(".")) continue;
        const path = join(folder, entry.name);
        if (isFolder(entry, join(directory, path))) visit(path, [...around, place]);
        else files.push(path);
      }
    } catch (error) {
      const { NotFound, NotADirectory } = Deno.errors;
      if (!(error instanceof NotFound || error instanceof NotADirectory)) unreadable(full, error);
    }
  };
  visit("", []);
  return files.sort();
}

function isFolder(entry: Deno.DirEntry, path: string): boolean {
  if (!entry.isSymlink) return entry.isDirectory;
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    // It leads nowhere; whoever reads it will tell.
    return false;
  }
}
