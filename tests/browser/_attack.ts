import type { Browser } from "playwright-core";
import { openPage } from "./_browser.ts";
import { sendForm, tryAll } from "./_in_page.js";

/**
 * Has a page of another origin try to read the console and to force something.
 *
 * @param url The console's address.
 * @returns What it could do.
 */
export async function attack(browser: Browser, url: string): Promise<string[]> {
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
  }, () =>
    new Response("<!doctype html><title>Elsewhere</title><p>Elsewhere", {
      headers: { "content-type": "text/html" },
    }));
  try {
    // Another port is another origin, and another name for this machine is another site as well.
    const found: string[] = [];
    for (const host of ["127.0.0.1", "localhost"]) {
      await using opened = await openPage(
        browser,
        `http://${host}:${server.addr.port}/`,
      );
      const { page } = opened;
      const done = await page.evaluate(tryAll, url);
      const statuses = new Set<string>();
      page.on("response", (response) => {
        if (response.url().startsWith(url)) {
          statuses.add(`${response.status()}`);
        }
      });
      await page.evaluate(sendForm, url);
      await page.waitForLoadState("networkidle");
      if ([...statuses].some((status) => status !== "403")) {
        done.push(`a form got ${[...statuses]}`);
      }
      found.push(...done.map((one) => `${host}: ${one}`));
    }
    return found;
  } finally {
    await server.shutdown();
  }
}
