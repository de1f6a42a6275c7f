/**
 * Starts a process that says `ready`, and runs code once its input is closed: several of them, told
 * at once, write at once.
 *
 * @param code A TypeScript module: what it does, after its imports.
 * @param imports Its imports.
 * @returns The process.
 */
export function startHeld(imports: string, code: string): Deno.ChildProcess {
  const module = `
    ${imports}
    await Deno.stdout.write(new TextEncoder().encode("ready"));
    await Deno.stdin.read(new Uint8Array(1));
    ${code}`;
  return new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-config", "--ext=ts", module],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}
