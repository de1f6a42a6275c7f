import type { Folder } from "../store/folder.ts";
import { readTools } from "../store/tools.ts";
import { folderError, noToolFile, type Project } from "./project.ts";

/**
 * Reads a project's tool files for a command that can work with those that are whole.
 *
 * @throws {FolderError} When there is no tool file at all.
 */
export function readFixtures(project: Project): Folder {
  const folder = readProject(project);
  if (folder.fixtures.size > 0 || folder.problems.length > 0) return folder;
  throw noToolFile(project);
}

function readProject(project: Project): Folder {
  try {
    return readTools(project.toolsDirectory, project.embedded);
  } catch (error) {
    throw folderError(error, project);
  }
}
