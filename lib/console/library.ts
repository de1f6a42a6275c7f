import { checkOverridesFile, checkTools, type ProjectFiles } from "../check/check_project.ts";
import type { Finding } from "../check/finding.ts";
import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { type Written, writtenOf } from "../fixture/written.ts";
import { reasonOf } from "../reason.ts";
import { finishAside } from "../steps.ts";
import { readEmbeddedText } from "../store/embedded_files.ts";
import type { Folder } from "../store/folder.ts";
import { NoToolFolderError } from "../store/list_files.ts";
import { toolsReader } from "../store/tools.ts";

/** The tool files as they are, looked at beside whatever else the process does. */
export interface Library {
  /** The folder as it is now; the same object as long as nothing has changed. */
  folder(): Promise<Folder>;
  /** What is wrong with the tool files, and with the overrides file. */
  findings(): Promise<readonly Finding[]>;
  /** What a tool file says of its scenarios. */
  written(fixture: Fixture): ReadonlyMap<Scenario, Written>;
}

/** Opens the tool files of a project. */
export function openLibrary(files: ProjectFiles): Library {
  const read = toolsReader(files.toolsDirectory, files.embedded);
  const found = new WeakMap<Fixture, readonly Finding[]>();
  const written = new WeakMap<Fixture, ReadonlyMap<Scenario, Written>>();
  let reading: Promise<Folder> | undefined;
  let checked: { readonly folder: Folder; readonly findings: Promise<Finding[]> } | undefined;

  const readFolder = async (): Promise<Folder> => {
    try {
      return await finishAside(read());
    } catch (error) {
      const isStrange = error instanceof NoToolFolderError;
      const message = isStrange ? `is no folder of tool files: ${error.found}` : reasonOf(error);
      const problem = { path: files.toolsDirectory, line: 1, message };
      return { fixtures: new Map(), problems: [problem] };
    }
  };
  const folder = (): Promise<Folder> => reading ??= readFolder().finally(() => reading = undefined);
  return {
    folder,
    async findings() {
      const now = await folder();
      if (checked?.folder !== now) {
        checked = { folder: now, findings: finishAside(checkTools(files, now, [], found)) };
        // Asked again, it is looked again.
        checked.findings.catch(() => checked = undefined);
      }
      return [...await checked.findings, ...checkOverridesFile(files.overridesPath, now)];
    },
    written(fixture) {
      const known = written.get(fixture) ?? writtenOf(readEmbeddedText(fixture.path), fixture);
      written.set(fixture, known);
      return known;
    },
  };
}
