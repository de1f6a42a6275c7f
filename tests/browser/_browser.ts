import { Client } from "@modelcontextprotocol/sdk/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import type { JsonObject } from "../../lib/json.ts";
import { makeProject, type TestProject } from "../cli/_program.ts";
import { programCommand, ROOT } from "../support/program.ts";

/** Where Chromium or Chrome is, on the systems that tests run on. */
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** It is to be alone on the machine, and to call nobody. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** The browser that CAREEM_MCP_BROWSER names, else one that is installed. */
export const browserPath: string | undefined = [
  Deno.env.get("CAREEM_MCP_BROWSER"),
  ...PLACES,
]
  .find((path) => {
    try {
      return path !== undefined && Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });

if (browserPath === undefined) {
  console.warn(
    "Neither Chromium nor Chrome is here: the console's page is not tested.",
  );
}

/** Starts the browser. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath!, args: FLAGS });
}

/** How a page is looked at. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
}

/** An open page, and whatever went wrong in it. */
export interface OpenPage {
  readonly page: Page;
  /** Errors of scripts, and what the browser refused. */
  readonly problems: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a page in a profile of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1280, height = 800, scheme = "light" }: Look = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
  });
  context.setDefaultTimeout(10_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error.stack)));
  page.on("console", (message) => {
    // What the widget's frame loads is not there on a machine without a network.
    if (message.type() !== "error" || /net::ERR_/.test(message.text())) return;
    problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(url);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** A project folder with the tools of the repository. */
export function makeWholeProject(): TestProject {
  const files: Record<string, string> = {};
  const take = (folder: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(join(ROOT, folder))) {
      const path = `${folder}/${name}`;
      if (isDirectory) take(path);
      else files[path] = Deno.readTextFileSync(join(ROOT, path));
    }
  };
  take("tools");
  return makeProject(files);
}

/** A program that runs until it is ended. */
export interface RunningConsole {
  readonly url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts `careem-mcp console` on a free port. */
export async function startConsole(
  project: TestProject,
): Promise<RunningConsole> {
  const [command, ...args] = programCommand();
  const child = new Deno.Command(command, {
    args: [...args, "console", "--port", "0", "--project", project.directory],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  const found = Promise.withResolvers<string>();
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (
      const chunk of stream.pipeThrough(new TextDecoderStream() as never)
    ) {
      text += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+\/(?=\s)/.exec(text)?.[0];
      if (url !== undefined) found.resolve(url);
    }
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)])
    .then(() => found.resolve(""));
  const url = await found.promise;
  assert(url !== "", `the console did not start:\n${text}`);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
      await reading;
    },
  };
}

/** A client of the SDK, connected to a server. */
export interface McpClient {
  call(name: string, args?: JsonObject): Promise<JsonObject>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Connects the SDK's own client. */
export async function connectClient(
  url: string,
  name = "agent",
): Promise<McpClient> {
  const client = new Client({ name, version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never,
  );
  return {
    async call(name, args = {}) {
      const { structuredContent } = await client.callTool({
        name,
        arguments: args,
      });
      return structuredContent as JsonObject;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Lines of a journal, as servers write them. */
export function journalLines(
  from: number,
  count: number,
  time = Date.now(),
): string {
  const tools = [
    "food_merchant_search",
    "cart_add_item",
    "checkout_get_summary",
    "ride_book",
  ];
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return JSON.stringify({
      id: `made-${number}`,
      time: new Date(time + index).toISOString(),
      pid: 1,
      transport: "http",
      session: `SESSION${number % 3}`,
      client: { name: "maker", version: "1.0.0" },
      tool: tools[number % tools.length],
      arguments: { number, words: "of a call that was made up ".repeat(4) },
      scenario: "made-up",
      why: "rule",
      rule: { number },
      result: {
        content: [{ type: "text", text: `{"number":${number}}` }],
        isError: false,
      },
      isError: false,
      ms: 0.4,
    }) + "\n";
  }).join("");
}
