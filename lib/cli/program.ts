import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { FixtureError } from "../fixture/problem.ts";
import { PRODUCTION } from "../server/appearance.ts";
import { parseDuration } from "../template/duration.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import type { Io } from "./io.ts";
import { findProject, type ProjectFlags } from "./project.ts";
import type { StartOptions } from "./start.ts";

/** The version of this program. Clients never see it; they see `--server-version`. */
export const VERSION = "0.1.0";

/**
 * Runs one command line.
 *
 * Each command's code is loaded when it is chosen, so that no command pays for another.
 *
 * @param argv The arguments after the program's name.
 * @param home The folder of `main.ts`; inside an executable, where its embedded files appear.
 * @param io The streams and the environment.
 * @returns The exit code.
 */
export async function run(argv: readonly string[], home: string, io: Io): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = new Program(home, io, (result) => code = result).build();
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    return report(error, io);
  }
}

/** Declares the commands (DESIGN.md, Command line). */
class Program {
  constructor(
    private readonly home: string,
    private readonly io: Io,
    private readonly finish: (code: ExitCode) => void,
  ) {}

  build(): Command {
    const program = new Command("careem-mcp")
      .description("A local careem-mcp server whose answers come from Markdown fixtures.")
      .version(VERSION)
      .exitOverride()
      .configureOutput({
        writeOut: (text) => this.io.out(text.trimEnd()),
        writeErr: (text) => this.io.err(text.trimEnd()),
      })
      .showHelpAfterError("(careem-mcp --help lists the commands)");
    this.addStart(program);
    return program;
  }

  private addStart(program: Command): void {
    this.command(program, "start", { isDefault: true })
      .description("serve over HTTP, or one client over stdio")
      .option("--stdio", "serve over standard input and output")
      .addOption(
        setting("port", "<number>", "port to listen on").default(8787).argParser(portNumber),
      )
      .addOption(setting("host", "<address>", "address to listen on").default("127.0.0.1"))
      .addOption(setting("name", "<name>", "server name that clients see").default(PRODUCTION.name))
      .addOption(
        setting("server-version", "<version>", "server version that clients see")
          .default(PRODUCTION.version),
      )
      .addOption(
        setting("widget-domain", "<url>", "where the widget's page loads its app from")
          .default(PRODUCTION.widgetDomain).argParser(webOrigin),
      )
      .option("--no-output-schema", "list the tools without outputSchema")
      .option("--no-meta", "list the tools without _meta, and no widget")
      .addOption(
        setting("allow-host", "<name>", "also serve this Host; repeatable, * is any")
          .default([], "loopback only").argParser(listItem),
      )
      .addOption(
        setting("allow-origin", "<origin>", "also serve this web origin; repeatable, * is any")
          .default([], "loopback only").argParser(listItem),
      )
      .option("--expose-fixture-errors", "tell clients what is wrong with a broken fixture")
      .addOption(
        setting("session-idle", "<duration>", "end sessions unused for this long")
          .default(30 * 60_000, "30m").argParser(milliseconds),
      )
      .addOption(
        setting("max-sessions", "<number>", "end the longest unused past this many")
          .default(1000).argParser(positiveInteger),
      )
      .addOption(
        setting("log", "<format>", "log of calls").choices(["text", "json"]).default("text"),
      )
      .option("--quiet", "print errors only")
      .action(async (flags: StartOptions & ProjectFlags) => {
        const { start } = await import("./start.ts");
        const project = findProject(flags, this.home);
        this.finish(await start(this.withSwitches(flags), project, this.io));
      });
  }

  /** A command with the flags that all of them take. */
  private command(program: Command, usage: string, options: { isDefault?: boolean } = {}): Command {
    return program.command(usage, options)
      .addOption(setting("project", "<dir>", "project folder (tools/ and .run/ are in it)"))
      .addOption(setting("tools", "<dir>", "folder of tool files"))
      .addOption(setting("overrides", "<file>", "file of forced scenarios"));
  }

  /** Switches come from the environment, too: any value but an empty one, 0 or false sets them. */
  private withSwitches(flags: StartOptions): StartOptions {
    const isSet = (name: string): boolean => {
      const value = this.io.env(`CAREEM_MCP_${name}`)?.toLowerCase() ?? "";
      return !["", "0", "false"].includes(value);
    };
    return {
      ...flags,
      stdio: flags.stdio || isSet("STDIO"),
      outputSchema: flags.outputSchema && !isSet("NO_OUTPUT_SCHEMA"),
      meta: flags.meta && !isSet("NO_META"),
      exposeFixtureErrors: flags.exposeFixtureErrors || isSet("EXPOSE_FIXTURE_ERRORS"),
      quiet: flags.quiet || isSet("QUIET"),
    };
  }
}

/** An option that can also be set by its environment variable; the flag wins. */
function setting(name: string, value: string, description: string): Option {
  const variable = `CAREEM_MCP_${name.toUpperCase().replaceAll("-", "_")}`;
  return new Option(`--${name} ${value}`, description).env(variable);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port === undefined || port > 65_535) {
    throw new InvalidArgumentError("Give a number from 0 (any free port) to 65535.");
  }
  return port;
}

function positiveInteger(text: string): number {
  const number = wholeNumber(text);
  if (!number) throw new InvalidArgumentError("Give a whole number above zero.");
  return number;
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function milliseconds(text: string): number {
  const nanoseconds = parseDuration(text);
  if (!nanoseconds) throw new InvalidArgumentError("Give a duration such as 30m or 1h30m.");
  return Number(nanoseconds) / 1e6;
}

function webOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search) {
    return url.origin;
  }
  throw new InvalidArgumentError("Give an origin such as https://careem-mcp-app.pages.dev.");
}

function listItem(text: string, before: readonly string[]): string[] {
  return [...before, ...text.split(",").map((item) => item.trim()).filter((item) => item !== "")];
}

function report(error: unknown, io: Io): ExitCode {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CliError) {
    io.err(`careem-mcp: ${error.message}`);
    return error.code;
  }
  if (error instanceof FixtureError) {
    error.message.split("\n").forEach(io.err);
    const count = error.problems.length;
    io.err(
      `careem-mcp: ${count} ${count === 1 ? "problem" : "problems"} in the tool files, above.`,
    );
    return EXIT.failed;
  }
  io.err(`careem-mcp: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.failed;
}
