/**
 * Tells whether a command can be run here.
 *
 * @param command Its name.
 * @param least The least version that will do, as the first words of `--version` tell it.
 * @returns Whether it is installed, and new enough.
 */
export async function isThere(command: string, least?: string): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command(command, { args: ["--version"], stdin: "null" })
      .output();
    const [version = ""] = /\d+(?:\.\d+)+/.exec(new TextDecoder().decode(stdout)) ?? [];
    return least === undefined || version.localeCompare(least, "en", { numeric: true }) >= 0;
  } catch {
    return false;
  }
}
