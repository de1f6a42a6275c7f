import { join } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { reasonOf } from "../reason.ts";
import { Refusal } from "../refusal.ts";
import type { Steps } from "../steps.ts";
import { COHERENCE_FILE, readEmbeddedText } from "../store/embedded_files.ts";
import type { Folder } from "../store/folder.ts";
import { systemEnvironment } from "../template/environment.ts";
import { checkFiles, type CheckOptions } from "./check.ts";
import { checkOverrides } from "./check_overrides.ts";
import type { Finding } from "./finding.ts";

/** Where the files of a project are. */
export interface ProjectFiles {
  readonly toolsDirectory: string;
  /** Whether the tool files are those that come with the program. */
  readonly embedded: boolean;
  readonly overridesPath: string;
}

/**
 * Runs every check over the tool files, a file a step.
 *
 * @param known What was found of fixtures before, to which is added what is found now.
 * @throws {Refusal} When the folder's `coherence.json` is there and cannot be read.
 */
export function* checkTools(
  { toolsDirectory, embedded }: ProjectFiles,
  folder: Folder,
  allowedWords: readonly string[] = [],
  known?: WeakMap<Fixture, readonly Finding[]>,
): Steps<Finding[]> {
  const coherence = coherenceOf(join(toolsDirectory, COHERENCE_FILE), embedded);
  return yield* checkFiles(folder, systemEnvironment, { ...coherence, allowedWords }, known);
}

/** The folder's `coherence.json`, if there is one. */
function coherenceOf(path: string, embedded: boolean): CheckOptions {
  try {
    const text = embedded ? readEmbeddedText(path) : Deno.readTextFileSync(path);
    return { coherence: { text, path } };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw new Refusal("conflict", `${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/** Checks the overrides file, if there is one. */
export function checkOverridesFile(path: string, folder: Folder): Finding[] {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    // A file that cannot be read forces nothing, which its author should know.
    if (error instanceof Deno.errors.NotFound) return [];
    const message = `cannot be read, so nothing is forced: ${reasonOf(error)}`;
    return [{ path, line: 1, rule: "override", message }];
  }
  return checkOverrides(text, path, folder);
}
