import { gunzipSync, gzipSync } from "node:zlib";
import { listFiles } from "./list_files.ts";

/** What a packed file's name ends with. */
const PACKED = ".gz";

/** Packs a file to be embedded under a name: an executable reads all of itself before it starts. */
export function writeEmbedded(path: string, content: string | Uint8Array): void {
  Deno.writeFileSync(path + PACKED, gzipSync(content, { level: 9 }));
}

/** Reads an embedded file by the name it has unpacked, as it lies where there is no executable. */
export function readEmbedded(path: string): Uint8Array {
  try {
    return gunzipSync(Deno.readFileSync(path + PACKED));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return Deno.readFileSync(path);
    throw error;
  }
}

/** Reads an embedded file as text. */
export function readEmbeddedText(path: string): string {
  return new TextDecoder().decode(readEmbedded(path));
}

/** What a folder of tool files says of its world. */
export const COHERENCE_FILE = "coherence.json";

/**
 * Whether a file of a folder of tool files belongs to it: Markdown, and what says how it agrees.
 */
export function isOfLibrary(file: string): boolean {
  return file.endsWith(".md") || file === COHERENCE_FILE;
}

/**
 * Lists the embedded files of a folder, relative to it, by the names they have unpacked, sorted.
 */
export function listEmbedded(directory: string): string[] {
  return listFiles(directory)
    .map((file) => file.endsWith(PACKED) ? file.slice(0, -PACKED.length) : file)
    .filter(isOfLibrary)
    .sort();
}
