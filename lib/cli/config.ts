import { CLIENT_NAMES, clientConfig, type TransportKind } from "./client_config.ts";
import { commandLine, type Installation, launchOf } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import type { Project, ProjectFlags } from "./project.ts";
import { START_DEFAULTS } from "./start_options.ts";
import { paintFor } from "./style.ts";
import { didYouMean } from "../suggest.ts";

/** The flags of `config`. */
export interface ConfigFlags extends ProjectFlags {
  readonly transport?: TransportKind;
  readonly port: number;
}

/**
 * Prints what to paste to connect a client to this installation. Standard output holds nothing
 * else; where it belongs is said on standard error.
 *
 * @param flags How it is to connect; flags about the project are passed on to the server.
 */
export function config(
  client: string,
  flags: ConfigFlags,
  project: Project,
  home: string,
  io: Io,
): ExitCode {
  if (!CLIENT_NAMES.includes(client)) {
    throw new CliError(
      `unknown client \`${client}\`${didYouMean(client, CLIENT_NAMES)}\n` +
        `Known are: ${CLIENT_NAMES.join(", ")}`,
      EXIT.usage,
    );
  }
  const { transport, text, place } = configure(client, flags, project, home);
  io.out(text);
  const paint = paintFor(io, "err");
  for (const line of place) io.err(paint("quiet", line));
  if (transport === "http") {
    const port = flags.port === START_DEFAULTS.port ? [] : ["--port", String(flags.port)];
    const line = commandLine(["start", ...port, ...projectArgs(flags, project)]);
    io.err(paint("quiet", `The server must be running: ${line}`));
  }
  return EXIT.done;
}

function configure(
  client: string,
  flags: ConfigFlags,
  project: Project,
  home: string,
): ReturnType<typeof clientConfig> {
  const installation: Installation = {
    standalone: Deno.build.standalone,
    executable: Deno.execPath(),
    home,
    windows: Deno.build.os === "windows",
  };
  return clientConfig(client, {
    transport: flags.transport,
    port: flags.port,
    launch: launchOf(installation, ["--stdio", ...projectArgs(flags, project)]),
    windows: installation.windows,
    mac: Deno.build.os === "darwin",
  });
}

/** A client starts the server in a folder of its own choosing, so paths are passed on whole. */
function projectArgs(flags: ProjectFlags, project: Project): string[] {
  return [
    ...(flags.project === undefined ? [] : ["--project", project.directory]),
    ...(flags.tools === undefined ? [] : ["--tools", project.toolsDirectory]),
    ...(flags.overrides === undefined ? [] : ["--overrides", project.overridesPath]),
    ...(flags.calls === undefined ? [] : ["--calls", project.callsPath]),
  ];
}
