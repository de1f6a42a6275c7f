import { InvalidArgumentError, Option } from "commander";
import { FAULTS } from "../control/overrides.ts";
import type { AddFlags } from "./add.ts";
import type { CallsFlags } from "./calls.ts";
import type { CheckFlags } from "./check.ts";
import type { ConfigFlags, TransportKind } from "./config.ts";
import type { ConsoleFlags } from "./console.ts";
import type { Example } from "./help.ts";
import type { ImportFlags } from "./import.ts";
import type { ExitCode, Io } from "./io.ts";
import type { Project } from "./project.ts";
import type { Forcing } from "./scenario.ts";
import type { ScenariosFlags } from "./scenarios.ts";
import {
  durationText,
  knownPort,
  listenAddress,
  milliseconds,
  portNumber,
  positiveInteger,
  type Setting,
  SettingError,
  somePath,
  wholeNumber,
} from "./settings.ts";
import { START_DEFAULTS, START_SETTINGS, type StartOptions } from "./start_options.ts";
import type { Expectation } from "./verify.ts";

/** A command line, taken apart. */
export interface Invocation<Words, Flags> {
  /** What stands beside the flags, in order. */
  readonly words: Words;
  readonly flags: Flags;
  /** Finds where the files are. */
  readonly project: () => Project;
  /** The folder of `main.ts`. */
  readonly home: string;
  readonly io: Io;
}

/** What a command is called, takes and does. */
export interface Declaration<Words = readonly unknown[], Flags = object> {
  readonly name: string;
  /** Whether it runs where no command is named. */
  readonly isDefault?: boolean;
  readonly summary: string;
  /** What stands beside the flags: as in the help, what it is, and how it is read. */
  readonly words?: readonly (readonly [
    word: string,
    help: string,
    parse?: (text: string) => string,
  ])[];
  /** Those that every command takes are left out. */
  readonly flags?: readonly (Option | Setting<unknown>)[];
  readonly examples: readonly Example[];
  run(invocation: Invocation<Words, Flags>): ExitCode | Promise<ExitCode>;
}

/** The commands (docs/CLI.md). Each one's code is loaded when it is run, so that none pays for another. */
export const COMMANDS: readonly Declaration[] = [
  declare<[], StartOptions>({
    name: "start",
    isDefault: true,
    summary: "serve over HTTP, or one client over stdio",
    flags: Object.values(START_SETTINGS),
    examples: [
      ["start", "serve over HTTP on port 8787"],
      ["start --stdio", "serve one client over standard input and output"],
      ["start --port 9000 --log json", "another port, the log as JSON lines"],
      ["start --allow-host my-own.trycloudflare.com", "let a tunnel through"],
    ],
    run: async ({ flags, project }) => (await import("./start.ts")).start(flags, project()),
  }),
  declare<[string | undefined], ScenariosFlags>({
    name: "scenarios",
    summary: "list the tools and their scenarios, or find some",
    words: [["[tool]", "list this tool's scenarios in file order"]],
    flags: [
      new Option("--find <word>", "list those that hold a word: in name, prose, rule or answer"),
      new Option("--by-force", "list those that no arguments lead to"),
      new Option("--errors", "list those that answer with an error"),
      new Option("--json", "print JSON (see docs/CLI.md)"),
    ],
    examples: [
      ["scenarios", "all tools, by domain"],
      ["scenarios food_merchant_search", "one tool: which rule leads to which answer"],
      ["scenarios --find declined", "wherever something is declined"],
      ["scenarios --json | jq '.tools[] | select(.forced)'", "what is forced now"],
    ],
    run: async ({ words: [tool], flags, project, io }) =>
      (await import("./scenarios.ts")).scenarios(tool, flags, project(), io),
  }),
  declare<[string | undefined, string[]], Forcing>({
    name: "scenario",
    summary: "force a tool into scenarios, or list what is forced",
    words: [
      ["[tool]", "the tool, or '*' for all that have no entry of their own"],
      ["[names...]", "a scenario, or several: one a call, the last one stays; - is by arguments"],
    ],
    flags: forcingFlags(),
    examples: [
      ["scenario", "what is forced now"],
      ["scenario ride_book no-captains", "answer ride_book with no-captains from now on"],
      ["scenario order_get_status preparing on-the-way delivered", "one a call, in this order"],
      ["scenario ride_book no-captains --times 2", "twice, and then by the arguments again"],
      ["scenario ride_book", "let ride_book answer by its rules again"],
    ],
    run: async ({ words: [tool, names], flags, project, io }) =>
      (await import("./scenario.ts")).scenario(tool, names, flags, project(), io),
  }),
  declare<[string, string], Forcing>({
    name: "fault",
    summary: "make calls of a tool fail as a service or a gateway would",
    words: [
      ["<tool>", "the tool, '*' for all without an entry, or / for every request"],
      ["<kind>", FAULTS.join(", ")],
    ],
    flags: forcingFlags(),
    examples: [
      ["fault cart_add_item 503 --times 2", "fail twice, then answer"],
      ["fault checkout_place_order hang", "never answer"],
      ["fault / 404 --times 2", "as in a deploy: no route for two requests"],
    ],
    run: async ({ words: [tool, kind], flags, project, io }) =>
      (await import("./scenario.ts")).fault(tool, kind, flags, project(), io),
  }),
  declare<[string | undefined], object>({
    name: "reset",
    summary: "clear all that is forced, or a tool's",
    words: [["[tool]", "clear this tool's entry only"]],
    examples: [["reset", "let all tools answer by their rules again"]],
    run: async ({ words: [tool], project, io }) =>
      (await import("./scenario.ts")).reset(tool, project(), io),
  }),
  declare<[string | undefined, string | undefined], CallsFlags>({
    name: "calls",
    summary: "list the calls that servers answered, or show one",
    words: [
      ["[action]", "show, with an id, or clear"],
      ["[id]", "the call to show"],
    ],
    flags: [
      new Option("--tool <tool>", "those of a tool"),
      new Option("--scenario <name>", "those that a scenario answered"),
      new Option("--client <name>", "those of a client, by a part of its name"),
      valued("since", "<duration>", milliseconds, "those of the last 10m, say"),
      new Option("--errors", "those that failed"),
      valued("limit", "<number>", positiveInteger, "the last so many"),
      new Option("--follow", "go on and list calls as they come"),
      new Option("--json", "print JSON, a line a call (see docs/CLI.md)"),
    ],
    examples: [
      ["calls --follow", "watch what an agent calls"],
      ["calls --tool ride_book --since 10m", "what was booked of late"],
      ["calls show <id>", "arguments, rule and answer of one call"],
      ["calls clear", "begin a new journal"],
    ],
    run: async ({ words: [action, id], flags, project, io }) =>
      (await import("./calls.ts")).calls(action, id, flags, project(), io),
  }),
  declare<[string], Expectation>({
    name: "verify",
    summary: "check that a tool was called as it should have been",
    words: [["<tool>", "the tool"]],
    flags: [
      valued("times", "<number>", wholeNumber, "exactly so often"),
      valued("at-least", "<number>", wholeNumber, "so often or more; once without any of these"),
      valued("at-most", "<number>", wholeNumber, "so often or less"),
      new Option("--args <rule>", 'with such arguments, as in a match block: \'{"q": "~sushi"}\''),
      new Option("--scenario <name>", "answered by this scenario"),
      valued("since", "<duration>", milliseconds, "within the last 10m, say"),
      new Option("--after <id>", "after this call (see: calls)"),
    ],
    examples: [
      ["verify ride_book", "it was called"],
      ['verify ride_book --times 1 --args \'{"productId": "careem-go"}\'', "once, with this"],
      ["verify checkout_place_order --at-most 0", "it was not called"],
    ],
    run: async ({ words: [tool], flags, project, io }) =>
      (await import("./verify.ts")).verify(tool, flags, project(), io),
  }),
  declare<[], CheckFlags>({
    name: "check",
    summary: "check that every fixture is honest",
    flags: [
      new Option("--json", "print JSON (see docs/CLI.md)"),
      new Option("--watch", "check again whenever a file changes").conflicts("json"),
      new Option("--allow-word <word...>", "words of yours that hold a banned one, say Mocktail"),
    ],
    examples: [
      ["check", "every rule, over the fixtures in use"],
      ["check --tools ./tools", "over another folder"],
      ["check --watch", "again at every edit"],
      ["check --json", "for editors and CI"],
    ],
    run: async ({ flags, project, io }) => (await import("./check.ts")).check(flags, project, io),
  }),
  declare<[string, string[]], { value?: true; url?: string; scenario?: string }>({
    name: "call",
    summary: "answer one call in the terminal, as the server would",
    words: [
      ["<tool>", "the tool"],
      ["[arguments...]", "one JSON object, key=value pairs, or - for standard input"],
    ],
    flags: [
      new Option("--value", "print the answer alone, without the result around it"),
      new Option("--scenario <name>", "answer with this scenario, and force nothing"),
      new Option("--url <url>", "call the server that runs there (/mcp, or /sse for legacy SSE)")
        .conflicts("scenario"),
    ],
    examples: [
      ["call pay_get_wallet_balance", "a call without arguments"],
      ["call reverse_geocode latitude=25.0866 longitude=55.1474", "arguments as pairs"],
      [
        "call ride_get_estimates pickup.locationUuid=LOC-50001 dropoff.locationUuid=LOC-55001",
        "nested objects",
      ],
      [`call ride_get_status '{"rideId": ""}' --value`, "as JSON; print the answer alone"],
      ["call cart_apply_promo - < arguments.json", "from standard input"],
      ["call order_get_status order_id=ORD-80001 --scenario late", "what a scenario answers"],
      [
        "call pay_get_wallet_balance --url http://127.0.0.1:8787/mcp",
        "by the server that runs there, in whose log it shows",
      ],
    ],
    run: async ({ words: [tool, words], flags: { value = false, url, scenario }, project, io }) => {
      if (url === undefined) {
        const { call } = await import("./call.ts");
        return await call(tool, words, { value, scenario }, project(), io);
      }
      const { callUrl } = await import("./call_url.ts");
      return await callUrl(url, tool, words, value, io);
    },
  }),
  declare<[string, string], AddFlags>({
    name: "add",
    summary: "make a scenario of a recorded answer",
    words: [["<tool>", "the tool"], ["<name>", "a name for the scenario"]],
    flags: [
      new Option(
        "--answer <file>",
        "the answer: a result, JSON-RPC, a HAR file, - for standard input",
      ),
      new Option("--call <id>", "the call of the journal that has arguments and answer"),
      new Option("--args <args...>", "the arguments it answers: JSON, or key=value pairs"),
      new Option("--match <keys>", "what its rule asks for: a,b.c or a whole rule as JSON"),
      new Option("--literal", "write the answer as it is, without placeholders"),
      new Option("--dry-run", "show the scenario and write nothing"),
    ],
    examples: [
      ["add order_get_status lost --answer saved.json --args order_id=ORD-80001", "from a file"],
      ["add ride_book booked --call <id>", "from a call of the journal (see: calls)"],
      ["add ride_book booked --call <id> --match productId --dry-run", "see it first"],
    ],
    run: async ({ words: [tool, name], flags, project, io }) =>
      (await import("./add.ts")).add(tool, name, flags, project(), io),
  }),
  declare<[string[]], ImportFlags>({
    name: "import",
    summary: "refresh the definitions from a saved tools/list, or from recordings",
    words: [[
      "<files...>",
      "the saved result, or - for standard input; a recording: one file or two",
      somePath,
    ]],
    flags: [
      new Option("--prune", "delete the files of tools that are not in the list"),
      valued("rename", "<old=new>", String, "an argument's new name; of one tool: tool.old=new")
        .argParser((text: string, before: string[] = []) => [...before, text]),
      new Option("--dry-run", "show the differences and write nothing"),
      new Option("--literal", "write recorded answers as they are, without placeholders"),
      new Option("--json", "print JSON with every finding (see docs/CLI.md)"),
    ],
    examples: [
      ["import tools-list.json --dry-run", "see what would change"],
      ["import tools-list.json", "replace definitions, add new tools"],
      ["import tools-list.json --rename order_id=orderId", "carry the scenarios along"],
      ["import requests.jsonl answers.jsonl", "a recording (see docs/RECORDING.md)"],
      ["import tools-list.json --prune", "also delete the tools that are not in the list"],
    ],
    run: async ({ words: [files], flags, project, io }) =>
      (await import("./import.ts")).importTools(files, flags, project(), io),
  }),
  declare<[], ConsoleFlags>({
    name: "console",
    summary: "serve a page that shows what agents call, and steers it",
    flags: [
      valued("port", "<number>", portNumber, "port to listen on")
        .default(START_DEFAULTS.consolePort),
      valued("host", "<address>", listenAddress, "address to listen on")
        .default(START_DEFAULTS.host),
      new Option("--open", "open it in the browser"),
    ],
    examples: [
      ["console --open", "watch and steer the servers of this project"],
      ["console --port 9001", "on another port"],
      ["start --console", "beside a server, in the same process"],
    ],
    run: async ({ flags, project, io }) =>
      (await import("./console.ts")).console(flags, project(), io),
  }),
  declare<[string | undefined], { force?: true }>({
    name: "eject",
    summary: "write the fixtures inside the program to disk for editing",
    words: [["[dir]", "the folder; tools/ of the project folder without it", somePath]],
    flags: [new Option("--force", "overwrite files that are there and differ")],
    examples: [
      ["eject", "into tools/ of the project folder, to be served from there"],
      ["eject --force", "the same, over what was edited there"],
      ["eject ./my-tools", "into a folder of your own"],
    ],
    run: async ({ words: [directory], flags, project, io }) =>
      (await import("./eject.ts")).eject(directory, flags.force ?? false, project(), io),
  }),
  declare<[string], ConfigFlags>({
    name: "config",
    summary: "print the configuration of an MCP client, ready to paste",
    words: [[
      "<client>",
      "claude-code, claude-desktop, codex, cursor, vscode, windsurf, chatgpt or inspector",
    ]],
    flags: [
      new Option("--transport <kind>", "how the client connects; its usual way without this")
        .choices(["http", "stdio"] satisfies TransportKind[]),
      {
        flag: "port",
        value: "<number>",
        default: START_DEFAULTS.port,
        parse: knownPort,
        help: "port of the HTTP server",
      },
    ],
    examples: [
      ["config claude-code", "the command that adds the server to Claude Code"],
      ["config codex", "the lines for ~/.codex/config.toml"],
      ["config cursor --transport stdio", "let Cursor start the server itself"],
    ],
    run: async ({ words: [client], flags, project, home, io }) =>
      (await import("./config.ts")).config(client, flags, project(), home, io),
  }),
];

/** A command's words and flags have the types that its declaration makes of them. */
function declare<Words extends readonly unknown[], Flags>(
  declaration: Declaration<Words, Flags>,
): Declaration {
  return declaration as Declaration<never, never> as Declaration;
}

/** A flag with a value that is read, and without a variable. */
function valued(
  flag: string,
  value: string,
  parse: (text: string) => unknown,
  help: string,
): Option {
  return new Option(`--${flag} ${value}`, help).argParser((text: string) =>
    orInvalid(() => parse(text))
  );
}

function forcingFlags(): Option[] {
  return [
    valued("delay", "<duration>", durationText, "let each call wait first, such as 800ms or 3s"),
    valued("times", "<number>", positiveInteger, "for so many calls, then by arguments again"),
  ];
}

/** Has commander say which flag or argument a value does not fit. */
export function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SettingError ? new InvalidArgumentError(error.message) : error;
  }
}
