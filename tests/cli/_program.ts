import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Io } from "../../lib/cli/io.ts";
import type { ToolDefinition } from "../../lib/fixture/fixture.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { programCommand } from "../support/program.ts";
import { type Outcome, outcomeOf } from "../support/outcome.ts";

/** Where and with what the program is run. */
export interface Circumstances {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Whether permission bits bind the program as they bind people, also where root runs it. */
  readonly ordinaryUser?: boolean;
}

/** Takes from root what makes it pass over permission bits. */
export const AS_ORDINARY = [
  "setpriv",
  "--inh-caps=-all",
  "--bounding-set=-dac_override,-dac_read_search",
];

/** The environment of this process without what changes the program's ways. */
function cleanEnvironment(added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const entries = Object.entries(Deno.env.toObject())
    .filter(([name]) => !/^(?:CAREEM_MCP_|NO_COLOR$|FORCE_COLOR$|CLICOLOR)/.test(name));
  return { ...Object.fromEntries(entries), ...added };
}

/**
 * Runs the program with its output in pipes.
 *
 * @param args Its arguments.
 * @param circumstances Folder, environment, standard input.
 * @returns How it ended.
 */
export async function run(
  args: readonly string[],
  { cwd, env, input = "", ordinaryUser = false }: Circumstances = {},
): Promise<Outcome> {
  const prefix = ordinaryUser && Deno.uid() === 0 ? AS_ORDINARY : [];
  const [command, ...flags] = [...prefix, ...programCommand()] as [string, ...string[]];
  const child = new Deno.Command(command, {
    args: [...flags, ...args],
    clearEnv: true,
    env: cleanEnvironment(env),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(cwd !== undefined && { cwd }),
  }).spawn();
  const outcome = await outcomeOf(child, input);
  const { err } = outcome;
  assert(!/\n\s+at .+:\d+:\d+|Uncaught/.test(err), `a stack trace:\n${err}`);
  return outcome;
}

/**
 * Runs the program in a pseudo-terminal, where both streams end up in one.
 *
 * @param args Its arguments.
 * @param columns The terminal's width.
 * @param env Environment variables.
 * @param input What is typed.
 * @returns The exit code and all that the terminal showed, with `\n` line ends.
 */
export async function runInTerminal(
  args: readonly string[],
  columns = 80,
  env: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<{ code: number; text: string }> {
  const line = [...programCommand(), ...args]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", `stty cols ${columns} rows 40; exec ${line}`, "/dev/null"],
    clearEnv: true,
    env: cleanEnvironment({ ...env, SHELL: "/bin/sh" }),
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const typing = input === undefined ? undefined : child.stdin.getWriter();
  await typing?.write(new TextEncoder().encode(input));
  const { code, stdout } = await child.output();
  await typing?.close().catch(() => {});
  return { code, text: new TextDecoder().decode(stdout).replaceAll("\r\n", "\n") };
}

/**
 * Streams that go nowhere, for commands that are called rather than run.
 *
 * @param lines Gets what is written to standard output.
 * @returns The streams.
 */
export function silentIo(lines: string[] = []): Io {
  return {
    out: (line) => lines.push(line),
    err: () => {},
    readInput: () => Promise.resolve(""),
    env: () => undefined,
    outIsTerminal: false,
    errIsTerminal: false,
    columns: 80,
    rows: 24,
  };
}

/** A project folder that goes away with the test. */
export interface TestProject {
  readonly directory: string;
  readonly overrides: string;
  /** The path of a file in it. */
  path(...parts: string[]): string;
  /** Writes a file in it. */
  write(file: string, text: string): string;
  read(file: string): string;
  /** Runs the program on it. */
  run(args: readonly string[], circumstances?: Circumstances): Promise<Outcome>;
  [Symbol.dispose](): void;
}

/**
 * Makes a project folder.
 *
 * @param files Its files by their paths; the small library of this file without it.
 * @returns The project; dispose of it to delete it.
 */
export function makeProject(files: Readonly<Record<string, string>> = LIBRARY): TestProject {
  // The real path: the program shows real paths, and temporary folders may be behind links.
  const directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "careem mcp " }));
  const path = (...parts: string[]): string => join(directory, ...parts);
  const write = (file: string, text: string): string => {
    Deno.mkdirSync(dirname(path(file)), { recursive: true });
    Deno.writeTextFileSync(path(file), text);
    return path(file);
  };
  Deno.mkdirSync(path("tools"));
  for (const [file, text] of Object.entries(files)) write(file, text);
  return {
    directory,
    overrides: path(".run", "overrides.json"),
    path,
    write,
    read: (file) => Deno.readTextFileSync(path(file)),
    run: (args, circumstances) => run([...args, "--project", directory], circumstances),
    [Symbol.dispose]: () => Deno.removeSync(directory, { recursive: true }),
  };
}

/** A scenario of a tool file. */
export interface WrittenScenario {
  readonly name: string;
  readonly match?: JsonObject;
  /** The answer: a value, or a template's text. */
  readonly response?: JsonValue | string;
  /** The same, for an answer with `isError`. */
  readonly error?: JsonValue;
}

/**
 * Writes a tool file.
 *
 * @param definition The definition.
 * @param scenarios The scenarios.
 * @param domain The domain.
 * @returns The file's text.
 */
export function toolFile(
  definition: JsonObject,
  scenarios: readonly WrittenScenario[],
  domain = "food",
): string {
  const block = (kind: string, value: JsonValue): string[] => [
    "",
    `${FENCE}json ${kind}`,
    typeof value === "string" ? value : JSON.stringify(value),
    FENCE,
  ];
  return [
    ...["---", `tool: ${definition.name}`, `domain: ${domain}`, "---", "", "Some prose."],
    ...["", "## Definition", ...block("tool", definition)],
    ...scenarios.flatMap(({ name, match, response, error }) => [
      ...["", `## Scenario: ${name}`],
      ...(match === undefined ? [] : block("match", match)),
      ...(error === undefined ? block("response", response ?? {}) : block("error", error)),
    ]),
    "",
  ].join("\n");
}

export const FENCE = "`".repeat(3);

/** A definition that leaves nothing to wish for. */
export const FIND_DISH: ToolDefinition = {
  name: "food_find_dish",
  title: "Find a dish",
  description: "Finds dishes by name.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "Words to look for." },
      limit: { type: "integer", minimum: 1, default: 5, description: "At most this many." },
    },
    required: ["query"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      dishes: { type: "array", items: { type: "string" } },
      limit: { type: "integer" },
      error: { type: "string" },
    },
    additionalProperties: false,
  },
};

export const TRACK_ORDER: ToolDefinition = {
  name: "order_track",
  title: "Track an order",
  inputSchema: {
    type: "object",
    properties: {
      order_id: { type: "string" },
      place: {
        type: "object",
        properties: { latitude: { type: "number" }, longitude: { type: "number" } },
        required: ["latitude", "longitude"],
      },
    },
    required: ["order_id"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { order: { type: "string" }, near: { type: "boolean" } },
    additionalProperties: false,
  },
};

/** Three honest tools in three domains. */
export const LIBRARY: Readonly<Record<string, string>> = {
  "tools/food/food_find_dish.md": toolFile(FIND_DISH, [
    {
      name: "sushi",
      match: { query: "~sushi" },
      response: '{"dishes": ["Salmon roll"], "limit": {{args.limit}}}',
    },
    {
      name: "all",
      match: { query: "*", limit: 20 },
      response: { dishes: ["Salmon roll", "Kibbeh"] },
    },
    { name: "nothing", response: { dishes: [] } },
    {
      name: "upstream-unavailable",
      response: { error: "failed to find dishes: unexpected response status 503" },
    },
    { name: "unauthorized", error: { error: "unauthorized" } },
  ]),
  "tools/orders/order_track.md": toolFile(TRACK_ORDER, [
    { name: "first", match: { order_id: "ORD-1" }, response: { order: "ORD-1" } },
    { name: "near", match: { place: { latitude: 25.1 } }, response: { near: true } },
    { name: "unknown", response: '{"order": "{{args.order_id}}"}' },
  ], "orders"),
  "tools/pay/pay_show_wallet.md": toolFile(
    { name: "pay_show_wallet", inputSchema: { type: "object" } },
    [{ name: "balance", response: { balance: 12.5 } }],
    "pay",
  ),
};

/** The line of a file that is the first to hold a text, 1-based. */
export function lineOf(file: string, text: string): number {
  const line = file.split(/\r?\n/).findIndex((one) => one.includes(text)) + 1;
  assert(line > 0, `no line holds ${text}`);
  return line;
}

/** Whether a text holds escape sequences. */
export function isColoured(text: string): boolean {
  return text.includes("\u001b[");
}
