import { join } from "node:path";

/** More files than any library has: beyond, somebody named the wrong folder. */
export const MOST_FILES = 10_000;

/** A folder holds so much else, or so many files that are none, that it cannot be meant. */
export class NoToolFolderError extends Error {
  override readonly name = "NoToolFolderError";

  /** @param found What it holds, as the end of a sentence. */
  constructor(readonly found: string) {
    super(found);
  }
}

/**
 * Lists the files below a folder, relative to it, sorted. Links to folders are followed once
 * everything else is listed, and no folder is listed twice. Names that begin with a dot are passed
 * over, since editors and systems keep things of their own under them.
 *
 * @param onUnreadable Is told of each folder that cannot be read; one that is not there is empty.
 * @throws {NoToolFolderError} When there are more than {@linkcode MOST_FILES} files and folders.
 */
export function listFiles(
  directory: string,
  onUnreadable: (folder: string, error: unknown) => void = () => {},
): string[] {
  let count = 0;
  const files: string[] = [];
  const seen = new Set<string>();
  const links: string[] = [];
  const visit = (folder: string): void => {
    const full = join(directory, folder);
    try {
      const place = Deno.realPathSync(full);
      if (seen.has(place)) return;
      seen.add(place);
      for (const entry of Deno.readDirSync(full)) {
        if (++count > MOST_FILES) {
          throw new NoToolFolderError(`it holds more than ${MOST_FILES} files`);
        }
        if (entry.name.startsWith(".")) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory) visit(path);
        else if (entry.isSymlink && leadsToFolder(join(directory, path))) links.push(path);
        else files.push(path);
      }
    } catch (error) {
      if (error instanceof NoToolFolderError) throw error;
      const { NotFound, NotADirectory } = Deno.errors;
      if (!(error instanceof NotFound || error instanceof NotADirectory)) onUnreadable(full, error);
    }
  };
  visit("");
  // A folder that a link leads to may add further links.
  for (const link of links) visit(link);
  return files.sort();
}

function leadsToFolder(link: string): boolean {
  try {
    return Deno.statSync(link).isDirectory;
  } catch {
    // The link is broken; reading it reports that.
    return false;
  }
}
