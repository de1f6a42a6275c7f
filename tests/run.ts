// Runs every check of the project and closes with `N passed, N failed[, N skipped]`.
// `./careem-mcp.sh test` starts it; arguments are passed on to `deno test` (say, --filter menu).
// `--quick` as the first one leaves out what starts processes: seconds rather than minutes.

/** What one check contributed. */
interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What tests need beside the program has a configuration and a lock file of its own. */
const OF_TESTS = ["--config", "tests/deno.json", "--frozen"];

/** The rooms whose tests need no process and no network, and the wire: what `quick` runs. */
const QUICK = [
  "go",
  "template",
  "fixture",
  "scenario",
  "schema",
  "control",
  "store",
  "mcp",
  "wire",
];

const quick = Deno.args[0] === "--quick";
const tests = quick ? QUICK.map((room) => `tests/${room}`) : ["tests"];
const flags = quick ? Deno.args.slice(1) : Deno.args;

const checks: readonly [name: string, args: readonly string[]][] = [
  ["format", ["fmt", "--check", "--quiet"]],
  ["lint", ["lint", "--quiet"]],
  ["types of the program", ["check", "--quiet", "--frozen", "main.ts", "lib", "packaging"]],
  ["types of what runs in a browser", [
    ...["check", "--quiet", "--config", "lib/console/page/deno.json"],
    ...["lib/console/page", "tests/browser/_in_page.js"],
  ]],
  ["types of the tests", ["check", "--quiet", ...OF_TESTS, "tests"]],
  ["examples in the documentation comments", [
    ...["test", "-A", "--reporter=dot", ...OF_TESTS],
    ...["--doc", "lib", "packaging"],
  ]],
  ["tests", ["test", "-A", "--parallel", "--reporter=dot", ...OF_TESTS, ...flags, ...tests]],
];

/** The line in which `deno test` counts; what a test prints may hold one of another run. */
const CLOSING = /^(?:ok|FAILED) \| (\d+) passed.*?\| (\d+) failed(?:.*?\| (\d+) ignored)?/gm;

let total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const [name, args] of checks) {
  console.log(`\n— ${name}`);
  const started = performance.now();
  const count = args[0] === "test" ? await runTests(args) : await runCheck(args);
  total = add(total, count);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`— ${name}: ${summary(count)} (${seconds} s)`);
}
console.log(`\n${summary(total)}`);
Deno.exit(total.failed === 0 ? 0 : 1);

async function runCheck(args: readonly string[]): Promise<Count> {
  const { success } = await run(args);
  return { passed: success ? 1 : 0, failed: success ? 0 : 1, skipped: 0 };
}

/** Counts what `deno test` counted; a run that ends without its closing line has failed. */
async function runTests(args: readonly string[]): Promise<Count> {
  const { success, output } = await run(args);
  const closing = [...output.matchAll(CLOSING)].at(-1);
  if (closing === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const [passed = 0, failed = 0, skipped = 0] = closing.slice(1).map((text) => Number(text ?? 0));
  // A leak or an error outside any test fails the run without failing a test.
  return { passed, failed: success ? failed : Math.max(failed, 1), skipped };
}

/** Runs Deno, showing its output as it comes. */
async function run(args: readonly string[]): Promise<{ success: boolean; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    // Tests wait for what they started for a third of their time.
    env: { NO_COLOR: "1", DENO_JOBS: String(navigator.hardwareConcurrency + 1) },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  const show = async (
    stream: ReadableStream<Uint8Array>,
    to: typeof Deno.stdout,
  ): Promise<void> => {
    for await (const chunk of stream) {
      to.writeSync(chunk);
      output += new TextDecoder().decode(chunk);
    }
  };
  await Promise.all([show(child.stdout, Deno.stdout), show(child.stderr, Deno.stderr)]);
  return { success: (await child.status).success, output };
}

function add(a: Count, b: Count): Count {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

function summary({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed` + (skipped > 0 ? `, ${skipped} skipped` : "");
}
