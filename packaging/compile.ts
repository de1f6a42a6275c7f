// Builds the executable; `./careem-mcp.sh compile` starts this.
//
// DENORT_BIN names the base executable to build on, where Deno's own cannot be downloaded.

import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BROWSERS } from "../lib/cli/browser.ts";
import { VERSION } from "../lib/cli/program.ts";
import { isOfLibrary, writeEmbedded } from "../lib/store/embedded_files.ts";
import { writeIndex } from "../lib/store/embedded_index.ts";
import { loadFolder } from "../lib/store/folder.ts";
import { listFiles } from "../lib/store/list_files.ts";

const USAGE = `Usage: careem-mcp.sh compile [--target <triple>] [--output <file>]

Builds dist/careem-mcp, the executable that needs nothing else.
--target builds for another system, such as aarch64-apple-darwin, in dist/<triple>/.`;

const ROOT = resolve(import.meta.dirname!, "..");

/** What `initialize` with `tools/list` over stdio needs for its bar, in shares of an empty program. */
const V8_FLAGS = [
  // Functions are compiled when the executable first runs and kept in the runtime's code cache.
  // Compiled one by one as they are called, they would be compiled anew at every start: 0.2.
  "--no-lazy",
  // Megabytes; a server that starts makes few and lasting objects. With the usual size, it collects
  // garbage and finds next to none: 0.1.
  "--min-semi-space-size=16",
];

/** Has Deno's errors in plain words. Backtraces are for those who work on it. */
const PLAIN = { NO_COLOR: "1", RUST_BACKTRACE: "0", RUST_LIB_BACKTRACE: "0" };

/** How long what was built may take to tell its version. */
const TRY_OUT_MS = 30_000;

/** What executables begin with: on Linux, on Windows, on macOS. */
const MAGIC = ["\x7fELF", "MZ", "\xcf\xfa\xed\xfe"];

/** The key under which the bundler keeps a CommonJS module of a package: its path in the cache. */
const CACHED_MODULE = /^( {2}")[^"\n]*\/npm\/[^"/\n]+\/([^"\n]+"\()/gm;

/** The modules that few starts need, as parts of their own; all others become one file. */
const READ_LATER = ["_ajv", "page_files"];

/** What Deno compiles for. */
const TARGETS = [
  "aarch64-apple-darwin",
  "aarch64-pc-windows-msvc",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "x86_64-unknown-linux-gnu",
];

const { target, output } = readFlags();
const base = findBase();
const stage = await Deno.makeTempDir({ prefix: "careem-mcp-" });
try {
  const parts = join(stage, "parts");
  const embedded = join(stage, "embedded");
  await bundle(join(ROOT, "main.ts"), parts, "--code-splitting");
  shortenNames(parts);
  const later = READ_LATER.map((module) => partOf(parts, module));
  const external = later.flatMap((part) => ["--external", `./${part}`]);
  await bundle(join(parts, "main.js"), embedded, "--minify", ...external);
  for (const part of later) await bundle(join(parts, part), embedded, "--minify");
  embedTools(join(embedded, "tools"));
  await compile(embedded);
  const size = (Deno.statSync(outputFile()).size / 1e6).toFixed(1);
  console.log(`${outputFile()} (${size} MB)`);
} catch (error) {
  console.error(`careem-mcp: ${error instanceof Error ? error.message : String(error)}`);
  Deno.exitCode = 1;
} finally {
  await Deno.remove(stage, { recursive: true });
}

function readFlags(): { target: string | undefined; output: string } {
  try {
    const { values } = parseArgs({
      args: Deno.args,
      options: {
        target: { type: "string" },
        output: { type: "string", short: "o" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) {
      console.log(USAGE);
      Deno.exit(0);
    }
    if (values.target !== undefined && !TARGETS.includes(values.target)) {
      throw new Error(`unknown target \`${values.target}\`; known are ${TARGETS.join(", ")}`);
    }
    const folder = join(ROOT, "dist", values.target ?? "");
    return { target: values.target, output: resolve(values.output ?? join(folder, "careem-mcp")) };
  } catch (error) {
    console.error(`careem-mcp: ${(error as Error).message}\nSee: careem-mcp.sh compile --help`);
    Deno.exit(2);
  }
}

/** The executable to build on, or `undefined` for Deno's own. */
function findBase(): string | undefined {
  const path = Deno.env.get("DENORT_BIN");
  if (!path) return undefined;
  const base = resolve(path);
  const problem = problemOfBase(base);
  if (problem === undefined) return base;
  console.error(`careem-mcp: DENORT_BIN names ${path}, ${problem}.`);
  Deno.exit(1);
}

function problemOfBase(path: string): string | undefined {
  try {
    if (!Deno.statSync(path).isFile) return "where there is no file";
    using file = Deno.openSync(path);
    const start = new Uint8Array(4);
    file.readSync(start);
    const text = String.fromCharCode(...start);
    return MAGIC.some((magic) => text.startsWith(magic)) ? undefined : "which is no executable";
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    return missing ? "where there is no file" : "which cannot be read";
  }
}

/** The file that is made: Windows knows an executable by its name. */
function outputFile(): string {
  return isWindows() && !output.endsWith(".exe") ? `${output}.exe` : output;
}

function isWindows(): boolean {
  return target?.includes("windows") ?? Deno.build.os === "windows";
}

/** Bundles a module and what it imports into a folder. */
async function bundle(entry: string, folder: string, ...flags: string[]): Promise<void> {
  await deno(ROOT, "bundle", ...flags, "--outdir", folder, entry);
}

/** Shortens those keys to package, version and file: no path of this machine is to stay in them. */
function shortenNames(folder: string): void {
  for (const { name } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replace(CACHED_MODULE, "$1$2"));
  }
}

/** The part of a module that is imported when it is needed. */
function partOf(folder: string, module: string): string {
  const [part, ...more] = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.startsWith(`${module}-`) && name.endsWith(".js"));
  if (part === undefined || more.length > 0) throw new Error(`${module} is not a part of its own`);
  return part;
}

/** Packs the tool files, all of which must be usable, and writes the index that a start reads. */
function embedTools(folder: string): void {
  const tools = join(ROOT, "tools");
  for (const file of listFiles(tools).filter(isOfLibrary)) {
    Deno.mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeEmbedded(join(folder, file), Deno.readFileSync(join(tools, file)));
  }
  writeIndex([...loadFolder(tools).values()], tools, folder);
}

async function compile(embedded: string): Promise<void> {
  const { permissions, unstable } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
  // Names of one system are no whole paths on the other, so that they would be looked for.
  if (isWindows()) permissions.default.run = [BROWSERS.windows];
  Deno.writeTextFileSync(join(embedded, "deno.json"), JSON.stringify({ permissions, unstable }));
  const made = mkdirSync(dirname(output), { recursive: true });
  try {
    await deno(
      embedded,
      "compile",
      "--permission-set",
      "--no-prompt",
      ...["--no-lock", "--no-npm", "--no-remote"],
      `--v8-flags=${V8_FLAGS.join(",")}`,
      ...["--include", "tools"],
      ...(target === undefined ? [] : ["--target", target]),
      ...["--output", output, "main.js"],
    );
    await tryOut();
  } catch (error) {
    if (made !== undefined) Deno.removeSync(made, { recursive: true });
    throw error;
  }
}

/** Starts what was made, where it can be: on a base of another Deno, what is made cannot start. */
async function tryOut(): Promise<void> {
  if (target !== undefined && target !== Deno.build.target) return;
  const said = await new Deno.Command(outputFile(), {
    args: ["--version"],
    // The runtime keeps compiled functions in the folder for temporary files, from the first start
    // on, which is to be its user's.
    env: { ...PLAIN, TMPDIR: stage, TMP: stage, TEMP: stage },
    signal: AbortSignal.timeout(TRY_OUT_MS),
  }).output().then(
    ({ stdout, stderr, code }) => decoded(stdout) || decoded(stderr) || `(exit code ${code})`,
    String,
  );
  if (said === VERSION) return;
  Deno.removeSync(outputFile());
  const blame = base === undefined ? "" : `, so ${base} is no base for Deno ${Deno.version.deno}`;
  throw new Error(`what was built does not start${blame}. It said:\n${said}`);
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trimEnd();
}

/** Runs the Deno that runs this. */
async function deno(cwd: string, command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [command, "--quiet", ...args],
    cwd,
    env: { ...PLAIN, ...(base !== undefined && { DENORT_BIN: base }) },
  }).output();
  if (success) return;
  const hint = command === "compile" && base === undefined
    ? "\nWhere Deno's base cannot be downloaded, name one that is there: DENORT_BIN=<file>"
    : "";
  throw new Error(`\`deno ${command}\` failed:\n${decoded(stderr)}${hint}`);
}
