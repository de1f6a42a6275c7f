import { Client } from "@modelcontextprotocol/sdk/client";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import axe from "axe-core";
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { JsonObject } from "../../lib/json.ts";
import type { TestProject } from "../cli/_program.ts";
import { programCommand, startServer } from "../support/program.ts";
import { attack } from "./_attack.ts";
import {
  browserPath,
  connectClient,
  journalLines,
  launch,
  makeWholeProject,
  type McpClient,
  openPage,
  startConsole,
} from "./_browser.ts";
import * as inPage from "./_in_page.js";

// The console as people use it: a real browser, a real client, the tools of the repository.

/** What all uses of the console are made with. */
interface Setting {
  readonly browser: Browser;
  readonly project: TestProject;
  /** The console's address. */
  readonly url: string;
  /** The MCP server's address. */
  readonly server: string;
  readonly agent: McpClient;
}

/** What is tried, in this order: a name, the view it begins with, what is done. */
const uses: [string, string, (page: Page, setting: Setting) => Promise<void>][] = [];

function use(name: string, hash: string, run: typeof uses[number][2]): void {
  uses.push([name, hash, run]);
}

const SUSHI = { query: "sushi", latitude: 25.0866, longitude: 55.1474 };
const PLACE = { latitude: 25.0866, longitude: 55.1474 };

const rowsOf = (page: Page) => page.locator(".calls tbody tr:not(.space)");
const panelOf = (page: Page) => page.getByRole("region", { name: "The call" });
const forcedBar = (page: Page) => page.getByRole("region", { name: "Forced now" });
const forcedIn = (project: TestProject) => JSON.parse(project.read(".run/overrides.json"));
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function letAllGo(page: Page): Promise<void> {
  await press(page, "Let all go");
  await forcedBar(page).getByText("Nothing is forced").waitFor();
}

use("a call is there within a second, and tells all about itself", "", async (page, { agent }) => {
  await page.getByText("No calls yet.").waitFor();
  // Where other tests keep the machine busy, the best of three tells what the page does.
  let late = Infinity;
  for (let row = 0; row < 3 && late > 1000; row++) {
    const answered = agent.call("food_merchant_search", SUSHI).then(() => performance.now());
    await rowsOf(page).nth(row).waitFor();
    late = performance.now() - await answered;
  }
  assert(late < 1000, `after ${late} ms`);
  const row = await rowsOf(page).first().innerText();
  assert.match(row, /agent\s+food_merchant_search\s+sushi\s+rule/);

  await rowsOf(page).first().click();
  const panel = panelOf(page);
  await panel.getByText("Its arguments match the rule of “sushi”.").waitFor();
  await panel.getByText(/food_merchant_search\.md:\d+/).waitFor();
  assert.match(await panel.innerText(), /query:\s*"sushi"\s+latitude:\s*25\.0866/);
  await panel.getByRole("button", { name: "Copy verify" }).click();
  await page.getByText("Copied the command that checks for this call.").waitFor();
  assert.match(await page.evaluate(inPage.copiedText), / verify food_merchant_search /);

  const address = page.url();
  await page.reload();
  await panel.getByText("Its arguments match the rule of “sushi”.").waitFor();
  assert.equal(page.url(), address);
  await page.goBack();
  await panel.waitFor({ state: "detached" });
});

use("a scenario forced by a click answers the next call", "", async (page, { agent }) => {
  await rowsOf(page).first().click();
  await page.getByLabel("Force another scenario").selectOption("upstream-unavailable");
  await forcedBar(page).getByText("upstream-unavailable").waitFor();
  assert.match(String((await agent.call("food_merchant_search", SUSHI)).error), /503/);
  await rowsOf(page).first().getByText("forced", { exact: true }).waitFor();
  await page.getByLabel("Errors only").check();
  await rowsOf(page).nth(1).waitFor({ state: "detached" });
  await letAllGo(page);
  assert.equal((await agent.call("food_merchant_search", SUSHI)).error, undefined);
});

use(
  "a sequence, a failure, a delay and a number of calls by clicks",
  "#/tools/order_get_status",
  async (page, { agent, project }) => {
    await page.getByLabel("Step 1", { exact: true }).selectOption("scenario:on-the-way");
    await press(page, "Add a step");
    await page.getByLabel("Step 2", { exact: true }).selectOption("fault:503");
    await page.getByLabel(/^Delay of step 2/).fill("300ms");
    await page.getByLabel("How many calls step 2 is for").fill("1");
    await press(page, "Force");
    await page.getByText(/^order_get_status now gets on-the-way, fault 503/).waitFor();
    const [first, second] = forcedIn(project).order_get_status;
    assert.equal(first.scenario ?? first, "on-the-way");
    assert.deepEqual([second.fault, second.delay, second.times], ["503", "300ms", 1]);

    const order = { order_id: "ORD-80001" };
    assert.match(JSON.stringify(await agent.call("order_get_status", order)), /on.the.way/);
    const since = performance.now();
    await assert.rejects(agent.call("order_get_status", order), /503|Service Unavailable/);
    assert(performance.now() - since >= 300);
    await forcedBar(page).getByText(/2 calls so far/).waitFor();
    await press(page, "Let go of order_get_status");
    await page.getByText("Nothing is forced: each call").waitFor();
    assert.deepEqual(forcedIn(project), {});
  },
);

use(
  "scenarios are found by a word, and arguments tried in a form",
  "#/tools",
  async (page, { project }) => {
    await page.getByLabel(/^Search tools/).fill("declined");
    await page.getByRole("link", { name: /^payment-method-declined/ }).click();
    await page.getByRole("heading", { name: /^Book a ride/ }).waitFor();
    const method = page.getByRole("form", { name: "Arguments" }).getByLabel("paymentMethodId");
    await method.fill("PM-1002");
    await page.getByText("match the rule of “payment-method-declined”").waitFor();
    await method.fill("");
    await page.getByText("match the rule of “payment-method-required”").waitFor();
    const calls = project.read(".run/calls.jsonl");
    assert.doesNotMatch(calls, /ride_book/, "to try is not to call");
  },
);

use(
  "a call saved as a scenario answers the next one like it, and check is green",
  "",
  async (page, { agent, project }) => {
    const file = "tools/food/food_merchant_search.md";
    const porridge = { ...SUSHI, query: "quinoa porridge" };
    const before = await agent.call("food_merchant_search", porridge);
    await rowsOf(page).first().getByText("quinoa").waitFor();
    await rowsOf(page).first().click();
    await press(page, "Save as scenario");
    const dialog = page.getByRole("dialog", { name: "Save as scenario" });
    await dialog.getByLabel("Name", { exact: true }).fill("quinoa-porridge");
    await dialog.getByLabel("Arguments that have to be the same").fill("query");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("## Scenario: quinoa-porridge").waitFor();
    assert.doesNotMatch(project.read(file), /quinoa/, "a preview writes nothing");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Saved “quinoa-porridge” in /).waitFor();
    assert.match(project.read(file), /^## Scenario: quinoa-porridge$/m);
    assert.deepEqual(await agent.call("food_merchant_search", porridge), before);
    await rowsOf(page).first().getByText("quinoa-porridge", { exact: true }).first().waitFor();
    const { code, out, err } = await project.run(["check"]);
    assert.equal(code, 0, out + err);
  },
);

use("what is hostile is text", "", async (page, { agent }) => {
  const shown = new Map([
    [`<img src=x onerror="alert(1)"><script>alert(2)</script>{{args.query}}`, /<img src=x onerror/],
    ["\u202Egpj.exe\u202C \u0645\u0637\u0639\u0645", /\\u202egpj\.exe/],
    ["x".repeat(4e6), /xxxxx/],
  ]);
  for (const query of shown.keys()) {
    await agent.call("food_merchant_search", { ...SUSHI, query });
  }
  await rowsOf(page).first().getByText("xxx").waitFor();
  for (const [row, text] of [...shown.values()].toReversed().entries()) {
    await rowsOf(page).nth(row).click();
    const about = panelOf(page).getByRole("heading", { name: "Arguments" }).locator("..");
    await about.getByText(text).first().waitFor();
  }
  assert.equal(await page.locator("#app img, #app script").count(), 0);
});

use("the keyboard does it all", "", async (page) => {
  await rowsOf(page).nth(3).waitFor();
  const { keyboard } = page;
  const tabTo = async (start: string): Promise<void> => {
    for (let tabs = 0; tabs < 20; tabs++) {
      await keyboard.press("Tab");
      if ((await page.evaluate(inPage.focusedText)).trim().startsWith(start)) return;
    }
    assert.fail(`${start} cannot be reached`);
  };
  await tabTo("food_merchant_search");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) {
    await keyboard.press(key);
    await page.waitForTimeout(50);
  }
  await panelOf(page).getByText(/^"<img.*onerror/).first().waitFor();
  await tabTo("Force “");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Let all go" }).waitFor();
  await keyboard.press("Escape");
  await panelOf(page).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Skip to the view" }).focus();
  await tabTo("Let all go");
  await keyboard.press("Space");
  await page.getByText("Nothing is forced: each call").waitFor();
});

use(
  "a server that a client started over stdio is seen and steered",
  "#/tools/reverse_geocode",
  async (page, { project }) => {
    const [command, ...args] = programCommand();
    const client = new Client({ name: "desktop", version: "1.0.0" });
    const flags = ["start", "--stdio", "--project", project.directory];
    await client.connect(
      new StdioClientTransport({
        ...{ command, args: [...args, ...flags], stderr: "ignore" },
        env: Deno.env.toObject(),
      }) as never,
    );
    try {
      await press(page, "Force upstream-unavailable");
      await page.getByText("reverse_geocode now gets upstream-unavailable.").waitFor();
      const result = await client.callTool({ name: "reverse_geocode", arguments: PLACE });
      assert.match(JSON.stringify(result), /503/);
      await page.getByRole("link", { name: "Calls" }).click();
      await rowsOf(page).first().getByText("desktop").waitFor();
      await press(page, "Journey");
      await page.getByText(/^1 call through 1 tool/).waitFor();
      await letAllGo(page);
    } finally {
      await client.close();
    }
  },
);

use("the journey shows where the agent went back", "", async (page, { server }) => {
  await using wanderer = await connectClient(server, "wanderer");
  const calls: [string, JsonObject][] = [
    ["food_merchant_search", SUSHI],
    ["food_get_restaurant_menu", { ...PLACE, restaurant_id: 30101 }],
    ["food_merchant_search", SUSHI],
    ["food_get_restaurant_menu", {}],
  ];
  for (const [name, args] of calls) await wanderer.call(name, args).catch(() => {});
  await rowsOf(page).first().getByText("wanderer").waitFor();
  await press(page, "Journey");
  const summary = "4 calls through 2 tools, 1 error, 2 returns to a tool used before";
  await page.getByText(summary).waitFor();
  assert.equal(await page.locator(".point").count(), 4);
  assert.equal(await page.locator(".point.is-failed").count(), 1);
  await page.locator(".stops button").last().click();
  await page.getByText("do not fit the tool's schema").waitFor();
});

use(
  "the widget is shown as by a host, and gets the call's result",
  "",
  async (page, { agent, url }) => {
    // It stands for the app, since tests have no network.
    const app = `
      const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
      addEventListener("message", ({ data }) => {
        if (data.id === 1) send({ method: "ui/notifications/initialized" });
        if (data.method !== "ui/notifications/tool-result") return;
        document.body.textContent = "Got " + JSON.stringify(data.params.structuredContent);
        try { parent.document; } catch { document.body.append(" alone"); }
        send({ method: "ui/notifications/size-changed", params: { height: 90, width: 300 } });
      });
      send({ id: 1, method: "ui/initialize", params: {} });`;
    const headers = { "access-control-allow-origin": "*" };
    await page.context().route(
      "https://careem-mcp-app.pages.dev/**",
      (route) =>
        route.fulfill({
          headers,
          ...route.request().url().endsWith(".js")
            ? { body: app, contentType: "text/javascript" }
            : { body: "", contentType: "text/css" },
        }),
    );
    await agent.call("reverse_geocode", PLACE);
    await rowsOf(page).first().getByText("reverse_geocode").waitFor();
    await page.goto(`${url}#/widget`);
    await page.getByText("without a network").waitFor();
    const frame = page.frameLocator("iframe").locator("body");
    await frame.getByText(/alone$/).waitFor();
    assert.match(await frame.innerText(), /^Got .*"LOC-50001"/);
    const messages = page.getByRole("list", { name: /^Messages/ }).locator("code");
    await messages.nth(5).waitFor();
    assert.deepEqual(await messages.allInnerTexts(), [
      "ui/initialize",
      "answer to 1",
      "ui/notifications/initialized",
      "ui/notifications/tool-input",
      "ui/notifications/tool-result",
      "ui/notifications/size-changed",
    ]);
    assert.equal(await page.locator("iframe").evaluate(inPage.heightOf), 90);
  },
);

use(
  "a fixture that breaks is told, with file and line, until it is mended",
  "#/problems",
  async (page, { project }) => {
    await page.getByText("No problems.").waitFor();
    const file = "tools/pay/pay_get_wallet_balance.md";
    const text = project.read(file);
    project.write(file, text.replace("```json response\n{", "```json response\n{,"));
    await page.getByText(/pay_get_wallet_balance\.md:\d+/).first().waitFor();
    await page.getByRole("link", { name: /^Problems [1-9]/ }).waitFor();
    project.write(file, text);
    await page.getByText("No problems.").waitFor();
  },
);

use(
  "a page of another origin reads nothing and forces nothing",
  "",
  async (_page, { browser, url, project }) => {
    assert.deepEqual(await attack(browser, url), []);
    assert.deepEqual(forcedIn(project), {});
  },
);

use(
  "nothing keeps anybody out, in light and dark, wide and narrow",
  "",
  async (_page, { browser, url }) => {
    const found: string[] = [];
    for (const scheme of ["light", "dark"] as const) {
      for (const width of [1280, 400]) {
        await using opened = await openPage(browser, url, { width, scheme });
        const { page, problems } = opened;
        await page.evaluate(axe.source);
        const link = rowsOf(page).first().locator("a");
        const id = await link.getAttribute("data-id");
        const views: [string, () => Promise<unknown>][] = [
          ["#/calls", () => link.waitFor()],
          [`#/calls/${id}`, () => page.getByText("Do it again").waitFor()],
          ["#/calls?as=journey", () => page.locator(".stops li").first().waitFor()],
          [
            "#/tools/ride_book?scenario=no-captains",
            () => page.getByRole("heading", { name: "The answer" }).waitFor(),
          ],
          ["#/tools", () => page.getByText("cart_add_item").first().waitFor()],
          ["#/widget", () => page.locator("iframe").waitFor()],
          ["#/problems", () => page.getByText("No problems.").waitFor()],
        ];
        // Colours and width are looked at one by one; together, the fullest views are enough.
        const isWhole = (scheme === "light") === (width === 1280);
        for (const [hash, ready] of isWhole ? views : views.slice(1, 4)) {
          await page.evaluate(inPage.goTo, hash);
          await ready();
          const serious = await page.evaluate(inPage.seriousFindings);
          const over = await page.evaluate(inPage.overflow);
          if (over !== "") serious.push(`too large by ${over}`);
          found.push(...serious.map((one) => `${scheme} ${width} ${hash}: ${one}`));
        }
        assert.deepEqual(problems, []);
      }
    }
    assert.deepEqual(found, []);
  },
);

use(
  "10,000 calls in the journal, and 1,000 more a second",
  "#/problems",
  async (page, { project, url }) => {
    const journal = project.path(".run", "calls.jsonl");
    Deno.writeTextFileSync(journal, journalLines(0, 10_000, Date.now() - 10_000));
    await page.goto(`${url}?#/calls`);
    const numberOfCalls = async (): Promise<number> =>
      Number(await page.locator("table.calls").getAttribute("aria-rowcount")) - 1;
    for (let times = 0; await numberOfCalls() < 10_000 && times < 100; times++) {
      await page.locator(".list .scroll").evaluate(inPage.scrollToEnd);
      await page.waitForTimeout(50);
    }
    assert.equal(await numberOfCalls(), 10_000);
    await page.locator(".list .scroll").evaluate(inPage.scrollToEnd);
    await page.getByText(/"number":0,/).first().waitFor();
    assert(await rowsOf(page).count() < 100, "only what is seen is built");
    await page.getByRole("button", { name: "To the newest" }).click();

    await page.evaluate(inPage.watchLongTasks);
    const started = performance.now();
    const writing = (async () => {
      for (let written = 0; written < 4_000; written += 50) {
        const early = started + written - performance.now();
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
        Deno.writeTextFileSync(journal, journalLines(10_000 + written, 50), { append: true });
      }
    })();
    const waits: number[] = [];
    while (performance.now() - started < 3_500) {
      // Paused and going on again.
      for (let times = 0; times < 2; times++) {
        await page.waitForTimeout(150);
        waits.push(await page.evaluate(inPage.clickPause));
      }
    }
    await writing;
    await page.getByText(/"number":13999,/).first().waitFor();
    const seconds = (performance.now() - started) / 1000;
    const long = await page.evaluate(inPage.longTasks);
    const busy = long.reduce((sum, one) => sum + one, 0) / 1000;
    const worst = Math.max(...waits);
    console.log(
      `At 1,000 calls a second ${waits.length} clicks were answered within ` +
        `${worst.toFixed(0)} ms; tasks of more than 50 ms took ${busy.toFixed(2)} s ` +
        `of ${seconds.toFixed(1)} s.`,
    );
    assert(worst < 500, `a click was answered after ${worst} ms`);
    assert(busy < seconds / 2, `the page was busy for ${busy} s of ${seconds} s`);
  },
);

Deno.test({
  name: "the console in a browser",
  ignore: browserPath === undefined,
  async fn(t) {
    using project = makeWholeProject();
    await using server = await startServer(["--project", project.directory]);
    await using console = await startConsole(project);
    await using agent = await connectClient(server.url);
    const browser = await launch();
    const setting = { browser, project, url: console.url, server: server.url, agent };
    try {
      for (const [name, hash, run] of uses) {
        await t.step(name, async () => {
          await using opened = await openPage(browser, `${console.url}${hash}`);
          await run(opened.page, setting);
          assert.deepEqual(opened.problems, []);
        });
      }
    } finally {
      await browser.close();
    }
  },
});
