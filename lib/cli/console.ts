import { type Console, serveConsole } from "../console/console.ts";
import { type Appearance, PRODUCTION } from "../mcp/twin.ts";
import { plain } from "../plain.ts";
import { openBrowser } from "./browser.ts";
import { readFixtures } from "./fixtures.ts";
import { commandLine } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { listenProblem } from "./listen_problem.ts";
import type { Project } from "./project.ts";
import { VERSION } from "./program.ts";
import { stopSignal } from "./start.ts";

/** The flags of `console`. */
export interface ConsoleFlags {
  readonly port: number;
  readonly host: string;
  readonly open?: boolean;
}

/** Serves the console until it is interrupted. */
export async function console(
  { open = false, ...where }: ConsoleFlags,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const stopped = stopSignal();
  // What is wrong with the folder as a whole is told now rather than by an empty page.
  readFixtures(project);
  const note = (message: string): void => io.err(plain(message));
  let opened: Console;
  try {
    opened = openConsole(where, project, PRODUCTION, note);
  } catch (error) {
    throw new CliError(listenProblem(where, error));
  }
  io.err(`Console  ${opened.url}\nCalls    ${project.callsPath}\nEnd it with Ctrl+C.`);
  // Some of them are the browser, and run as long as that.
  if (open) openBrowser(opened.url, note);
  Deno.permissions.revokeSync({ name: "run" });
  await stopped;
  await opened.close();
  return EXIT.done;
}

/**
 * Serves the console of a project.
 *
 * @param appearance What clients see of the server.
 * @param note Tells the developer something.
 * @throws {Error} When it cannot listen there.
 */
export function openConsole(
  { host, port }: Pick<ConsoleFlags, "host" | "port">,
  project: Project,
  appearance: Appearance,
  note: (message: string) => void,
): Console {
  const opened = serveConsole(host, port, {
    files: project,
    appearance,
    version: VERSION,
    commandLine: (words) => commandLine([...words, ...project.words]),
    note,
  });
  if (!opened.loopback) {
    note(
      `Warning: the console can be reached from other machines (${host}): whoever does can read ` +
        "what agents called, force, and add scenarios.",
    );
  }
  return opened;
}
