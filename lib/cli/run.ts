import type { ExitCode, Io } from "./io.ts";
import { findProject } from "./project.ts";
import { START_DEFAULTS, START_VARIABLES } from "./start_options.ts";

/**
 * Runs one command line.
 *
 * Clients start a server with `--stdio` and nothing else, and wait for it. There is nothing to
 * parse in that, so the command line parser is loaded for everything else only.
 *
 * @param home The folder of `main.ts`; inside an executable, where its embedded files appear.
 */
export async function run(argv: readonly string[], home: string, io: Io): Promise<ExitCode> {
  // Only `console --open` runs a program, the browser.
  if (!argv.includes("--open")) Deno.permissions.revokeSync({ name: "run" });
  const isPlainStdio = argv.length === 1 && argv[0] === "--stdio" &&
    START_VARIABLES.every((name) => !io.env(name));
  if (isPlainStdio) return await startStdio(home, io);
  const { runCommand } = await import("./program.ts");
  return await runCommand(argv, home, io);
}

async function startStdio(home: string, io: Io): Promise<ExitCode> {
  try {
    const { start } = await import("./start.ts");
    return await start({ ...START_DEFAULTS, stdio: true }, findProject({}, home));
  } catch (error) {
    const { report } = await import("./report.ts");
    return report(error, "start", io);
  }
}
