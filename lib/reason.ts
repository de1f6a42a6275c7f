import { plain } from "./plain.ts";

/** What the system says, by its code, in words that need no manual. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EADDRNOTAVAIL: "this machine has no such address",
  EEXIST: "a file is there already",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "no such file or folder",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of its path is not a folder",
  ENOTEMPTY: "the folder is not empty",
  EPERM: "permission denied",
  EROFS: "it is on a read-only file system",
};

/**
 * Says why something failed, as the end of a sentence: an error of the system in words for people,
 * without its number, the runtime's function and the path, which the sentence names already.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return plain(String(error));
  // The runtime's own permissions, which people cannot give: "run again with" would mislead.
  if (error instanceof Deno.errors.NotCapable) return "the program is not permitted to";
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && Object.hasOwn(REASONS, code)) return REASONS[code]!;
  // Windows has other codes; of its sentences only the details in parentheses are left out.
  return plain(error.message.replace(/\.? \(os error \d+\)[^]*$/, ""));
}
