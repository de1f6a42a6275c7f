import { gunzipSync, gzipSync } from "node:zlib";
import { listFiles } from "./list_files.ts";

/** What a packed file's name ends with. */
const PACKED = ".gz";

/**
 * Writes a file that is to be embedded, packed: an executable reads all of itself into memory
 * before it starts.
 *
 * @param path The file, by the name it has unpacked.
 */
export function writeEmbedded(path: string, content: string | Uint8Array): void {
  Deno.writeFileSync(path + PACKED, gzipSync(content, { level: 9 }));
}

/**
 * Reads an embedded file. Where the program runs from its sources, the files lie there unpacked.
 *
 * @param path The file, by the name it has unpacked.
 */
export function readEmbedded(path: string): Uint8Array {
  try {
    return gunzipSync(Deno.readFileSync(path + PACKED));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return Deno.readFileSync(path);
    throw error;
  }
}

/**
 * Reads an embedded file as text.
 *
 * @param path The file, by the name it has unpacked.
 */
export function readEmbeddedText(path: string): string {
  return new TextDecoder().decode(readEmbedded(path));
}

/** What a folder of tool files says of its world. */
export const COHERENCE_FILE = "coherence.json";

/**
 * Tells what of a folder of tool files belongs to it: Markdown, and what says how it agrees.
 *
 * @param file The file, relative to the folder.
 */
export function isOfLibrary(file: string): boolean {
  return file.endsWith(".md") || file === COHERENCE_FILE;
}

/**
 * Lists the files that are embedded.
 *
 * @returns Their paths relative to the folder, by the names they have unpacked, sorted.
 */
export function listEmbedded(directory: string): string[] {
  return listFiles(directory)
    .map((file) => file.endsWith(PACKED) ? file.slice(0, -PACKED.length) : file)
    .filter(isOfLibrary)
    .sort();
}
