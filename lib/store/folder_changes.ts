import { basename, join, resolve } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { listFiles } from "./list_files.ts";
import { stampOf } from "./stamp.ts";
import type { FoundTool } from "./store.ts";

/** How long nothing may happen before changes are looked at: an editor saves in several steps. */
const SETTLING_MS = 300;

/**
 * Tells what a server that runs cannot follow in its folder: a new tool, a changed definition, and a
 * second file that defines a tool, whose edits would be made for nothing. Each is told once, and
 * again when it ended and came back.
 *
 * @param tools What was found at start, by tool name.
 * @returns Looks at files that may have changed, of any kind.
 */
export function folderChanges(
  tools: ReadonlyMap<string, FoundTool>,
  note: (line: string) => void,
): (paths: Iterable<string>) => void {
  const homes = new Map([...tools.values()].map(({ tool, path }) => [resolve(path), tool]));
  /** Files that define a tool whose file of the start is another. */
  const others = new Map<string, string>();
  /** What holds at the moment, and was told. */
  const told = new Map<string, string>();
  const tell = (subject: string, line: string | undefined): void => {
    if (line === told.get(subject)) return;
    if (line === undefined) return void told.delete(subject);
    told.set(subject, line);
    note(line);
  };

  const look = (path: string): void => {
    const fixture = readTool(path);
    const found = fixture && tools.get(fixture.tool);
    const isOther = found !== undefined && resolve(found.path) !== path;
    if (isOther) others.set(path, fixture!.tool);
    else others.delete(path);
    // Of a file that is gone or broken for the moment nothing is known, and its calls tell.
    if (fixture === undefined) return;
    const { tool, definition } = fixture;
    if (found === undefined) {
      tell(`new ${tool}`, `${path} defines a new tool, ${tool}: restart to have it listed`);
      return;
    }
    if (isOther && readTool(resolve(found.path))?.tool === tool) return;
    const same = JSON.stringify(definition) === JSON.stringify(found.definition);
    const changed = `the definition of ${tool} has changed in ${path}: restart to have it listed`;
    tell(`definition ${tool}`, same ? undefined : changed);
  };
  const lookAtOthers = (): void => {
    for (const [path, tool] of others) {
      const home = resolve(tools.get(tool)!.path);
      const both = readTool(path)?.tool === tool && readTool(home)?.tool === tool;
      const line = `${tool} is defined in ${home}, which answers, and in ${path}, ` +
        "whose edits have no effect: remove one of them";
      tell(`twice ${path}`, both ? line : undefined);
    }
    for (const subject of told.keys()) {
      const path = /^twice (.*)$/s.exec(subject)?.[1];
      if (path !== undefined && !others.has(path)) told.delete(subject);
    }
  };

  return (paths) => {
    const files = [...new Set([...paths].map((path) => resolve(path)))].filter((path) =>
      homes.has(path) || isToolFile(path)
    );
    files.forEach(look);
    if (files.length > 0) lookAtOthers();
  };
}

/**
 * Watches a folder of tool files from now on, for as long as the process runs. Where the system cannot
 * watch, it does without.
 *
 * @param since When the folder was read, in milliseconds since 1970: what changed before the watch
 * begins is looked at, too.
 * @param look Is given the files that may have changed, when they have settled.
 */
export function watchFolder(
  directory: string,
  since: number,
  look: (paths: Iterable<string>) => void,
): void {
  follow().catch(() => {
    // Every call looks at its file all the same.
  });

  async function follow(): Promise<void> {
    const paths = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settled = (): void => {
      const changed = [...paths];
      paths.clear();
      look(changed);
    };
    const watcher = Deno.watchFs(directory);
    look(changedSince(directory, since));
    for await (const event of watcher) {
      if (event.kind === "access") continue;
      event.paths.forEach((path) => paths.add(path));
      clearTimeout(timer);
      timer = setTimeout(settled, SETTLING_MS);
    }
  }
}

function changedSince(directory: string, since: number): string[] {
  // The runtime tells the time of a change in whole seconds.
  return listFiles(directory).map((file) => join(directory, file))
    .filter((path) => (stampOf(path)?.changed ?? 0) > since - 1_000);
}

function isToolFile(path: string): boolean {
  const name = basename(path);
  return name.endsWith(".md") && name !== "README.md" && !name.startsWith(".");
}

/** The fixture of a file, if it can be used. */
function readTool(path: string): Fixture | undefined {
  try {
    return parseFixture(Deno.readTextFileSync(path), path);
  } catch {
    return undefined;
  }
}
