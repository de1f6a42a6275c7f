// Measures how long the executable takes to start, beside an empty program on the same base:
// `deno run -A tests/executable/measure_start.ts [rounds]`. See docs/PERFORMANCE.md.

import { join } from "node:path";
import * as messages from "../support/messages.ts";
import { buildExecutable, compileProgram, findCompiler } from "./_build.ts";

/** One thing to measure: from the start of the process until it has done its part. */
interface Course {
  readonly name: string;
  readonly args: readonly string[];
  /** What is written to it at once. */
  readonly input?: string;
  /** Which stream says that it is done, and how; without it, when the process has ended. */
  readonly until?: { readonly stream: "stdout" | "stderr"; readonly text: string };
}

const INITIALIZE = `${JSON.stringify(messages.INITIALIZE)}\n`;
const LIST = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n';
const CALL = `${
  JSON.stringify({
    jsonrpc: "2.0",
    id: 3,
    method: "tools/call",
    params: { name: "reverse_geocode", arguments: { latitude: 25.0866, longitude: 55.1474 } },
  })
}\n`;

const COURSES: readonly Course[] = [
  {
    name: "initialize over stdio",
    args: ["--stdio"],
    input: INITIALIZE,
    until: { stream: "stdout", text: '"id":1' },
  },
  {
    name: "initialize and tools/list over stdio",
    args: ["--stdio"],
    input: INITIALIZE + LIST,
    until: { stream: "stdout", text: '"id":2' },
  },
  {
    name: "initialize and a first call over stdio",
    args: ["--stdio"],
    input: INITIALIZE + CALL,
    until: { stream: "stdout", text: '"id":3' },
  },
  {
    name: "listening over HTTP",
    args: ["--port", "0"],
    until: { stream: "stderr", text: "/health" },
  },
  { name: "scenario <tool> <name>", args: ["scenario", "ride_book", "no-captains"] },
  { name: "--version", args: ["--version"] },
];

/** How many copies of each program take turns: how a file lies in memory makes a tenth, and chance. */
const COPIES = 5;

const rounds = Number(Deno.args[0] ?? 30);
const compiler = await findCompiler();
if (compiler === undefined) Deno.exit(1);
const folder = await Deno.makeTempDir();
try {
  Deno.writeTextFileSync(join(folder, "empty.ts"), "");
  const empty = join(folder, "empty");
  await compileProgram(compiler, join(folder, "empty.ts"), empty);
  const executable = await buildExecutable(compiler);
  const folders = Array.from({ length: COPIES }, (_, nth) => join(folder, `${nth}`));
  for (const copies of folders) {
    Deno.mkdirSync(copies);
    Deno.copyFileSync(empty, join(copies, "empty"));
    Deno.copyFileSync(executable, join(copies, "careem-mcp"));
  }
  const programs: [Course, string][] = [
    [{ name: "an empty program, started and ended", args: [] }, "empty"],
    ...COURSES.map((course): [Course, string] => [course, "careem-mcp"]),
  ];
  const times = programs.map((): number[] => []);
  // The first round with each copy brings it to memory, the very first fills the runtime's code
  // cache, and they do not count. The order changes, since what ends still frees its memory while
  // the next one starts.
  for (let round = 0; round < COPIES + rounds; round++) {
    const copies = folders[round % COPIES]!;
    for (const [nth, [course, program]] of shuffled([...programs.entries()])) {
      const time = await measure(join(copies, program), course, copies);
      if (round >= COPIES) times[nth]!.push(time);
    }
  }
  const base = median(times[0]!);
  for (const [nth, [{ name }]] of programs.entries()) {
    const time = median(times[nth]!);
    console.log(`${name.padEnd(40)} ${time.toFixed(1)} ms  ${(time / base).toFixed(2)}`);
  }
  const [size, emptySize] = [Deno.statSync(executable).size, Deno.statSync(empty).size];
  console.log(
    `size: ${size} bytes, an empty program ${emptySize}: ${(size / emptySize).toFixed(3)}`,
  );
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measure(
  program: string,
  { args, input, until }: Course,
  cwd: string,
): Promise<number> {
  // What has ended lets go of its memory for a while.
  await new Promise((resolve) => setTimeout(resolve, 15));
  const started = performance.now();
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    stdin: input === undefined ? "null" : "piped",
    stdout: until?.stream === "stdout" ? "piped" : "null",
    stderr: until?.stream === "stderr" ? "piped" : "null",
  }).spawn();
  const writer = input === undefined ? undefined : child.stdin.getWriter();
  await writer?.write(new TextEncoder().encode(input));
  const reader = until && child[until.stream].getReader();
  if (reader === undefined) await child.status;
  else await reads(reader, until!.text);
  const time = performance.now() - started;
  if (until !== undefined) child.kill("SIGKILL");
  await child.status;
  await reader?.cancel();
  await writer?.close().catch(() => {});
  return time;
}

async function reads(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  text: string,
): Promise<void> {
  const decoder = new TextDecoder();
  let read = "";
  while (!read.includes(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended without ${text}:\n${read}`);
    read += decoder.decode(value, { stream: true });
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function shuffled<Item>(items: Item[]): Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}
