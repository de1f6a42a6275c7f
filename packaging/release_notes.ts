// Prints what CHANGELOG.md says of a release: its notes.

if (import.meta.main) {
  const changelog = Deno.readTextFileSync(new URL("../CHANGELOG.md", import.meta.url));
  console.log(notesOf(Deno.args[0] ?? "", changelog));
}

/**
 * Finds the section of a release.
 *
 * @param tag The release's tag, such as `v0.2.0`.
 * @param changelog The text of the changelog.
 * @returns The section's text, without its heading.
 * @throws {Error} When there is none.
 */
export function notesOf(tag: string, changelog: string): string {
  const version = tag.replace(/^v/, "");
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split("\n", 1)[0]!.trim() === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
  return section.slice(section.indexOf("\n")).trim();
}
