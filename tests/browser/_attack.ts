import assert from "node:assert/strict";
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
      await using opened = await openPage(browser, `http://${host}:${server.addr.port}/`);
      const { page } = opened;
      const done = await page.evaluate(tryAll, url);
      for (const frame of page.frames()) {
        if (await frame.locator("#app").count() > 0) done.push("show the page in a frame");
      }
      const statuses: number[] = [];
      page.on("response", (response) => {
        if (response.url().startsWith(url)) statuses.push(response.status());
      });
      await page.evaluate(sendForm, url);
      await page.waitForURL(`${url}**`);
      if (statuses.join() !== "403") done.push(`send a form, with ${statuses}`);
      found.push(...done.map((one) => `${host}: ${one}`));
    }
    // From the console's own page the same reads work: they were refused for their origin.
    await using own = await openPage(browser, url);
    assert.match((await own.page.evaluate(tryAll, url)).join(), /read about.*read calls/);
    return found;
  } finally {
    await server.shutdown();
  }
}
