import { join } from "node:path";

/** A folder with one tool file that tests write as they like. */
export interface ToolFolder extends AsyncDisposable {
  readonly folder: string;
  /** The path of the one tool's file. */
  readonly path: string;
}

/** The text of a file for the tool `probe` whose answer tells which text it came from. */
export function probeText(version: number | string): string {
  const scenario = (name: string, match: string): string =>
    `## Scenario: ${name}\n${match}\`\`\`json response\n` +
    `${JSON.stringify({ version, scenario: name })}\n\`\`\`\n`;
  return [
    "---\ntool: probe\n---\n## Definition\n```json tool",
    '{"name":"probe","inputSchema":{"type":"object"}}',
    "```",
    scenario("matched", '```json match\n{"rule":"*"}\n```\n'),
    scenario("forced", '```json match\n{"never":"=never"}\n```\n'),
    // The default comes last, so that no part of the file is a usable file.
    scenario("usual", ""),
  ].join("\n");
}

/** Makes a folder with a file for the tool `probe`. */
export async function makeToolFolder(): Promise<ToolFolder> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const path = join(folder, "probe.md");
  await Deno.writeTextFile(path, probeText(0));
  return {
    folder,
    path,
    async [Symbol.asyncDispose]() {
      await Deno.remove(folder, { recursive: true });
    },
  };
}
