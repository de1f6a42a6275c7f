import assert from "node:assert/strict";
import { programCommand, ROOT } from "../support/program.ts";
import {
  FIND_DISH,
  isColoured,
  lineOf,
  makeProject,
  run,
  runInTerminal,
  toolFile,
} from "./_program.ts";

Deno.test("`check` of honest tool files says so and ends with 0", async () => {
  using project = makeProject();
  assert.deepEqual(await project.run(["check"]), {
    code: 0,
    out: "",
    err: "3 tools, 9 scenarios: no findings\n",
  });
  assert.deepEqual(JSON.parse((await project.run(["check", "--json"])).out), {
    ok: true,
    tools: 3,
    scenarios: 9,
    findings: [],
  });
});

Deno.test("the library that comes with the program is honest", async () => {
  const { code, out, err } = await run(["check", "--project", ROOT]);
  assert.deepEqual([code, out], [0, ""], err);
});

Deno.test("findings are listed as file:line: message and as JSON, and end with 1", async () => {
  using project = makeProject();
  const file = "tools/food/food_bad.md";
  project.write(
    file,
    toolFile({ ...FIND_DISH, name: "food_bad" }, [
      { name: "odd", response: { dishes: "none" } },
    ]),
  );
  project.write("tools/broken.md", "");
  project.write(".run/overrides.json", '{\n  "food_bad": "gone"\n}');
  const line = lineOf(project.read(file), "## Scenario: odd");
  const misfit = "its answer does not fit `outputSchema`: validating root: validating " +
    '/properties/dishes: type: none has type "string", want "array"; mend the answer, or the schema';
  const nothing = "`food_bad` has no scenario `gone`, so the entry does nothing";
  const broken = "no frontmatter; start the file with `---`, `tool: <name>` and `---` lines";

  const [near, far, json] = await Promise.all([
    project.run(["check"], { cwd: project.directory }),
    project.run(["check"]),
    project.run(["check", "--json"], { cwd: project.directory }),
  ]);
  assert.equal(near.code, 1);
  assert.equal(
    near.out,
    [
      `tools/broken.md:1: ${broken}`,
      `${file}:${line}: scenario \`odd\`: ${misfit}`,
      `.run/overrides.json:2: ${nothing}`,
      "",
    ].join("\n"),
  );
  assert.equal(near.err, "4 tools, 10 scenarios: 3 findings\n");
  assert(far.out.includes(`\n${project.path(file)}:${line}: scenario`), far.out);
  assert.deepEqual([json.code, json.err], [1, ""]);
  assert.deepEqual(JSON.parse(json.out), {
    ok: false,
    tools: 4,
    scenarios: 10,
    findings: [
      {
        file: project.path("tools/broken.md"),
        line: 1,
        rule: "parse",
        tool: null,
        scenario: null,
        message: broken,
      },
      {
        file: project.path(file),
        line,
        rule: "output",
        tool: "food_bad",
        scenario: "odd",
        message: misfit,
      },
      {
        file: project.overrides,
        line: 2,
        rule: "override",
        tool: "food_bad",
        scenario: null,
        message: nothing,
      },
    ],
  });
});

Deno.test("`check --tools` looks at any folder", async () => {
  using project = makeProject();
  project.write(
    "other/a.md",
    toolFile({ name: "a", inputSchema: { type: "object" } }, [
      { name: "rest", response: { text: "sandbox" } },
    ]),
  );
  const { code, out, err } = await run(["check", "--tools", "other"], { cwd: project.directory });
  assert.equal(code, 1);
  assert.match(out, /^other\/a\.md:\d+: scenario `rest`: the answer has the word "sandbox" at/);
  assert.match(err, /^1 tool, 1 scenario: 1 finding\n/);
});

Deno.test("an overrides file that cannot be read is a finding", async () => {
  using project = makeProject();
  Deno.mkdirSync(project.overrides, { recursive: true });
  const { code, out } = await project.run(["check"]);
  assert.equal(code, 1);
  const reason = "cannot be read, so nothing is forced: it is a folder";
  assert.equal(out, `${project.overrides}:1: ${reason}\n`);
});

Deno.test("in a terminal only the closing line is coloured, so that places can be clicked", async () => {
  using project = makeProject({
    "tools/a.md": toolFile({ name: "a", inputSchema: { type: "object" } }, [
      { name: "rest", response: { text: "fake" } },
    ]),
  });
  const { code, text } = await runInTerminal(["check", "--project", project.directory]);
  assert.equal(code, 1);
  const lines = text.trimEnd().split("\n");
  assert.deepEqual(lines.map(isColoured), [false, true], text);
});

Deno.test("an empty or a missing folder is one line, or as JSON a finding", async () => {
  using project = makeProject({});
  for (const name of ["tools", "nowhere"]) {
    const folder = project.path(name);
    const [text, json] = await Promise.all([
      run(["check", "--tools", folder]),
      run(["check", "--tools", folder, "--json"]),
    ]);
    assert.deepEqual([text.code, text.out], [1, ""]);
    assert(text.err.startsWith("careem-mcp: ") && text.err.includes(folder), text.err);
    assert.doesNotMatch(text.err, /:1:|above/);
    assert.deepEqual([json.code, json.err], [1, ""]);
    const { ok, tools, scenarios, findings: [finding, ...more] } = JSON.parse(json.out);
    assert.deepEqual([ok, tools, scenarios, more], [false, 0, 0, []]);
    assert.deepEqual([finding.file, finding.line, finding.rule], [folder, 1, "parse"]);
    assert.match(finding.message, /no tool file|there is no folder/);
  }
  const { out } = await run(["check", "--json", "--project", project.path("nowhere")]);
  assert.equal(JSON.parse(out).findings[0].file, project.path("nowhere"));
});

Deno.test("output that cannot be written is a failure; a reader that has read enough is none", async () => {
  using project = makeProject();
  const piped = async (command: string): Promise<{ code: number; out: string; err: string }> => {
    const { code, stdout, stderr } = await new Deno.Command("bash", {
      args: ["-c", `set -o pipefail; ${command}`, "bash", ...programCommand()],
      env: { PROJECT: project.directory, NO_COLOR: "1" },
    }).output();
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    return { code, out: text(stdout), err: text(stderr) };
  };
  const full = await piped('"$@" check --json --project "$PROJECT" >/dev/full');
  assert.deepEqual([full.code, full.err], [
    1,
    "careem-mcp: standard output cannot be written to: no space is left on the device\n",
  ]);
  const read = await piped('{ sleep 1; "$@" scenarios --project "$PROJECT"; } | head -c 0');
  assert.deepEqual([read.code, read.err], [0, ""]);
});

Deno.test("`check` holds a folder to its coherence.json, and lets words through that are allowed", async () => {
  using project = makeProject();
  project.write(
    "tools/coherence.json",
    '{"entities": {"dish": {"stated": {"in": "food_find_dish", "at": "no.such.id"}}}}',
  );
  const incoherent = await project.run(["check"], { cwd: project.directory });
  assert.deepEqual(
    [incoherent.code, incoherent.out],
    [1, "tools/coherence.json:1: no answer shows a dish at no.such.id\n"],
  );
  project.write("tools/coherence.json", "{}");
  project.write(
    "tools/drinks.md",
    toolFile({ ...FIND_DISH, name: "drinks" }, [
      { name: "menu", response: { dishes: ["Mocktail"] } },
    ]),
  );
  const banned = await project.run(["check"], { cwd: project.directory });
  assert.equal(banned.code, 1);
  assert.match(banned.out, /Mocktail.*--allow-word/s);
  assert.equal((await project.run(["check", "--allow-word", "Mocktail"])).code, 0);
});

Deno.test("`check --watch` checks again when a file changes", async () => {
  using project = makeProject();
  const [command, ...args] = programCommand();
  const child = new Deno.Command(command, {
    args: [...args, "check", "--watch", "--project", project.directory],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  const until = async (text: string): Promise<void> => {
    while (!seen.includes(text)) seen += (await reader.read()).value ?? "";
  };
  await until("no findings");
  project.write("tools/broken.md", "");
  await until("1 finding");
  child.kill();
  while (!(await reader.read()).done);
  await child.stdout.cancel();
  await child.status;
});
