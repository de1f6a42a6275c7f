import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../support/program.ts";

/** What makes executables here. */
export interface Compiler {
  /** Deno's own executable. */
  readonly deno: string;
  /** The executable to build on, where Deno's own base cannot be downloaded. */
  readonly base: string | undefined;
}

/**
 * A base for tests only, where Deno's own cannot be fetched: any compiled program serves as one, and
 * this one comes from npm. Its very bytes are pinned, since they are run here.
 */
const NPM_BASE = {
  package: "@mcp-stress/linux-x64",
  version: "0.2.1",
  file: "bin/mcp-stress",
  sha256: "257898aee9a507fd3a899a902c465223f4554da362e813132f024570a545edb7",
};
/** The newest Deno that can build on it. */
const NPM_DENO = "2.8.3";

const FOLDER = join(ROOT, "dist", "test");

/**
 * Finds a way to make executables: what DENORT_BIN names, Deno's own base, or one from npm.
 *
 * @returns The compiler, or `undefined` when there is none, which is told on stderr.
 */
export async function findCompiler(): Promise<Compiler | undefined> {
  const given = Deno.env.get("DENORT_BIN");
  if (given) return { deno: Deno.execPath(), base: given };
  if (await isOwnBaseThere()) return { deno: Deno.execPath(), base: undefined };
  if (Deno.build.target === "x86_64-unknown-linux-gnu") {
    try {
      const compiler = await compilerFromNpm();
      say(
        `The executable is built on ${NPM_BASE.package} ${NPM_BASE.version} from npm (SHA-256 as`,
      );
      say("pinned), since Deno's own base cannot be fetched here. Releases are never built on it.");
      return compiler;
    } catch (error) {
      say(`${NPM_BASE.package}: ${error instanceof Error ? error.message : error}`);
    }
  }
  say(
    "\n*** THE EXECUTABLE IS NOT TESTED: there is no base to build it on. ***\n" +
      "*** Name one with DENORT_BIN, or let this machine reach dl.deno.land.  ***\n",
  );
  return undefined;
}

/**
 * Builds this checkout's executable as its users do, unless it was built already.
 *
 * @param compiler What to build with.
 * @returns The executable.
 */
export async function buildExecutable(compiler: Compiler): Promise<string> {
  Deno.mkdirSync(FOLDER, { recursive: true });
  const executable = join(FOLDER, "careem-mcp");
  const stamp = join(FOLDER, "careem-mcp.stamp");
  const current = fingerprint(compiler);
  const isCurrent = existsSync(executable) && existsSync(stamp) &&
    Deno.readTextFileSync(stamp) === current;
  if (!isCurrent) {
    await run(join(ROOT, "careem-mcp.sh"), ["compile", "--output", executable], {
      DENO: compiler.deno,
      ...(compiler.base !== undefined && { DENORT_BIN: compiler.base }),
    });
    Deno.writeTextFileSync(stamp, current);
  }
  return executable;
}

/**
 * Compiles a program with the flags and permissions of the executable.
 *
 * @param compiler What to compile with.
 * @param source The program.
 * @param output The executable to make.
 */
export async function compileProgram(
  compiler: Compiler,
  source: string,
  output: string,
): Promise<void> {
  const flags = ["--config", join(ROOT, "deno.json"), "--permission-set", "--no-prompt"];
  await run(
    compiler.deno,
    ["compile", "--quiet", ...flags, "--no-lock", "--no-npm", "--output", output, source],
    compiler.base === undefined ? {} : { DENORT_BIN: compiler.base },
  );
}

/** Writes to stderr past the test runner, some of whose reporters show no output of tests. */
function say(text: string): void {
  try {
    Deno.writeTextFileSync("/dev/stderr", `${text}\n`, { append: true });
  } catch {
    console.error(text);
  }
}

/** Runs a command to its end and gives what it wrote to stdout. */
async function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], env })
    .output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`${command} ${args.join(" ")} failed:\n${text(stderr)}`);
  return text(stdout);
}

async function isOwnBaseThere(): Promise<boolean> {
  const url = `https://dl.deno.land/release/v${Deno.version.deno}/denort-${Deno.build.target}.zip`;
  try {
    const response = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    return response.ok;
  } catch {
    return false;
  }
}

async function compilerFromNpm(): Promise<Compiler> {
  Deno.mkdirSync(FOLDER, { recursive: true });
  const base = join(FOLDER, `base-${NPM_BASE.version}`);
  if (!existsSync(base)) {
    const spec = `${NPM_BASE.package}@${NPM_BASE.version}`;
    const archive = await run("npm", ["pack", "--silent", "--pack-destination", FOLDER, spec]);
    const path = join(FOLDER, archive.trim());
    const unpacked = join(FOLDER, "package", NPM_BASE.file);
    await run("tar", ["-xzf", path, "-C", FOLDER, `package/${NPM_BASE.file}`]);
    Deno.renameSync(unpacked, base);
    Deno.removeSync(path);
    Deno.removeSync(join(FOLDER, "package"), { recursive: true });
  }
  const hash = createHash("sha256").update(Deno.readFileSync(base)).digest("hex");
  if (hash !== NPM_BASE.sha256) {
    Deno.removeSync(base);
    throw new Error(`its SHA-256 is ${hash}, not the pinned ${NPM_BASE.sha256}`);
  }
  return { deno: await denoForNpmBase(), base };
}

/** The Deno that runs this, unless it is too new for the base. */
async function denoForNpmBase(): Promise<string> {
  const newest = NPM_DENO.split(".").map(Number);
  const [major = 0, minor = 0, patch = 0] = Deno.version.deno.split(".").map(Number);
  const isOlder = major === newest[0]! &&
    (minor < newest[1]! || (minor === newest[1]! && patch <= newest[2]!));
  if (isOlder) return Deno.execPath();
  const printPath = ["--yes", `deno@${NPM_DENO}`, "eval", "console.log(Deno.execPath())"];
  return (await run("npx", printPath)).trim();
}

/** Tells one state of everything that goes into the executable from another. */
function fingerprint({ deno, base = "" }: Compiler): string {
  const hash = createHash("sha256").update(`${deno}\n${base}\n`);
  for (const name of ["main.ts", "deno.json", "deno.lock", "lib", "packaging", "tools"]) {
    for (const path of filesBelow(join(ROOT, name))) {
      hash.update(`${relative(ROOT, path)}\n`).update(Deno.readFileSync(path));
    }
  }
  return hash.digest("hex");
}

function filesBelow(path: string): string[] {
  if (!Deno.statSync(path).isDirectory) return [path];
  const names = [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  return names.flatMap((name) => filesBelow(join(path, name)));
}
