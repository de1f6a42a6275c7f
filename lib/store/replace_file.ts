import { dirname } from "node:path";

/**
 * Writes a file whole: beside its place first, then renamed over it, so that a reader sees the old
 * content or the new and a failure leaves the old. Through a symbolic link it writes the file the
 * link leads to. Folders are made as needed.
 *
 * @param path The file.
 * @param content What it is to hold.
 * @throws {Error} When it cannot be written, in the system's words.
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const target = realPath(path);
  const temporary = `${target}.${Deno.pid}.tmp`;
  Deno.mkdirSync(dirname(target), { recursive: true });
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(temporary, bytes);
    Deno.renameSync(temporary, target);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It may never have been made; the first error is the one to tell.
    }
    throw error;
  }
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
