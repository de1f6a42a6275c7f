import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import { run } from "../cli/_program.ts";
import { programCommand, startServer } from "../support/program.ts";
import { SAVES, startStorm } from "./_storm.ts";
import { makeToolFolder, probeText } from "./_tools.ts";
import { initialize, messageOf, post, toolCall } from "./_wire.ts";

const STORM_MS = 2000;
const INTERNAL = "internal server error";

/** What a call was answered with: what the scenario says of itself, or the error. */
type Answer = { version: number; scenario: string } | typeof INTERNAL;

async function call(port: number, session: string, args: JsonObject = {}): Promise<Answer> {
  const request = toolCall({ name: "probe", arguments: args });
  const { status, body } = await post(port, request, { "mcp-session-id": session });
  assert.equal(status, 200);
  const { content, structuredContent, isError } = messageOf(body).result as {
    content: [{ text: string }];
    structuredContent?: { version: number; scenario: string };
    isError: boolean;
  };
  if (isError) {
    assert.equal(content[0].text, INTERNAL);
    return INTERNAL;
  }
  assert.equal(content[0].text, JSON.stringify(structuredContent));
  return structuredContent!;
}

/** A call during a storm: what was saved when it came in and when it was answered. */
interface Observation {
  readonly done: number;
  readonly begun: number;
  readonly answer: Answer;
}

/**
 * Calls the tool from four sessions at once while its file is saved again and again.
 *
 * @returns The calls during which no save was halted, and the number of the last save.
 */
async function observe(
  port: number,
  path: string,
  texts: readonly string[],
  args: JsonObject,
): Promise<{ observations: Observation[]; saves: number }> {
  const storm = await startStorm(path, texts);
  const all: Observation[] = [];
  const end = performance.now() + STORM_MS;
  await Promise.all(Array.from({ length: 4 }, async () => {
    const session = await initialize(port);
    while (performance.now() < end) {
      const { done } = storm;
      const answer = await call(port, session, args);
      all.push({ done, begun: storm.begun, answer });
    }
  }));
  const halted = await storm.stop();
  const observations = all.filter(({ done, begun }) =>
    !Array.from({ length: begun - done }, (_, index) => done + 1 + index)
      .some((save) => halted.has(save))
  );
  assert(observations.length > 30, `${observations.length} of ${all.length} calls count`);
  assert(storm.done >= 8, `${storm.done} saves`);
  return { observations, saves: storm.done };
}

Deno.test("in a storm of edits every call is answered from some saved version, and none is stale", async () => {
  await using tools = await makeToolFolder();
  await using server = await startServer(["--tools", tools.folder]);
  const texts = Array.from({ length: 1000 }, (_, version) => probeText(version));
  const { observations, saves } = await observe(server.port, tools.path, texts, { rule: 1 });
  const versions = new Set<number>();
  let errors = 0;
  for (const { done, begun, answer } of observations) {
    if (answer === INTERNAL) {
      errors++;
      continue;
    }
    assert.equal(answer.scenario, "matched");
    versions.add(answer.version);
    // A save that was done when the call came in is seen; none is seen before it was begun.
    const { version } = answer;
    assert(done <= version && version <= begun, `${version} is not of ${done}…${begun}`);
  }
  assert(versions.size >= 3, `${versions.size} versions were seen`);
  assert(errors < observations.length / 4, `${errors} of ${observations.length} calls failed`);
  const session = await initialize(server.port);
  const latest = { version: saves, scenario: "usual" };
  assert.deepEqual(await call(server.port, session), latest);
});

Deno.test("each way to save a fixture shows at the next call", async () => {
  await using tools = await makeToolFolder();
  await using server = await startServer(["--tools", tools.folder]);
  const session = await initialize(server.port);
  let version = 0;
  for (const [way, save] of Object.entries(SAVES)) {
    for (let time = 0; time < 2; time++) {
      save(tools.path, probeText(++version));
      const answer = await call(server.port, session);
      assert.deepEqual(answer, { version, scenario: "usual" }, way);
    }
  }
});

Deno.test("a fixture that is deleted, moved or made unreadable fails alone, and heals", async () => {
  await using tools = await makeToolFolder();
  const neighbour = join(tools.folder, "neighbour.md");
  await Deno.writeTextFile(neighbour, probeText(0).replaceAll("probe", "neighbour"));
  const root = Deno.build.os !== "windows" && Deno.uid() === 0;
  const asOrdinary = [
    "setpriv",
    "--inh-caps=-all",
    "--bounding-set=-dac_override,-dac_read_search",
  ];
  const command = root ? [...asOrdinary, ...programCommand()] : programCommand();
  await using server = await startServer(["--tools", tools.folder], { command });
  const { port } = server;
  const session = await initialize(port);
  const usual = (version: number) => ({ version, scenario: "usual" });
  const faults: Record<string, [harm: () => void, heal: () => void]> = {
    deleted: [
      () => Deno.removeSync(tools.path),
      () => Deno.writeTextFileSync(tools.path, probeText(1)),
    ],
    "a folder": [
      () => (Deno.removeSync(tools.path), Deno.mkdirSync(tools.path)),
      () => (Deno.removeSync(tools.path), Deno.writeTextFileSync(tools.path, probeText(1))),
    ],
    "a link to itself": [
      () => (Deno.removeSync(tools.path), Deno.symlinkSync(tools.path, tools.path)),
      () => (Deno.removeSync(tools.path), Deno.writeTextFileSync(tools.path, probeText(1))),
    ],
    unreadable: [
      () => Deno.chmodSync(tools.path, 0),
      () => Deno.chmodSync(tools.path, 0o644),
    ],
    "binary": [
      () => Deno.writeFileSync(tools.path, crypto.getRandomValues(new Uint8Array(60_000))),
      () => Deno.writeTextFileSync(tools.path, probeText(1)),
    ],
  };
  for (const [fault, [harm, heal]] of Object.entries(faults)) {
    harm();
    assert.equal(await call(port, session), INTERNAL, fault);
    const other = await post(port, toolCall({ name: "neighbour" }), { "mcp-session-id": session });
    assert.match(other.body, /"isError":false/, fault);
    heal();
    assert.deepEqual(await call(port, session), usual(1), fault);
  }
  const elsewhere = join(tools.folder, "elsewhere.md");
  await Deno.rename(tools.path, elsewhere);
  assert.deepEqual(await call(port, session), usual(1), "moved");
  await Deno.writeTextFile(elsewhere, probeText(2));
  assert.deepEqual(await call(port, session), usual(2), "edited where it is now");
});

Deno.test("in a storm of edits every call obeys some saved overrides", async () => {
  await using tools = await makeToolFolder();
  const path = join(tools.folder, "overrides.json");
  // Every saved version forces the tool, so an answer by the rules would come from half a file.
  const texts = ["forced", "MATCHED"].map((probe, index) =>
    JSON.stringify({ probe, other: "x".repeat(100 * index) })
  );
  await Deno.writeTextFile(path, texts[0]!);
  await using server = await startServer(["--tools", tools.folder, "--overrides", path]);
  const { observations } = await observe(server.port, path, texts, {});
  const seen: Record<string, number> = {};
  for (const { answer } of observations) {
    const name = answer === INTERNAL ? answer : answer.scenario;
    seen[name] = (seen[name] ?? 0) + 1;
  }
  assert.deepEqual(Object.keys(seen).sort(), ["forced", "matched"], JSON.stringify(seen));
});

Deno.test("overrides that cannot be read force nothing, and obey again when they are whole", async () => {
  await using tools = await makeToolFolder();
  const path = join(tools.folder, "overrides.json");
  await using server = await startServer(["--tools", tools.folder, "--overrides", path]);
  const { port } = server;
  const session = await initialize(port);
  const scenario = async () => {
    const answer = await call(port, session);
    return answer === INTERNAL ? answer : answer.scenario;
  };
  assert.equal(await scenario(), "usual", "there is no file");
  for (const broken of ["", "{", "[]", '"forced"', "\0", '{"probe":5}', '{"probe":"no such"}']) {
    await Deno.writeTextFile(path, '{"probe":"forced"}');
    assert.equal(await scenario(), "forced");
    await Deno.writeTextFile(path, broken);
    assert.equal(await scenario(), "usual", broken);
  }
  await Deno.remove(path);
  await Deno.mkdir(path);
  assert.equal(await scenario(), "usual", "a folder");
  await Deno.remove(path);
  await Deno.writeTextFile(path, '\uFEFF{"probe":"forced"}');
  assert.equal(await scenario(), "forced");
});

Deno.test({
  name: "overrides that cannot be written keep their old content and get a clear error",
  ignore: Deno.build.os === "windows",
  async fn(t) {
    await using tools = await makeToolFolder();
    const folder = join(tools.folder, "run");
    const path = join(folder, "overrides.json");
    const old = '{"probe":"matched"}';
    await Deno.mkdir(folder);
    await Deno.writeTextFile(path, old);
    const force = ["scenario", "probe", "forced", "--tools", tools.folder, "--overrides", path];
    const assertKept = async ({ code, out, err }: Awaited<ReturnType<typeof run>>) => {
      assert.equal(code, 1, err);
      assert.equal(out, "");
      assert(err.includes(`${path} cannot be written: `), err);
      assert.match(err, /Mend that, or name another file with --overrides\./);
      assert.doesNotMatch(err, /\n\s+at |Uncaught/);
      assert.equal(await Deno.readTextFile(path), old);
      const left = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
      assert.deepEqual(left.filter((name) => name.endsWith(".tmp")), []);
    };
    await t.step("permission denied", async () => {
      await Deno.chmod(folder, 0o555);
      await assertKept(await run(force, { ordinaryUser: true }));
      await Deno.chmod(folder, 0o755);
    });
    await t.step("no room to write", async () => {
      // A file may not have a single byte, as on a disk that is full.
      const [shell, ...words] = ["bash", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "bash"];
      const { code, stdout, stderr } = await new Deno.Command(shell!, {
        args: [...words, ...programCommand(), ...force],
        env: { NO_COLOR: "1" },
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      await assertKept({ code, out: text(stdout), err: text(stderr) });
    });
    await t.step("and can be written again afterwards", async () => {
      assert.equal((await run(force)).code, 0);
      assert.deepEqual(JSON.parse(await Deno.readTextFile(path)), { probe: "forced" });
    });
  },
});
