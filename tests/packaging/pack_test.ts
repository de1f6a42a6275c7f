import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";
import { isThere } from "./_is_there.ts";

const { version } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));

const TARGETS = {
  "aarch64-apple-darwin": { program: "careem-mcp", platform: "darwin" },
  "x86_64-unknown-linux-gnu": { program: "careem-mcp", platform: "linux" },
  "x86_64-pc-windows-msvc": { program: "careem-mcp.exe", platform: "win32" },
};

/** What people read, with all that the README refers to but the folders of the sources. */
const DOCUMENTS = [
  ...["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "docs/"],
  ...[...Deno.readDirSync(join(ROOT, "docs"))].map(({ name, isDirectory }) =>
    `docs/${name}${isDirectory ? "/" : ""}`
  ),
  ...["docs/examples", "docs/images"].flatMap((folder) =>
    [...Deno.readDirSync(join(ROOT, folder))].map(({ name }) => `${folder}/${name}`)
  ),
];

const present = await Promise.all(
  ["bash", "npx", "zip", "unzip", "tar"].map((tool) => isThere(tool)),
);
if (present.includes(false)) console.warn("A tool is missing: packing a release is not tested.");

Deno.test({
  name: "a release has an archive and a valid bundle for each system, and their checksums",
  ignore: present.includes(false),
}, async () => {
  const folder = Deno.makeTempDirSync();
  const release = join(folder, "release");
  try {
    for (const [target, { program }] of Object.entries(TARGETS)) {
      const executable = join(folder, "executables", `executable-${target}`, program);
      Deno.mkdirSync(join(executable, ".."), { recursive: true });
      Deno.writeTextFileSync(executable, `for ${target}`, { mode: 0o644 });
    }
    await run(join(ROOT, "packaging", "pack.sh"), [join(folder, "executables"), release]);

    const files = [...Deno.readDirSync(release)].map(({ name }) => name).sort();
    const expected = Object.keys(TARGETS).flatMap((target) => {
      const name = `careem-mcp-${version}-${target}`;
      return [`${name}.mcpb`, target.includes("windows") ? `${name}.zip` : `${name}.tar.gz`];
    });
    assert.deepEqual(files, [...expected, "SHA256SUMS"].sort());
    assert.equal(Deno.readTextFileSync(join(release, "SHA256SUMS")), sumsOf(release, expected));

    for (const [target, { program, platform }] of Object.entries(TARGETS)) {
      const name = `careem-mcp-${version}-${target}`;
      const launcher = program.endsWith(".exe") ? "careem-mcp.cmd" : "careem-mcp.sh";
      const listed = program.endsWith(".exe")
        ? await run("unzip", ["-Z1", join(release, `${name}.zip`)])
        : await run("tar", ["-tzf", join(release, `${name}.tar.gz`)]);
      assert.deepEqual(
        listed.trim().split("\n").sort(),
        ["", ...DOCUMENTS, "THIRD_PARTY_LICENSES", launcher, program]
          .map((file) => `${name}/${file}`).sort(),
      );
      const bundle = join(release, `${name}.mcpb`);
      const manifest = JSON.parse(await run("unzip", ["-p", bundle, "manifest.json"]));
      assert.equal(manifest.version, version);
      assert.deepEqual(manifest.compatibility.platforms, [platform]);
      assert.equal(manifest.server.mcp_config.command, `\${__dirname}/server/${program}`);
      assert.deepEqual(manifest.server.mcp_config.args, ["--stdio"]);
      assert.equal(manifest.server.entry_point, `server/${program}`);
      assert.equal(await run("unzip", ["-p", bundle, `server/${program}`]), `for ${target}`);
      assert.match(await run("unzip", ["-Z", bundle, `server/${program}`]), /^.rwxr-xr-x/m);
      const licenses = await run("unzip", ["-p", bundle, "THIRD_PARTY_LICENSES"]);
      for (
        const one of [
          "@modelcontextprotocol/sdk \\d",
          "ajv \\d",
          "commander \\d",
          "htm \\d",
          "preact",
          "zod \\d",
        ]
      ) {
        assert.match(licenses, new RegExp(`^${one}[^]*?Copyright`, "m"));
      }
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function sumsOf(folder: string, files: readonly string[]): string {
  return [...files].sort().map((file) => {
    const sum = createHash("sha256").update(Deno.readFileSync(join(folder, file))).digest("hex");
    return `${sum}  ${file}\n`;
  }).join("");
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { DENO: Deno.execPath(), LC_ALL: "C" },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("every page that the README links to is in the release", () => {
  const readme = Deno.readTextFileSync(join(ROOT, "README.md"));
  const pages = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, page]) => page!);
  assert(pages.length > 5);
  // `eject` writes that one, together with what it describes.
  for (const page of pages.filter((page) => page !== "tools/README.md")) {
    assert(DOCUMENTS.includes(page), page);
  }
});
