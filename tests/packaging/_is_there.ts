/**
 * Tells whether a command can be run here.
 *
 * @param command Its name.
 * @returns Whether it is installed.
 */
export async function isThere(command: string): Promise<boolean> {
  try {
    await new Deno.Command(command, { args: ["--version"], stdin: "null" }).output();
    return true;
  } catch {
    return false;
  }
}
