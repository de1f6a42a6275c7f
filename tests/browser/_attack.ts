/// <reference lib="dom" />
import type { Browser } from "playwright-core";
import { openPage } from "./_browser.ts";

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

/** What a script can try; it runs in the page. */
async function tryAll(url: string): Promise<string[]> {
  const done: string[] = [];
  const steps = JSON.stringify({ steps: [{ fault: "500" }] });
  const key = `${url}api/forced/ride_book`;
  const tries: [string, string, RequestInit][] = [
    ["read about", `${url}api/about`, {}],
    ["read the page", url, {}],
    ["read calls", `${url}api/calls`, { credentials: "include" }],
    ["read events", `${url}api/events`, {}],
    ["force", key, {
      method: "PUT",
      body: steps,
      headers: { "content-type": "application/json" },
    }],
    ["force with a token", key, {
      ...{ method: "PUT", body: steps },
      headers: {
        "content-type": "application/json",
        "x-console-token": "guess",
      },
    }],
    ["let go", `${url}api/forced`, { method: "DELETE" }],
  ];
  for (const [name, target, init] of tries) {
    const text = await fetch(target, init).then(
      (response) => response.text(),
      () => undefined,
    );
    if (text !== undefined) done.push(`${name}: ${text.slice(0, 80)}`);
  }
  for (
    const [path, method] of [["api/about", "GET"], [
      "api/scenarios",
      "POST",
    ]] as const
  ) {
    const body = method === "POST" ? steps : null;
    const response = await fetch(url + path, { method, body, mode: "no-cors" })
      .catch(() => null);
    if (response !== null && response.type !== "opaque") {
      done.push(`${path} is ${response.type}`);
    }
  }
  // Its bytes must not even be a script or an image of another page.
  for (const tag of ["script", "img"] as const) {
    const element = document.createElement(tag);
    element.src = tag === "script"
      ? `${url}page/main.js`
      : `${url}page/style.css`;
    const loads = new Promise<boolean>((resolve) => {
      element.onload = () => resolve(true);
      element.onerror = () => resolve(false);
    });
    document.body.append(element);
    if (await loads) done.push(`a ${tag} was loaded`);
  }
  const frame = document.createElement("iframe");
  frame.src = url;
  const loaded = new Promise((resolve) => frame.onload = resolve);
  document.body.append(frame);
  await loaded;
  // A frame that was refused has an opaque error page in place of what was asked for.
  try {
    if (frame.contentDocument !== null) done.push("the frame can be read");
  } catch {
    // It cannot.
  }
  const socket = new EventSource(`${url}api/events`);
  const opens = await new Promise<boolean>((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  });
  socket.close();
  if (opens) done.push("the events can be listened to");
  return done;
}

/** A form needs no script's permission to be sent; it runs in the page. */
function sendForm(url: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.enctype = "text/plain";
  form.action = `${url}api/scenarios`;
  form.innerHTML = `<input name='{"steps":[{"fault":"500"}],"x":"' value='"}'>`;
  document.body.append(form);
  form.submit();
}
