import { join } from "node:path";
import type { Steps } from "../steps.ts";
import { COHERENCE_FILE } from "./embedded_files.ts";
import { embeddedFixtures } from "./embedded_store.ts";
import {
  type Folder,
  listToolFiles,
  NO_FOLDER,
  readFolder,
  readFolderFiles,
  readToolFile,
  type ToolFile,
} from "./folder.ts";
import { isTrusted, sameStamp, type Stamp, stampOf } from "./stamp.ts";

/**
 * Reads tool files, on disk or inside the program.
 *
 * @throws {NoToolFolderError} When the folder cannot be meant.
 */
export function readTools(directory: string, embedded: boolean): Folder {
  const fixtures = embedded ? embeddedFixtures(directory) : undefined;
  return fixtures === undefined ? readFolder(directory) : { fixtures, problems: [] };
}

/**
 * Makes a reader of a folder of tool files that reads again what has changed, a file a step.
 *
 * @returns The reader; it returns the same object as long as nothing has changed, `coherence.json`
 * included.
 */
export function toolsReader(directory: string, embedded: boolean): () => Steps<Folder> {
  if (embedded) {
    const folder = readTools(directory, embedded);
    return function* () {
      // Inside the program each file is parsed when its scenarios are first asked for.
      for (const { scenarios } of folder.fixtures.values()) if (scenarios.length > 0) yield;
      return folder;
    };
  }
  let folder = NO_FOLDER;
  let known = new Map<string, { file: ToolFile; stamp: Stamp }>();
  /** How the folder was, where every change since is sure to show. */
  let before: string | undefined;
  return function* () {
    const paths = listToolFiles(directory);
    const stamps = new Map(paths.map((path) => [path, stampOf(path)]));
    const state = JSON.stringify([...stamps, stampOf(join(directory, COHERENCE_FILE))]);
    const now = Date.now();
    const isSure = [...stamps.values()].every((stamp) => stamp && isTrusted(stamp, now));
    if (state === before) return folder;
    const next: typeof known = new Map();
    folder = yield* readFolderFiles(directory, (path) => {
      const stamp = stampOf(path);
      const last = known.get(path);
      const file = last && sameStamp(stamp, last.stamp) ? last.file : readToolFile(path);
      if (stamp && isTrusted(stamp, now)) next.set(path, { file, stamp });
      return file;
    });
    known = next;
    before = isSure ? state : undefined;
    return folder;
  };
}
