/// <reference lib="dom" />
import { Client } from "@modelcontextprotocol/sdk/client";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import axe from "axe-core";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { programCommand, startServer } from "../support/program.ts";
import { attack } from "./_attack.ts";
import {
  browserPath,
  connectClient,
  journalLines,
  launch,
  makeWholeProject,
  openPage,
  startConsole,
} from "./_browser.ts";

// The console as people use it: a real browser, a real client, the tools of the repository.

const SUSHI = { query: "sushi", latitude: 25.0866, longitude: 55.1474 };

Deno.test({
  name: "the console in a browser",
  ignore: browserPath === undefined,
  async fn(t) {
    const browser = await launch();
    using project = makeWholeProject();
    const here = ["--project", project.directory];
    await using server = await startServer(here);
    await using console = await startConsole(project);
    await using agent = await connectClient(server.url);
    const rows = (page: Page) => page.locator(".calls tbody tr:not(.space)");
    const forcedNow = () => JSON.parse(project.read(".run/overrides.json"));

    try {
      await t.step(
        "a call is there within a second, and tells all about itself",
        async () => {
          await using opened = await openPage(browser, console.url);
          const { page, problems } = opened;
          await page.getByText("No calls yet.").waitFor();
          const answered = agent.call("food_merchant_search", SUSHI).then(() => performance.now());
          await rows(page).first().waitFor();
          const late = performance.now() - await answered;
          assert(late < 1000, `after ${late} ms`);
          assert.match(
            await rows(page).first().innerText(),
            /agent\s+food_merchant_search\s+sushi\s+rule/,
          );

          await rows(page).first().click();
          const panel = page.getByRole("region", { name: "The call" });
          await panel.getByText("Its arguments match the rule of “sushi”.")
            .waitFor();
          await panel.getByText(/food_merchant_search\.md:\d+/).waitFor();
          const text = await panel.innerText();
          assert.match(text, /query:\s*"sushi"/);
          assert.match(text, /latitude:\s*25\.0866/);
          assert.match(text, /merchants|restaurants/);
          await panel.getByRole("button", { name: "Copy verify" }).click();
          await page.getByText("Copied the command that checks for this call.")
            .waitFor();
          const copied = await page.evaluate(() => navigator.clipboard.readText());
          assert.match(copied, / verify food_merchant_search /);

          const address = page.url();
          await page.reload();
          await panel.getByText("Its arguments match the rule of “sushi”.")
            .waitFor();
          assert.equal(page.url(), address);
          await page.keyboard.press("Escape");
          await panel.waitFor({ state: "detached" });
          assert.deepEqual(problems, []);
        },
      );

      await t.step(
        "a scenario forced by a click answers the next call, until it is let go",
        async () => {
          await using opened = await openPage(browser, console.url);
          const { page, problems } = opened;
          await rows(page).first().click();
          await page.getByLabel("Force another scenario").selectOption(
            "upstream-unavailable",
          );
          const forced = page.getByRole("region", { name: "Forced now" });
          await forced.getByText("upstream-unavailable").waitFor();
          assert.match(
            String((await agent.call("food_merchant_search", SUSHI)).error),
            /503/,
          );
          await rows(page).first().getByText("forced").waitFor();
          await forced.getByRole("button", { name: "Let all go" }).click();
          await forced.getByText("Nothing is forced").waitFor();
          assert.equal(
            (await agent.call("food_merchant_search", SUSHI)).error,
            undefined,
          );
          assert.deepEqual(problems, []);
        },
      );

      await t.step(
        "a sequence, a failure, a delay and a number of calls by clicks",
        async () => {
          await using opened = await openPage(
            browser,
            `${console.url}#/tools/order_get_status`,
          );
          const { page, problems } = opened;
          await page.getByLabel("Step 1").selectOption("scenario:on-the-way");
          await page.getByRole("button", { name: "Add a step" }).click();
          await page.getByLabel("Step 2", { exact: true }).selectOption(
            "fault:503",
          );
          await page.getByLabel(/^Delay of step 2/).fill("300ms");
          await page.getByLabel("How many calls step 2 is for").fill("1");
          await page.getByRole("button", { name: "Force", exact: true })
            .click();
          await page.getByText(
            /order_get_status now gets on-the-way, fault 503/,
          ).waitFor();
          const [first, second] = forcedNow().order_get_status;
          assert.equal(first.scenario ?? first, "on-the-way");
          const { fault, delay, times } = second;
          assert.deepEqual([String(fault), delay, times], ["503", "300ms", 1]);

          const order = { order_id: "ORD-80001" };
          assert.match(
            JSON.stringify(await agent.call("order_get_status", order)),
            /on[-_ ]the[-_ ]way/,
          );
          const since = performance.now();
          await assert.rejects(
            agent.call("order_get_status", order),
            /503|Service Unavailable/,
          );
          assert(performance.now() - since >= 300);
          await page.getByRole("region", { name: "Forced now" }).getByText(
            /2 calls so far/,
          ).waitFor();
          await agent.call("order_get_status", order);
          await page.getByRole("button", { name: "Let go of order_get_status" })
            .click();
          await page.getByText("Nothing is forced: each call").waitFor();
          assert.deepEqual(forcedNow(), {});
          assert.deepEqual(problems, []);
        },
      );

      await t.step(
        "arguments are tried in a form, and everything is found by a word",
        async () => {
          await using opened = await openPage(browser, `${console.url}#/tools`);
          const { page, problems } = opened;
          await page.getByLabel(/^Search tools/).fill("declined");
          await page.getByRole("link", { name: /^payment-method-declined/ })
            .click();
          await page.getByRole("heading", { name: /^Book a ride/ }).waitFor();
          const form = page.getByRole("form", { name: "Arguments" });
          await form.getByLabel("paymentMethodId").fill("PM-1002");
          await page.getByText(
            "Its arguments match the rule of “payment-method-declined”.",
          ).waitFor();
          await form.getByLabel("paymentMethodId").fill("");
          await page.getByText("the rule of “payment-method-required”")
            .waitFor();
          const calls = project.read(".run/calls.jsonl");
          assert.doesNotMatch(calls, /ride_book/, "a preview is no call");
          assert.deepEqual(problems, []);
        },
      );

      await t.step(
        "a call saved as a scenario answers the next like it, and check is green",
        async () => {
          const ramen = { ...SUSHI, query: "quinoa porridge" };
          const before = await agent.call("food_merchant_search", ramen);
          await using opened = await openPage(browser, console.url);
          const { page, problems } = opened;
          await rows(page).first().click();
          await page.getByRole("button", { name: "Save as scenario" }).click();
          const dialog = page.getByRole("dialog", { name: "Save as scenario" });
          await dialog.getByLabel("Name", { exact: true }).fill(
            "quinoa-porridge",
          );
          await dialog.getByLabel("Arguments that have to be the same").fill(
            "query",
          );
          await dialog.getByRole("button", { name: "Preview" }).click();
          await dialog.getByText("## Scenario: quinoa-porridge").waitFor();
          const file = "tools/food/food_merchant_search.md";
          assert.doesNotMatch(
            project.read(file),
            /quinoa/,
            "a preview writes nothing",
          );
          await dialog.getByRole("button", { name: "Save", exact: true })
            .click();
          await page.getByText(/^Saved “quinoa-porridge” in /).waitFor();
          assert.match(project.read(file), /^## Scenario: quinoa-porridge$/m);
          assert.deepEqual(
            await agent.call("food_merchant_search", ramen),
            before,
          );
          await rows(page).first().getByText("quinoa-porridge").first()
            .waitFor();
          const { code, out, err } = await project.run(["check"]);
          assert.equal(code, 0, out + err);
          assert.deepEqual(problems, []);
        },
      );

      await t.step("what is hostile is text", async () => {
        const markup = `<img src=x onerror="alert(1)"><script>alert(2)</script>{{args.query}}`;
        const turned = "\u202Egpj.exe\u202C \u0645\u0637\u0639\u0645";
        await agent.call("food_merchant_search", { ...SUSHI, query: markup });
        await agent.call("food_merchant_search", { ...SUSHI, query: turned });
        await agent.call("food_merchant_search", {
          ...SUSHI,
          query: "x".repeat(4e6),
        });
        await using opened = await openPage(browser, console.url);
        const { page, problems } = opened;
        for (
          const [row, shown] of [[0, /xxxxx/], [1, /\\u202egpj\.exe/], [
            2,
            /<img src=x onerror/,
          ]] as const
        ) {
          await rows(page).nth(row).click();
          const panel = page.getByRole("region", { name: "The call" });
          await panel.getByRole("heading", { name: "Do it again" }).waitFor();
          await panel.getByText(shown).first().waitFor();
        }
        assert.equal(await page.locator("#app img, #app script").count(), 0);
        assert.deepEqual(problems, []);
      });

      await t.step("the keyboard does it all", async () => {
        await using opened = await openPage(browser, console.url);
        const { page, problems } = opened;
        await rows(page).nth(3).waitFor();
        const { keyboard } = page;
        const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
        for (
          let tabs = 0;
          !(await focused()).includes("food_merchant_search");
          tabs++
        ) {
          assert(tabs < 20, "the list cannot be reached");
          await keyboard.press("Tab");
        }
        for (
          const key of [
            "ArrowDown",
            "ArrowDown",
            "ArrowDown",
            "ArrowUp",
            "Enter",
          ]
        ) {
          await keyboard.press(key);
        }
        const panel = page.getByRole("region", { name: "The call" });
        await panel.getByText(/onerror/).first().waitFor();
        for (let tabs = 0; !(await focused()).startsWith("Force “"); tabs++) {
          assert(tabs < 10, "the panel cannot be reached");
          await keyboard.press("Tab");
        }
        await keyboard.press("Enter");
        await page.getByRole("button", { name: "Let all go" }).waitFor();
        await keyboard.press("Escape");
        await panel.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Let all go" }).focus();
        await keyboard.press("Space");
        await page.getByText("Nothing is forced: each call").waitFor();
        assert.deepEqual(problems, []);
      });

      await t.step(
        "a server that a client started over stdio is seen and steered",
        async () => {
          const [command, ...args] = programCommand();
          const client = new Client({ name: "desktop", version: "1.0.0" });
          const transport = new StdioClientTransport({
            ...{
              command,
              args: [...args, "start", "--stdio", ...here],
              stderr: "ignore",
            },
            env: Deno.env.toObject(),
          });
          await using opened = await openPage(
            browser,
            `${console.url}#/tools/reverse_geocode`,
          );
          const { page, problems } = opened;
          await client.connect(transport as never);
          try {
            await page.getByRole("button", {
              name: "Force upstream-unavailable",
            }).click();
            await page.getByText(
              "reverse_geocode now gets upstream-unavailable.",
            ).waitFor();
            const place = { latitude: 25.0866, longitude: 55.1474 };
            const result = await client.callTool({
              name: "reverse_geocode",
              arguments: place,
            });
            assert.match(JSON.stringify(result), /503/);
            await page.getByRole("link", { name: "Calls" }).click();
            await rows(page).first().getByText("desktop").waitFor();
            await page.getByRole("button", { name: "Journey" }).click();
            await page.getByText("1 call through 1 tool").waitFor();
            await page.getByRole("button", { name: "Let all go" }).click();
            await page.getByText("Nothing is forced: each call").waitFor();
          } finally {
            await client.close();
          }
          assert.deepEqual(problems, []);
        },
      );

      await t.step("the journey shows where the agent went back", async () => {
        await using other = await connectClient(server.url, "wanderer");
        const menu = { restaurant_id: 30101 };
        for (
          const [name, args] of [
            ["food_merchant_search", SUSHI],
            ["food_get_restaurant_menu", menu],
            ["food_merchant_search", SUSHI],
            ["food_get_restaurant_menu", {}],
          ] as const
        ) await other.call(name, args).catch(() => {});
        await using opened = await openPage(
          browser,
          `${console.url}#/calls?as=journey`,
        );
        const { page, problems } = opened;
        await page.getByText(
          "4 calls through 2 tools, 1 error, 2 returns to a tool used before",
        ).waitFor();
        assert.equal(await page.locator(".point").count(), 4);
        assert.equal(await page.locator(".point.is-failed").count(), 1);
        await page.locator(".stops button").last().click();
        await page.getByText("do not fit the tool's schema").waitFor();
        assert.deepEqual(problems, []);
      });

      await t.step(
        "the widget is shown as a host would, and gets the call's result",
        async () => {
          await using opened = await openPage(browser, "about:blank");
          const { page, problems } = opened;
          // What stands for the app, since tests have no network.
          const headers = { "access-control-allow-origin": "*" };
          const app = `
          const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
          addEventListener("message", ({ data }) => {
            if (data.id === 1) send({ method: "ui/notifications/initialized" });
            if (data.method === "ui/notifications/tool-result") {
              document.body.textContent = "Got " + JSON.stringify(data.params.structuredContent);
              try { top.document; } catch { document.body.append(" alone"); }
              send({ method: "ui/notifications/size-changed", params: { height: 90, width: 300 } });
            }
          });
          send({ id: 1, method: "ui/initialize", params: {} });`;
          await page.context().route(
            "https://careem-mcp-app.pages.dev/**",
            (route) =>
              route.request().url().endsWith(".js")
                ? route.fulfill({
                  body: app,
                  contentType: "text/javascript",
                  headers,
                })
                : route.fulfill({ body: "", contentType: "text/css", headers }),
          );
          await agent.call("reverse_geocode", {
            latitude: 25.0866,
            longitude: 55.1474,
          });
          await page.goto(`${console.url}#/widget`);
          await page.getByText("without a network").waitFor();
          const frame = page.frameLocator("iframe");
          await frame.getByText(/^Got .*alone$/).waitFor();
          assert.match(await frame.locator("body").innerText(), /"LOC-50001"/);
          const messages = page.getByRole("list", { name: /^Messages/ });
          const texts = (await messages.locator("code").allInnerTexts()).join(
            ", ",
          );
          assert.equal(
            texts,
            "ui/initialize, answer to 1, ui/notifications/initialized, ui/notifications/tool-input, " +
              "ui/notifications/tool-result, ui/notifications/size-changed",
          );
          assert.equal(
            await page.locator("iframe").evaluate((one) => one.clientHeight),
            90,
          );
          assert.deepEqual(problems, []);
        },
      );

      await t.step(
        "a fixture that breaks is told, with file and line, until it is mended",
        async () => {
          await using opened = await openPage(
            browser,
            `${console.url}#/problems`,
          );
          const { page, problems } = opened;
          await page.getByText("No problems.").waitFor();
          const file = "tools/pay/pay_get_wallet_balance.md";
          const text = project.read(file);
          project.write(
            file,
            text.replace("```json response\n{", "```json response\n{,"),
          );
          await page.getByText(/pay_get_wallet_balance\.md:\d+/).first()
            .waitFor();
          await page.getByRole("link", { name: /^Problems [1-9]/ }).waitFor();
          project.write(file, text);
          await page.getByText("No problems.").waitFor();
          assert.deepEqual(problems, []);
        },
      );

      await t.step(
        "a page of another origin reads nothing and forces nothing",
        async () => {
          const refused = await attack(browser, console.url);
          assert.deepEqual(refused, []);
          assert.deepEqual(forcedNow(), {});
        },
      );

      await t.step(
        "nothing that keeps someone out, in light and dark, wide and narrow",
        async () => {
          const open = { last: "", name: "" };
          const found: string[] = [];
          for (const scheme of ["light", "dark"] as const) {
            for (const width of [1280, 400]) {
              await using opened = await openPage(browser, console.url, {
                width,
                scheme,
              });
              const { page, problems } = opened;
              await page.addScriptTag({ content: axe.source }).catch(() => {});
              await page.evaluate(axe.source);
              await rows(page).first().waitFor();
              open.last = await rows(page).first().locator("a").getAttribute("data-id") ??
                "";
              const views: [string, () => Promise<unknown>][] = [
                ["#/calls", () => rows(page).first().waitFor()],
                [
                  `#/calls/${open.last}`,
                  () => page.getByText("Do it again").waitFor(),
                ],
                [
                  "#/calls?as=journey",
                  () => page.locator(".stops li").first().waitFor(),
                ],
                [
                  "#/tools",
                  () => page.getByText("ride_book").first().waitFor(),
                ],
                [
                  "#/tools/ride_book?scenario=no-captains",
                  () => page.getByText("The answer").waitFor(),
                ],
                ["#/widget", () => page.locator("iframe").waitFor()],
                ["#/problems", () => page.getByText("No problems.").waitFor()],
              ];
              for (const [hash, ready] of views) {
                await page.evaluate((hash) => location.hash = hash, hash);
                await ready();
                const serious = await page.evaluate(async () => {
                  const { axe } = globalThis as unknown as {
                    axe: typeof import("axe-core");
                  };
                  const { violations } = await axe.run(document, {
                    resultTypes: ["violations"],
                    iframes: false,
                  });
                  return violations.filter(({ impact }) =>
                    impact === "serious" || impact === "critical"
                  )
                    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
                });
                found.push(
                  ...serious.map((one) => `${scheme} ${width} ${hash}: ${one}`),
                );
                const wider = await page.evaluate(() =>
                  document.documentElement.scrollWidth - innerWidth
                );
                if (wider > 0) {
                  found.push(
                    `${scheme} ${width} ${hash}: ${wider} pixels too wide`,
                  );
                }
              }
              assert.deepEqual(problems, []);
            }
          }
          assert.deepEqual(found, []);
        },
      );

      await t.step(
        "10,000 calls in the journal, and 1,000 more a second",
        async () => {
          const journal = join(project.directory, ".run", "calls.jsonl");
          Deno.writeTextFileSync(
            journal,
            journalLines(0, 10_000, Date.now() - 10_000),
          );
          await using opened = await openPage(browser, console.url);
          const { page, problems } = opened;
          await rows(page).first().getByText(/:/).first().waitFor();
          const numberOfRows = () =>
            page.locator("table.calls").getAttribute("aria-rowcount").then(
              Number,
            );
          assert(await rows(page).count() < 100, "only what is seen is built");
          for (
            let times = 0;
            await numberOfRows() < 10_000 && times < 60;
            times++
          ) {
            await page.locator(".list .scroll").evaluate((one) => one.scrollTop = one.scrollHeight);
            await page.waitForTimeout(50);
          }
          assert.equal(await numberOfRows(), 10_001);
          await page.getByText(/"number":0,/).first().waitFor();
          assert(await rows(page).count() < 100);
          await page.getByRole("button", { name: "To the newest" }).click();

          await page.evaluate(() => {
            const store = globalThis as unknown as { long: number[] };
            store.long = [];
            new PerformanceObserver((list) =>
              store.long.push(
                ...list.getEntries().map(({ duration }) => duration),
              )
            ).observe({ type: "longtask" });
          });
          const calls = 4_000;
          const started = performance.now();
          const writing = (async () => {
            for (let written = 0; written < calls; written += 50) {
              const due = started + written;
              const early = due - performance.now();
              if (early > 0) {
                await new Promise((resolve) => setTimeout(resolve, early));
              }
              Deno.writeTextFileSync(
                journal,
                journalLines(10_000 + written, 50),
                { append: true },
              );
            }
          })();
          const waits: number[] = [];
          while (performance.now() - started < calls - 500) {
            await page.waitForTimeout(150);
            waits.push(await page.evaluate(clickPause));
            await page.waitForTimeout(150);
            waits.push(await page.evaluate(clickPause));
          }
          await writing;
          await page.getByText(/"number":13999,/).first().waitFor({
            timeout: 3_000,
          });
          const long = await page.evaluate(() =>
            (globalThis as unknown as { long: number[] }).long
          );
          const [worst, blocked] = [
            Math.max(...waits),
            long.reduce((sum, one) => sum + one, 0),
          ];
          const seconds = (performance.now() - started) / 1000;
          globalThis.console.log(
            `  1,000 calls a second: ${waits.length} clicks answered within ${
              worst.toFixed(0)
            } ms; ` +
              `${long.length} long tasks, ${blocked.toFixed(0)} ms of ${seconds.toFixed(1)} s`,
          );
          assert(worst < 400, `a click was answered after ${worst} ms`);
          assert(
            blocked < 0.5 * seconds * 1000,
            `the page was busy for ${blocked} ms`,
          );
          assert.deepEqual(problems, []);
        },
      );
    } finally {
      await browser.close();
    }
  },
});

/** Clicks on Pause in the page and tells after how many milliseconds the page has drawn its answer. */
function clickPause(): Promise<number> {
  const button = [...document.querySelectorAll("button")]
    .find((one) => /^\s*(Pause|Resume)/.test(one.textContent ?? ""))!;
  const before = button.getAttribute("aria-pressed");
  const started = performance.now();
  button.click();
  return new Promise((resolve) => {
    const look = (): void => {
      if (button.getAttribute("aria-pressed") !== before) {
        resolve(performance.now() - started);
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
