// Prints the licenses of the packages that are part of the executable.

import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "..");

/** The comment that the bundler puts before a package's module: its path in the cache. */
const MODULE = /^\s*\/\/ (\S+\/npm\/[^/\s]+\/((?:@[^/\s]+\/)?[^/\s]+)\/(\d[^/\s]*))\/\S+$/gm;

const folder = await Deno.makeTempDir({ prefix: "careem-mcp-" });
try {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--code-splitting", "--outdir", folder, join(ROOT, "main.ts")],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const packages = new Map<string, string>();
  for (const { name } of Deno.readDirSync(folder)) {
    const text = Deno.readTextFileSync(join(folder, name));
    for (const [, path, name, version] of text.matchAll(MODULE)) {
      packages.set(`${name} ${version}`, join(ROOT, path!));
    }
  }
  console.log("The executable is built on Deno (https://deno.com, MIT) and holds these packages.");
  for (const [title, path] of [...packages].sort()) {
    console.log(`\n${"-".repeat(80)}\n${title}\n\n${licenseIn(path)}`);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}

function licenseIn(folder: string): string {
  for (const { name } of Deno.readDirSync(folder)) {
    if (/^licen[cs]e/i.test(name)) return Deno.readTextFileSync(join(folder, name)).trim();
  }
  const { license } = JSON.parse(Deno.readTextFileSync(join(folder, "package.json")));
  if (typeof license !== "string") throw new Error(`${folder} has no license`);
  return license;
}
