// Prints the licenses of the packages that are part of the executable.

import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "..");

/** The comment that the bundler puts before a package's module: its path in the cache. */
const MODULE = /^\s*\/\/ (\S+\/npm\/[^/\s]+\/((?:@[^/\s]+\/)?[^/\s]+)\/(\d[^/\s]*))\/\S+$/gm;

const PREACT = `The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

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
      packages.set(`${name} ${version}`, licenseIn(join(ROOT, path!)));
      // Its one file holds another package, whose license it does not bring along.
      if (name === "htm") packages.set("preact (in the file of htm)", PREACT);
    }
  }
  console.log("The executable is built on Deno (https://deno.com, MIT) and holds these packages.");
  for (const [title, license] of [...packages].sort()) {
    console.log(`\n${"-".repeat(80)}\n${title}\n\n${license}`);
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
