import { reasonOf } from "../reason.ts";

/** What opens an address in the browser: the only programs that this one may run (deno.json). */
export const BROWSERS = {
  linux: "/usr/bin/xdg-open",
  darwin: "/usr/bin/open",
  windows: "C:\\Windows\\explorer.exe",
} as const;

/**
 * Opens an address in the browser.
 *
 * @param note Is told when it could not be opened.
 */
export async function openBrowser(url: string, note: (message: string) => void): Promise<void> {
  const { os } = Deno.build;
  const program = os === "windows" || os === "darwin" ? BROWSERS[os] : BROWSERS.linux;
  try {
    const { success } = await new Deno.Command(program, {
      args: [url],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().status;
    // The one of Windows says that it failed whatever it did.
    if (success || os === "windows") return;
    note(`No browser could be opened; open ${url} yourself.`);
  } catch (error) {
    note(`No browser could be opened (${program}: ${reasonOf(error)}); open ${url} yourself.`);
  }
}
