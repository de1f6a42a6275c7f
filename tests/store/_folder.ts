import { join } from "node:path";

const FENCE = "```";

/**
 * Gives a new empty folder to `use` and removes it afterwards.
 *
 * @param use What is done with the folder's path.
 * @returns When all is done.
 */
export async function withFolder(use: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(await Deno.realPath(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * The text of a tool file with one scenario.
 *
 * @param tool The tool's name.
 * @param answer The scenario's template.
 * @returns The text; its answer stands in line 10.
 */
export function toolText(tool: string, answer: string): string {
  return [
    "---",
    `tool: ${tool}`,
    "---",
    "## Definition",
    `${FENCE}json tool`,
    `{"name": "${tool}", "inputSchema": {"type": "object"}}`,
    FENCE,
    "## Scenario: usual",
    `${FENCE}json response`,
    answer,
    FENCE,
    "",
  ].join("\n");
}

/**
 * Writes files below a folder, with the folders that they need.
 *
 * @param folder The folder.
 * @param files Texts by path, written with `/`.
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    Deno.mkdirSync(join(target, ".."), { recursive: true });
    Deno.writeTextFileSync(target, text);
  }
}
