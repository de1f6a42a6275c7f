import { Command, CommanderError, Option } from "commander";
import type { TransportKind } from "./client_config.ts";
import type { ConfigFlags } from "./config.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import { type Example, helpStyle, outputFor, withExamples } from "./help.ts";
import type { ImportFlags } from "./import.ts";
import { commandLine, programName } from "./installation.ts";
import type { Io } from "./io.ts";
import { findProject, type Project, type ProjectFlags } from "./project.ts";
import { report } from "./report.ts";
import {
  hostNames,
  isSwitchedOn,
  knownPort,
  listenAddress,
  milliseconds,
  portNumber,
  positiveInteger,
  setting,
  somePath,
  toggle,
  variableOf,
  webOrigin,
  webOrigins,
} from "./settings.ts";
import { START_DEFAULTS, type StartOptions } from "./start_options.ts";
import { didYouMean } from "./suggest.ts";

/** The flags of `call`. */
interface CallFlags {
  readonly value?: true;
  readonly url?: string;
}

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
  const names = [...program.commands.map((command) => command.name()), "help"];
  const named = argv[0]?.startsWith("-") ? "start" : names.find((name) => name === argv[0]);
  try {
    refuseUnknown(argv, names);
    await program.parseAsync(argv.join(" ") === "help help" ? ["help"] : [...argv], {
      from: "user",
    });
    return code;
  } catch (error) {
    return report(misplaced(error, argv, program) ?? error, named, io);
  }
}

/** What other programs call what this one's commands do. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  run: "start",
  serve: "start",
  list: "scenarios",
  ls: "scenarios",
  tools: "scenarios",
  force: "scenario",
  set: "scenario",
  version: "--version",
};

/** `start` being the default command, commander would take an unknown word for its argument. */
function refuseUnknown(argv: readonly string[], names: readonly string[]): void {
  const word = argv[0] === "help" ? argv[1] : argv[0];
  if (word === undefined || word.startsWith("-") || names.includes(word)) return;
  const meant = Object.hasOwn(OTHER_WORDS, word)
    ? `, did you mean \`${OTHER_WORDS[word]}\`?`
    : didYouMean(word, names);
  throw new CliError(
    `unknown command \`${word}\`${meant}\nSee: ${programName()} --help`,
    EXIT.usage,
  );
}

/** Flags before the command made `start` the command, and the command its argument. */
function misplaced(
  error: unknown,
  argv: readonly string[],
  program: Command,
): CliError | undefined {
  const codes = ["commander.excessArguments", "commander.unknownOption"];
  if (!(error instanceof CommanderError) || !codes.includes(error.code)) return undefined;
  if (!argv[0]?.startsWith("-")) return undefined;
  const start = program.commands.find((command) => command.name() === "start");
  const at = argv.findIndex((word, index) =>
    program.commands.some((command) => command.name() === word) &&
    !takesValue(start, argv[index - 1])
  );
  const command = program.commands.find((one) => one.name() === argv[at]);
  if (command === undefined) return undefined;
  const others = argv.filter((_, index) => index !== at);
  const fits = others.every((word) => !word.startsWith("-") || hasOption(command, word));
  return new CliError(
    `the command comes first, its flags after it.\n${
      fits
        ? `Write: ${commandLine([command.name(), ...others])}`
        : `See: ${programName()} ${command.name()} --help`
    }`,
    EXIT.usage,
  );
}

function takesValue(command: Command | undefined, flag: string | undefined): boolean {
  return command?.options.some(({ long, required }) => required && long === flag) ?? false;
}

function hasOption(command: Command, word: string): boolean {
  const flag = word.replace(/=.*$/s, "");
  return ["-h", "--help"].includes(flag) || command.options.some(({ long }) => long === flag);
}

/** Declares the commands (docs/CLI.md). */
class Program {
  /** The command that is being carried out. */
  private action: Command | undefined;

  constructor(
    private readonly home: string,
    private readonly io: Io,
    private readonly finish: (code: ExitCode) => void,
  ) {}

  build(): Command {
    const program = new Command(programName())
      .description(
        "A local careem-mcp server whose answers come from Markdown fixtures. " +
          "Without a command it starts.",
      )
      .version(VERSION, "-V, --version", "print the version")
      .helpOption("-h, --help", "print this help")
      .helpCommand("help [command]", "print the help of a command")
      .exitOverride()
      .configureOutput(outputFor(this.io))
      .configureHelp(helpStyle(this.io));
    this.addStart(program);
    this.addScenarios(program);
    this.addScenario(program);
    this.addReset(program);
    this.addCheck(program);
    this.addCall(program);
    this.addImport(program);
    this.addEject(program);
    this.addConfig(program);
    program.commands.forEach((command) => this.addProjectOptions(command));
    program.hook("preAction", (_program, action) => {
      this.action = action;
    });
    return withExamples(program, this.io, [
      ["", "serve http://127.0.0.1:8787/mcp"],
      ["scenario food_merchant_search upstream-unavailable", "make a tool fail from now on"],
      ["reset", "let all tools answer by their rules again"],
      ["config codex", "print what to paste into a client's configuration"],
    ]);
  }

  private addStart(program: Command): void {
    const { io } = this;
    this.command(program, "start", { isDefault: true }, [
      ["start", "serve over HTTP on port 8787"],
      ["start --stdio", "serve one client over standard input and output"],
      ["start --port 9000 --log json", "another port, the log as JSON lines"],
      ["start --allow-host my-own.trycloudflare.com", "let a tunnel through"],
    ])
      .description("serve over HTTP, or one client over stdio")
      .addOption(toggle("stdio", "serve over standard input and output"))
      .addOption(
        setting(io, "port", "<number>", "port to listen on").default(START_DEFAULTS.port).argParser(
          portNumber,
        ),
      )
      .addOption(
        setting(io, "host", "<address>", "address to listen on").default(START_DEFAULTS.host)
          .argParser(listenAddress),
      )
      .addOption(
        setting(io, "name", "<name>", "server name that clients see").default(START_DEFAULTS.name),
      )
      .addOption(
        setting(io, "server-version", "<version>", "server version that clients see")
          .default(START_DEFAULTS.serverVersion),
      )
      .addOption(
        setting(io, "widget-domain", "<url>", "where the widget's page loads its app from")
          .default(START_DEFAULTS.widgetDomain).argParser(webOrigin),
      )
      .addOption(toggle("no-output-schema", "list the tools without outputSchema"))
      .addOption(toggle("no-meta", "list the tools without _meta, and no widget"))
      .addOption(
        setting(io, "allow-host", "<name>", "also serve this Host; repeatable, * is any")
          .default(START_DEFAULTS.allowHost, "loopback only").argParser(hostNames),
      )
      .addOption(
        setting(io, "allow-origin", "<origin>", "also serve this web origin; repeatable, * is any")
          .default(START_DEFAULTS.allowOrigin, "loopback only").argParser(webOrigins),
      )
      .addOption(
        toggle("expose-fixture-errors", "tell clients what is wrong with a broken fixture"),
      )
      .addOption(
        setting(io, "session-idle", "<duration>", "end sessions unused for this long")
          .default(START_DEFAULTS.sessionIdle, "30m").argParser(milliseconds),
      )
      .addOption(
        setting(io, "max-sessions", "<number>", "end the longest unused past this many")
          .default(START_DEFAULTS.maxSessions).argParser(positiveInteger),
      )
      .addOption(
        setting(io, "log", "<format>", "log of calls").choices(["text", "json"]).default(
          START_DEFAULTS.log,
        ),
      )
      .addOption(toggle("quiet", "print warnings and errors only"))
      .action(async (flags: StartOptions & ProjectFlags) => {
        const { start } = await import("./start.ts");
        this.finish(await start(this.withSwitches(flags), this.project(flags)));
      });
  }

  private addScenarios(program: Command): void {
    this.command(program, "scenarios", {}, [
      ["scenarios", "all tools, by domain"],
      ["scenarios food_merchant_search", "one tool: which rule leads to which answer"],
      ["scenarios --json | jq '.tools[] | select(.forced)'", "what is forced now"],
    ])
      .description("list the tools and their scenarios")
      .argument("[tool]", "list this tool's scenarios in file order")
      .option("--json", "print JSON (see docs/CLI.md)")
      .action(async (tool: string | undefined, flags: ProjectFlags & { json?: true }) => {
        const { scenarios } = await import("./scenarios.ts");
        this.finish(await scenarios(tool, flags.json ?? false, this.project(flags), this.io));
      });
  }

  private addScenario(program: Command): void {
    this.command(program, "scenario", {}, [
      ["scenario ride_book no-captains", "answer ride_book with no-captains from now on"],
      ["scenario ride_book", "let ride_book answer by its rules again"],
    ])
      .description("force a tool into a scenario, or clear that")
      .argument("<tool>", "the tool")
      .argument("[name]", "the scenario; without it, the tool's entry is cleared")
      .action(async (tool: string, name: string | undefined, flags: ProjectFlags) => {
        const { scenario } = await import("./scenario.ts");
        this.finish(scenario(tool, name, this.project(flags), this.io));
      });
  }

  private addReset(program: Command): void {
    this.command(program, "reset", {}, [["reset", "let all tools answer by their rules again"]])
      .description("clear all forced scenarios")
      .action(async (flags: ProjectFlags) => {
        const { reset } = await import("./scenario.ts");
        this.finish(reset(this.project(flags), this.io));
      });
  }

  private addCheck(program: Command): void {
    this.command(program, "check", {}, [
      ["check", "every rule, over the fixtures in use"],
      ["check --tools ./tools", "over another folder"],
      ["check --json", "for editors and CI"],
    ])
      .description("check that every fixture is honest")
      .option("--json", "print JSON (see docs/CLI.md)")
      .action(async (flags: ProjectFlags & { json?: true }) => {
        const { check } = await import("./check.ts");
        this.finish(check(flags.json ?? false, () => this.project(flags), this.io));
      });
  }

  private addCall(program: Command): void {
    this.command(program, "call", {}, [
      ["call pay_get_wallet_balance", "a call without arguments"],
      ["call reverse_geocode latitude=25.0866 longitude=55.1474", "arguments as pairs"],
      [
        "call ride_get_estimates pickup.latitude=25.0866 pickup.longitude=55.1474 " +
        "dropoff.latitude=25.2528 dropoff.longitude=55.3644",
        "nested objects",
      ],
      [`call ride_get_status '{"rideId": ""}' --value`, "as JSON; print the answer alone"],
      ["call cart_apply_promo - < arguments.json", "from standard input"],
      [
        "call pay_get_wallet_balance --url http://127.0.0.1:8787/mcp",
        "by the server that runs there, in whose log it shows",
      ],
    ])
      .description("answer one call in the terminal, as the server would")
      .argument("<tool>", "the tool")
      .argument("[arguments...]", "one JSON object, key=value pairs, or - for standard input")
      .option("--value", "print the answer alone, without the result around it")
      .option("--url <url>", "call the server that runs there (/mcp, or /sse for legacy SSE)")
      .action(async (tool: string, words: string[], flags: ProjectFlags & CallFlags) => {
        const value = flags.value ?? false;
        if (flags.url !== undefined) {
          const { callUrl } = await import("./call_url.ts");
          this.finish(await callUrl(flags.url, tool, words, value, this.io));
          return;
        }
        const { call } = await import("./call.ts");
        this.finish(await call(tool, words, value, this.project(flags), this.io));
      });
  }

  private addImport(program: Command): void {
    this.command(program, "import", {}, [
      ["import tools-list.json --dry-run", "see what would change"],
      ["import tools-list.json", "replace definitions, add new tools"],
      ["import tools-list.json --prune", "also delete the tools that are not in the list"],
    ])
      .description("refresh the definitions from a saved tools/list result")
      .argument("<file>", "the saved result, or - for standard input", somePath)
      .option("--prune", "delete the files of tools that are not in the list")
      .option("--dry-run", "show the differences and write nothing")
      .action(async (file: string, flags: ProjectFlags & Partial<ImportFlags>) => {
        const { importTools } = await import("./import.ts");
        this.finish(
          await importTools(
            file,
            { prune: false, dryRun: false, ...flags },
            this.project(flags),
            this.io,
          ),
        );
      });
  }

  private addEject(program: Command): void {
    this.command(program, "eject", {}, [
      ["eject", "into tools/ of the project folder, to be served from there"],
      ["eject --force", "the same, over what was edited there"],
      ["eject ./my-tools", "into a folder of your own"],
    ])
      .description("write the fixtures inside the program to disk for editing")
      .argument("[dir]", "the folder; tools/ of the project folder without it", somePath)
      .option("--force", "overwrite files that are there and differ")
      .action(async (directory: string | undefined, flags: ProjectFlags & { force?: true }) => {
        const { eject } = await import("./eject.ts");
        this.finish(eject(directory, flags.force ?? false, this.project(flags), this.io));
      });
  }

  private addConfig(program: Command): void {
    this.command(program, "config", {}, [
      ["config claude-code", "the command that adds the server to Claude Code"],
      ["config codex", "the lines for ~/.codex/config.toml"],
      ["config cursor --transport stdio", "let Cursor start the server itself"],
    ])
      .description("print the configuration of an MCP client, ready to paste")
      .argument(
        "<client>",
        "claude-code, claude-desktop, codex, cursor, vscode, windsurf, chatgpt or inspector",
      )
      .addOption(
        new Option("--transport <kind>", "how the client connects; its usual way without this")
          .choices(["http", "stdio"] satisfies TransportKind[]),
      )
      .addOption(
        setting(this.io, "port", "<number>", "port of the HTTP server")
          .default(START_DEFAULTS.port).argParser(knownPort),
      )
      .action(async (client: string, flags: ConfigFlags) => {
        const { config } = await import("./config.ts");
        this.finish(config(client, flags, this.project(flags), this.home, this.io));
      });
  }

  private command(
    program: Command,
    name: string,
    options: { isDefault?: boolean },
    examples: readonly Example[],
  ): Command {
    return withExamples(program.command(name, options), this.io, examples);
  }

  /** The flags that every command takes, below its own. */
  private addProjectOptions(command: Command): void {
    const { io } = this;
    const path = (name: keyof ProjectFlags, value: string, description: string): Option =>
      setting(io, name, value, description).argParser(somePath);
    command.optionsGroup("Project options:")
      .addOption(path("project", "<dir>", "project folder (tools/ and .run/ are in it)"))
      .addOption(path("tools", "<dir>", "folder of tool files"))
      .addOption(path("overrides", "<file>", "file of forced scenarios"));
  }

  private project(flags: ProjectFlags): Project {
    return findProject(flags, this.home, (flag) => {
      const fromVariable = this.action?.getOptionValueSource(flag) === "env";
      return fromVariable ? variableOf(flag) : `--${flag}`;
    });
  }

  /** Switches come from the environment, too. */
  private withSwitches(flags: StartOptions): StartOptions {
    const { io } = this;
    return {
      ...flags,
      stdio: flags.stdio || isSwitchedOn(io, "stdio"),
      outputSchema: flags.outputSchema && !isSwitchedOn(io, "no-output-schema"),
      meta: flags.meta && !isSwitchedOn(io, "no-meta"),
      exposeFixtureErrors: flags.exposeFixtureErrors || isSwitchedOn(io, "expose-fixture-errors"),
      quiet: flags.quiet || isSwitchedOn(io, "quiet"),
    };
  }
}
