import { join } from "node:path";

/** More files than any library has: beyond, somebody named the wrong folder. */
export const MOST_FILES = 10_000;

/** A folder holds more than anybody could mean. */
export class TooManyFilesError extends Error {
  override readonly name = "TooManyFilesError";
}

/**
 * Lists the files below a folder. Links to folders are followed once everything else is listed, and
 * no folder is listed twice. Names that begin with a dot are passed over, since editors and systems
 * keep things of their own under them.
 *
 * @param onUnreadable Is told of each folder that cannot be read, and why; one that is not there is
 * empty.
 * @param most How many files and folders are looked at.
 * @throws {TooManyFilesError} When there are more.
 * @returns The files' paths relative to the folder, sorted.
 */
export function listFiles(
  directory: string,
  onUnreadable: (folder: string, error: unknown) => void = () => {},
  most: number = MOST_FILES,
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
        if (++count > most) throw new TooManyFilesError(`more than ${most} files in ${directory}`);
        if (entry.name.startsWith(".")) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory) visit(path);
        else if (entry.isSymlink && leadsToFolder(join(directory, path))) links.push(path);
        else files.push(path);
      }
    } catch (error) {
      if (error instanceof TooManyFilesError) throw error;
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
