import { dirname, join } from "node:path";
import { reasonOf } from "../reason.ts";
import { listFiles } from "../store/list_files.ts";
import { CliError } from "./io.ts";
import type { Project } from "./project.ts";
import { shellWord } from "./installation.ts";

/**
 * Copies the whole folder of tool files to `.run/before-import/`, in place of the copy before.
 *
 * @throws {CliError} When it cannot be made; nothing has been changed then.
 */
export function saveBefore({ toolsDirectory, directory }: Project): string {
  const copy = join(directory, ".run", "before-import");
  try {
    Deno.mkdirSync(dirname(copy), { recursive: true });
    const fresh = Deno.makeTempDirSync({ dir: dirname(copy), prefix: "before-import-" });
    for (const file of listFiles(toolsDirectory)) {
      Deno.mkdirSync(dirname(join(fresh, file)), { recursive: true });
      Deno.copyFileSync(join(toolsDirectory, file), join(fresh, file));
    }
    removeIfThere(copy);
    Deno.renameSync(fresh, copy);
    return copy;
  } catch (error) {
    throw new CliError(
      `The copy ${copy} cannot be made: ${
        reasonOf(error)
      }.\nNothing was changed. Mend that and import again.`,
    );
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Says how to undo an import. */
export function wayBack(copy: string, { toolsDirectory }: Project): string {
  const [from, to] = [shellWord(copy), shellWord(toolsDirectory)];
  const command = Deno.build.os === "windows"
    ? `robocopy ${from} ${to} /MIR`
    : `rm -r ${to} && cp -R ${from} ${to}`;
  return `To go back: ${command}`;
}
