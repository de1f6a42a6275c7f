import assert from "node:assert/strict";
import { CHECKS } from "../../lib/check/finding.ts";
import { ROOT } from "../support/program.ts";
import type { Outcome } from "../support/outcome.ts";
import { isColoured, run, runInTerminal } from "./_program.ts";

const COMMANDS = [
  "start",
  "scenarios",
  "scenario",
  "fault",
  "reset",
  "calls",
  "verify",
  "check",
  "call",
  "import",
  "eject",
  "config",
];

Deno.test("--help lists every command with an example, and is what `help` prints", async () => {
  const [flag, word, short, twice] = await Promise.all(
    [["--help"], ["help"], ["-h"], ["help", "help"]].map((args) => run(args)),
  ) as [Outcome, Outcome, Outcome, Outcome];
  assert.equal(flag.code, 0);
  assert.equal(flag.err, "");
  for (const command of COMMANDS) {
    assert.match(flag.out, new RegExp(`^  ${command} `, "m"), command);
  }
  assert.match(flag.out, /\n\nExamples:\n {2}# .+\n {2}careem-mcp\n/);
  assert.deepEqual([word, short, twice], [flag, flag, flag]);
});

Deno.test("each command has help with examples of itself, and all of it is in docs/CLI.md", async () => {
  const manual = Deno.readTextFileSync(`${ROOT}docs/CLI.md`);
  for (const check of CHECKS) assert.match(manual, new RegExp(`^\\|[^|]*\`${check}\``, "m"));
  await Promise.all(COMMANDS.map(async (command) => {
    const { code, out, err } = await run([command, "--help"]);
    assert.deepEqual([code, err], [0, ""], command);
    assert.match(out, new RegExp(`^Usage: careem-mcp ${command} `), command);
    assert.deepEqual(
      [...out.matchAll(/^\w.*:$/gm)].map(([title]) => title)
        .filter((title) => title !== "Arguments:"),
      ["Options:", "Project options:", "Examples:"],
      command,
    );
    assert.match(
      out,
      new RegExp(`\n\nExamples:\n(?:  # .+\n  careem-mcp ${command}.*\n)+$`),
      command,
    );
    for (const flag of ["--project", "--tools", "--overrides", "--calls"]) {
      assert(out.includes(flag), command);
    }
    assert(manual.includes(`careem-mcp ${command}`), `docs/CLI.md has no example of ${command}`);
    for (const [word] of out.matchAll(/(?<![\w-])--[a-z][a-z-]+|CAREEM_MCP_[A-Z_]+/g)) {
      assert(manual.includes(word), `docs/CLI.md does not speak of ${word}`);
    }
    assert(
      out.split("\n").filter((line) => !line.startsWith("  careem-mcp"))
        .every((line) => line.length <= 80),
      `${command} is wider than 80 columns`,
    );
  }));
});

Deno.test("--version prints the version alone", async () => {
  const { version } = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));
  assert.deepEqual(await run(["--version"]), { code: 0, out: `${version}\n`, err: "" });
});

Deno.test("slips in the names of commands and flags are told what was meant, with exit code 2", async () => {
  const cases: [string[], RegExp][] = [
    [["scenaros"], /^careem-mcp: unknown command `scenaros`, did you mean `scenarios`\?\n/],
    [
      ["chekc", "--json"],
      /unknown command `chekc`, did you mean `check`\?\nSee: careem-mcp --help/,
    ],
    [["help", "resett"], /unknown command `resett`, did you mean `reset`\?/],
    [["test"], /^careem-mcp: unknown command `test`\nSee: careem-mcp --help\n$/],
    [["serve"], /unknown command `serve`, did you mean `start`\?/],
    [["list"], /unknown command `list`, did you mean `scenarios`\?/],
    [["version"], /unknown command `version`, did you mean `--version`\?/],
    [["xyzzy"], /^careem-mcp: unknown command `xyzzy`\nSee: careem-mcp --help\n$/],
    [
      ["--prot", "1"],
      /unknown option `--prot`, did you mean `--port`\?\nSee: careem-mcp start --help/,
    ],
    [
      ["check", "--jsno"],
      /unknown option `--jsno`, did you mean `--json`\?\nSee: careem-mcp check --/,
    ],
  ];
  await Promise.all(cases.map(async ([args, message]) => {
    const { code, out, err } = await run(args);
    assert.equal(code, 2, args.join(" "));
    assert.equal(out, "", args.join(" "));
    assert.match(err, message, args.join(" "));
  }));
});

Deno.test("wrong usage is told in two lines and ends with exit code 2", async () => {
  const cases: [string[], RegExp][] = [
    [["verify"], /missing required argument `tool`/],
    [["fault", "*", "hung"], /unknown fault `hung`, did you mean `hang`\?\nKnown are: hang, drop/],
    [["scenario", "/", "near"], /`\/` is for requests, .+\n.+ careem-mcp fault \/ <kind>/],
    [["calls", "sho"], /unknown action `sho`, did you mean `show`\?/],
    [["calls", "--limit", "0"], /Give a whole number above zero/],
    [["scenario", "a", "b", "--delay", "3"], /Give a duration such as 800ms/],
    [["verify", "a", "--times", "1", "--at-most", "2"], /--times says it all/],
    [["start", "reset"], /too many arguments for `start`/],
    [["--json", "--port", "1"], /unknown option `--json`/],
    [["--tools", "/a b", "reset"], /comes first.+\nWrite: careem-mcp reset --tools '\/a b'\n/],
    [["--json", "scenarios"], /the command comes first, .+\nWrite: careem-mcp scenarios --json\n/],
    [["--port", "9", "scenarios"], /the command comes first, .+\nSee: careem-mcp scenarios --help/],
    [["--quiet", "check", "--json"], /the command comes first, .+\nSee: careem-mcp check --help\n/],
    [["--name", "check", "--jsno"], /unknown option `--jsno`/],
    [["--host", ""], /Give an address such as 127\.0\.0\.1/],
    [["--allow-host", "*.a.test"], /A name has no wildcards/],
    [["--allow-origin", "a.test"], /Give an origin such as https:/],
    [["--tools", ""], /Give a path; \. is the current folder/],
    [["check", "--project", ""], /Give a path/],
    [["reset", "--overrides="], /Give a path/],
    [["eject", ""], /`` is invalid for argument `dir`\. Give a path/],
    [["import", ""], /Give a path/],
    [["--port", "70000"], /`70000` is invalid\. Give a number from 0 \(any free port\) to 65535\./],
    [["--log", "xml"], /`xml` is invalid\. Allowed choices are text, json/],
    [["--port"], /option `--port <number>` argument missing/],
    [["--session-idle", "soon"], /Give a duration such as 30m or 1h30m/],
    [["--widget-domain", "careem.com"], /Give an origin such as https:/],
    [["config", "--port", "0", "cursor"], /Give a number from 1 to 65535/],
  ];
  await Promise.all(cases.map(async ([args, message]) => {
    const { code, out, err } = await run(args);
    assert.equal(code, 2, `${args.join(" ")}: ${err}`);
    assert.equal(out, "");
    assert.match(err, message);
    assert.equal(err.trimEnd().split("\n").length, 2, err);
    assert(err.startsWith("careem-mcp: "), err);
  }));
});

Deno.test("an environment variable sets a flag, a flag wins, an empty variable is none", async () => {
  const bad = await run(["--quiet"], { env: { CAREEM_MCP_PORT: "x" } });
  assert.equal(bad.code, 2);
  assert.match(bad.err, /value `x` from env `CAREEM_MCP_PORT` is invalid/);
  const args = ["config", "cursor"];
  const port = async (more: string[], env: string): Promise<string | undefined> =>
    /127\.0\.0\.1:(\d+)/.exec(
      (await run([...args, ...more], { env: { CAREEM_MCP_PORT: env } })).out,
    )
      ?.[1];
  assert.deepEqual(
    await Promise.all([port([], "9001"), port(["--port", "9002"], "9001"), port([], "")]),
    ["9001", "9002", "8787"],
  );
});

Deno.test("help is coloured on a terminal, and never with NO_COLOR or in a pipe", async () => {
  const [terminal, bare, pipe, forced] = await Promise.all([
    runInTerminal(["--help"]),
    runInTerminal(["--help"], 80, { NO_COLOR: "1" }),
    run(["--help"]),
    run(["--help"], { env: { NO_COLOR: "1", FORCE_COLOR: "1" } }),
  ]);
  assert.equal(terminal.code, 0);
  assert(isColoured(terminal.text));
  assert.deepEqual([bare.text, pipe.out, forced.out].map(isColoured), [false, false, false]);
  assert.equal(bare.text, pipe.out);
  assert(isColoured((await run(["--help"], { env: { FORCE_COLOR: "1" } })).out));
});

Deno.test("help fits the terminal's width", async () => {
  const { text } = await runInTerminal(["scenarios", "--help"], 64, { NO_COLOR: "1" });
  const prose = text.split("\n").filter((line) => !line.startsWith("  careem-mcp"));
  assert(prose.every((line) => line.length <= 64), text);
  assert(prose.some((line) => line.length > 56), text);
});

Deno.test("a terminal that does not tell its width counts as one of 80 columns", async () => {
  const [unknown, usual] = await Promise.all(
    [0, 80].map((columns) => runInTerminal(["--help"], columns, { NO_COLOR: "1" })),
  );
  assert.deepEqual(unknown, usual);
});
