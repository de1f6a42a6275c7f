import { Command, CommanderError, Option } from "commander";
import { COMMANDS, type Declaration, orInvalid } from "./commands.ts";
import { helpStyle, outputFor, withExamples } from "./help.ts";
import { commandLine, programName } from "./installation.ts";
import { CliError, EXIT, type ExitCode, type Io } from "./io.ts";
import { findProject, type Project, type ProjectFlags } from "./project.ts";
import { report } from "./report.ts";
import { isInEnvironment, type Setting, variableOf } from "./settings.ts";
import { PROJECT_SETTINGS } from "./start_options.ts";
import { didYouMean } from "../suggest.ts";

/** The version of this program. Clients never see it; they see `--server-version`. */
export const VERSION = "0.1.0";

/**
 * Runs one command line.
 *
 * @param home The folder of `main.ts`; inside an executable, where its embedded files appear.
 */
export async function runCommand(argv: readonly string[], home: string, io: Io): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = buildProgram(home, io, (result) => code = result);
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
  log: "calls",
  journal: "calls",
  assert: "verify",
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

/** Explains flags before the command: commander takes `start` for the command there. */
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

/** Puts the commands together for commander. */
function buildProgram(home: string, io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command(programName())
    .description(
      "A local careem-mcp server whose answers come from Markdown fixtures. " +
        "Without a command it starts.",
    )
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput(outputFor(io))
    .configureHelp(helpStyle(io));
  for (const declaration of COMMANDS) addCommand(program, declaration, home, io, finish);
  return withExamples(program, io, [
    ["", "serve http://127.0.0.1:8787/mcp"],
    ["calls --follow", "watch what an agent calls"],
    ["scenario food_merchant_search upstream-unavailable", "make a tool fail from now on"],
    ["reset", "let all tools answer by their rules again"],
    ["config codex", "print what to paste into a client's configuration"],
  ]);
}

function addCommand(
  program: Command,
  declaration: Declaration,
  home: string,
  io: Io,
  finish: (code: ExitCode) => void,
): void {
  const { name, isDefault = false, summary, words = [], flags = [], examples } = declaration;
  const command = program.command(name, { isDefault }).description(summary);
  for (const [word, help, parse = String] of words) {
    command.argument(word, help, (text: string, before: string[] = []) => {
      const value = orInvalid(() => parse(text));
      return word.includes("...") ? [...before, value] : value;
    });
  }
  for (const flag of flags) command.addOption(flag instanceof Option ? flag : optionOf(io, flag));
  // Below the command's own.
  command.optionsGroup("Project options:");
  for (const setting of Object.values(PROJECT_SETTINGS)) command.addOption(optionOf(io, setting));
  withExamples(command, io, examples);
  command.action(async () => {
    const given = command.opts();
    const project = (): Project =>
      findProject(
        given as ProjectFlags,
        home,
        (flag) => command.getOptionValueSource(flag) === "env" ? variableOf(flag) : `--${flag}`,
      );
    finish(
      await declaration.run({ words: command.processedArgs, flags: given, project, home, io }),
    );
  });
}

/** A setting as commander declares it. */
function optionOf(io: Io, setting: Setting<unknown>): Option {
  const { flag, value, help, defaultText, choices } = setting;
  const variable = variableOf(flag);
  if (value === undefined) {
    // Commander takes a switch for set whatever its variable says, so it hears only of one that is.
    return isInEnvironment(io, setting)
      ? new Option(`--${flag}`, help).env(variable)
      : new Option(`--${flag}`, `${help} (env: ${variable})`);
  }
  const option = new Option(`--${flag} ${value}`, help);
  if (io.env(variable) !== "") option.env(variable);
  if (setting.default !== undefined) option.default(setting.default, defaultText);
  if (choices !== undefined) return option.choices([...choices]);
  return option.argParser((text: string, before: unknown) =>
    orInvalid(() => setting.parse!(text, before))
  );
}
