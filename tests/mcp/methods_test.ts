import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/json.ts";
import { METHODS } from "../../lib/mcp/methods.ts";
import type { Twin } from "../../lib/mcp/twin.ts";
import { encode } from "../../lib/wire_json.ts";
import { EXCHANGE, makeTwin, scenario, toolFile } from "./_twin.ts";

const DEFINITION = {
  name: "probe",
  title: "Probe",
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
  _meta: { ui: { resourceUri: "ui://careem-mcp-app" } },
  somethingNew: [1, { a: null }],
};
const PROBE = toolFile(DEFINITION, scenario("only", "{}"));

/** What a method answers, as a client reads it. */
async function ask(method: string, params: JsonObject, twin: Twin): Promise<JsonObject> {
  const result = await METHODS[method]!(params, twin, EXCHANGE);
  const isWritten = Array.isArray(result);
  return isWritten ? JSON.parse(new TextDecoder().decode(encode(result))) : result as JsonObject;
}

async function list(appearance: Parameters<typeof makeTwin>[1] = {}): Promise<JsonObject[]> {
  const { twin } = makeTwin([PROBE], appearance);
  return (await ask("tools/list", {}, twin)).tools as JsonObject[];
}

Deno.test("definitions are listed verbatim, also members that no specification knows yet", async () => {
  assert.equal(JSON.stringify(await list()), JSON.stringify([DEFINITION]));
});

Deno.test("--no-output-schema drops outputSchema and nothing else", async () => {
  const { outputSchema: _, ...rest } = DEFINITION;
  assert.deepEqual(await list({ outputSchema: false }), [rest]);
});

Deno.test("--no-meta drops _meta and the widget resource", async () => {
  const { _meta, ...rest } = DEFINITION;
  assert.deepEqual(await list({ meta: false }), [rest]);
  const { twin } = makeTwin([PROBE], { meta: false });
  assert.deepEqual(await ask("resources/list", {}, twin), { resources: [] });
  await assert.rejects(ask("resources/read", { uri: "ui://careem-mcp-app" }, twin), {
    message: "Resource not found",
  });
  await assert.rejects(ask("tools/list", { cursor: "x" }, twin), {
    code: -32602,
    message: "invalid params",
  });
});

Deno.test("the widget resource follows the MCP Apps and Apps SDK conventions", async () => {
  const domain = "https://widget.test";
  const { twin } = makeTwin([PROBE], { widgetDomain: domain });
  const { resources } = await ask("resources/list", {}, twin);
  const [listed] = resources as JsonObject[];
  const { contents } = await ask("resources/read", { uri: "ui://careem-mcp-app" }, twin);
  const [content] = contents as JsonObject[];
  for (const entry of [listed!, content!]) {
    assert.equal(entry.uri, "ui://careem-mcp-app");
    assert.equal(entry.mimeType, "text/html;profile=mcp-app");
    assert.deepEqual(entry._meta, {
      ui: {
        csp: { connectDomains: [domain], resourceDomains: [domain] },
        domain,
        prefersBorder: true,
      },
      "openai/widgetDomain": domain,
      "openai/widgetCSP": { connect_domains: [domain], resource_domains: [domain] },
      "openai/widgetDescription": (entry._meta as JsonObject)["openai/widgetDescription"],
      "openai/widgetPrefersBorder": true,
    });
  }
  const sources = [...String(content!.text).matchAll(/(?:src|href)="([^"]*)"/g)];
  assert(sources.length > 0);
  for (const [, source] of sources) assert(source!.startsWith(`${domain}/`), source);
});

Deno.test("tools are sorted by name and listed in pages of a thousand", async () => {
  const names = Array.from(
    { length: 2_345 },
    (_, index) => `tool_${String(index).padStart(5, "0")}`,
  );
  const shuffled = names.toSorted((a, b) => a.slice(-1).localeCompare(b.slice(-1)));
  const { twin } = makeTwin(
    shuffled.map((name) =>
      toolFile({ name, inputSchema: { type: "object" } }, scenario("a", "{}"))
    ),
  );
  const seen: string[][] = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const page: JsonObject = await ask("tools/list", { cursor }, twin);
    seen.push((page.tools as { name: string }[]).map(({ name }) => name));
    cursor = page.nextCursor as string | undefined;
  }
  assert.deepEqual(seen.map(({ length }) => length), [1000, 1000, 345]);
  assert.deepEqual(seen.flat(), names);
});
