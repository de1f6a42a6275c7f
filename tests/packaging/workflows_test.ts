import assert from "node:assert/strict";
import { join } from "node:path";
import { parse } from "yaml";
import { notesOf } from "../../packaging/release_notes.ts";
import { ROOT } from "../support/program.ts";
import { isThere } from "./_is_there.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string;
  readonly "runs-on": string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: {
      readonly target?: readonly string[];
      readonly include?: readonly { readonly target: string; readonly os: string }[];
    };
  };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly tags?: readonly string[] } | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (name: string): string => Deno.readTextFileSync(join(ROOT, name));
const ci: Workflow = parse(read(".github/workflows/ci.yml"));
const release: Workflow = parse(read(".github/workflows/release.yml"));
const nightly: Workflow = parse(read(".github/workflows/nightly.yml"));
const ALL = [ci, release, nightly];

const TARGETS = [
  "aarch64-apple-darwin",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "x86_64-unknown-linux-gnu",
];

function stepsOf({ jobs }: Workflow): readonly Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

function commandsOf(job: Job | undefined): string {
  return job!.steps.map(({ run = "" }) => run).join("\n");
}

Deno.test("every push is tested as people test it", () => {
  assert("push" in ci.on && "pull_request" in ci.on);
  assert.match(commandsOf(ci.jobs.test), /^\.\/careem-mcp\.sh test$/m);
});

Deno.test("a tag is tested, built for five systems, tried on each, and only then released", () => {
  assert.deepEqual(release.on, { push: { tags: ["v*"] } });
  const { test, build, smoke, release: publish } = release.jobs;
  assert.deepEqual([build!.needs, smoke!.needs, publish!.needs], ["test", "build", "smoke"]);
  assert.match(commandsOf(test), /^\.\/careem-mcp\.sh test$/m);
  assert.match(commandsOf(test), /\.version deno\.json.*GITHUB_REF_NAME/);
  assert.match(
    commandsOf(build),
    /^\.\/careem-mcp\.sh compile --target \$\{\{ matrix\.target \}\}$/m,
  );
  assert.deepEqual([...build!.strategy!.matrix.target!].sort(), TARGETS);
  const tried = smoke!.strategy!.matrix.include!;
  assert.deepEqual(tried.map(({ target }) => target).sort(), TARGETS);
  for (const { target, os } of tried) {
    const system = os.split("-")[0]!;
    const expected = { ubuntu: "linux", macos: "darwin", windows: "windows" }[system]!;
    assert(target.includes(expected), `${target} on ${os}`);
  }
  assert.match(commandsOf(smoke), /packaging\/smoke\.ts/);
  assert.match(commandsOf(publish), /packaging\/pack\.sh artifacts release[^]*gh release create/);
});

Deno.test("what is released is attested, and nothing else may be written", () => {
  for (const { permissions } of ALL) assert.deepEqual(permissions, { contents: "read" });
  const writing = Object.entries(release.jobs).filter(([, { permissions }]) => permissions);
  assert.deepEqual(writing.map(([name]) => name), ["release"]);
  assert.deepEqual(release.jobs.release!.permissions, {
    contents: "write",
    "id-token": "write",
    attestations: "write",
  });
  const attest = stepsOf(release).find(({ uses }) => uses?.includes("attest-build-provenance"));
  assert.equal(attest?.with?.["subject-path"], "release/*");
});

Deno.test("actions are those of GitHub and Deno, pinned to a commit whose version is told", () => {
  const used = ["ci", "release", "nightly"].flatMap((name) =>
    [...read(`.github/workflows/${name}.yml`).matchAll(/uses: (.+)$/gm)].map(([, action]) =>
      action!
    )
  );
  assert(used.length > 10);
  const pinned = /^(?:actions|denoland)\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/;
  for (const action of used) assert.match(action, pinned);
});

Deno.test("the notes of a release are its section of the changelog", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n- b\n\n## 0.1.0\n\nThe first.\n\n- a\n";
  assert.equal(notesOf("v0.1.0", changelog), "The first.\n\n- a");
  assert.throws(() => notesOf("v9.9.9", changelog), /no section "## 9\.9\.9"/);
});

Deno.test("Deno is the same version everywhere", () => {
  const pinned = /^DENO_VERSION=(.+)$/m.exec(read("careem-mcp.sh"))![1];
  for (const { env } of [ci, release]) assert.equal(env!.DENO_VERSION, pinned);
  const set = ALL.flatMap(stepsOf)
    .filter(({ uses }) => uses?.startsWith("denoland/setup-deno"))
    .map((step) => step.with!["deno-version"]);
  for (const version of set) {
    // The newest one is tried every night.
    const known = [pinned, "${{ env.DENO_VERSION }}", "v2.x"];
    assert(known.includes(String(version)), String(version));
  }
  const inLauncher = [...read("careem-mcp.cmd").matchAll(/deno@([\d.]+)/g)].map(([, one]) => one);
  assert(inLauncher.length > 0 && inLauncher.every((version) => version === pinned));
});

const actionlint = await isThere("actionlint", "1.7.8");
if (!actionlint) {
  console.warn("actionlint 1.7.8 or newer is not here: the workflows are parsed, not linted.");
}

Deno.test({ name: "actionlint finds nothing", ignore: !actionlint }, async () => {
  const { success, stdout } = await new Deno.Command("actionlint", { cwd: ROOT }).output();
  assert(success, new TextDecoder().decode(stdout));
});
