// Where the time of one `tools/call` goes: `deno bench -A tests/bench/parts_bench.ts`.

import { join } from "node:path";
import { parseFixture } from "../../lib/fixture/parse.ts";
import type { JsonObject } from "../../lib/json.ts";
import { selectScenario } from "../../lib/scenario/select.ts";
import { compileSchema } from "../../lib/schema/compile.ts";
import { applyDefaults } from "../../lib/schema/defaults.ts";
import { callTool } from "../../lib/mcp/call_tool.ts";
import { createLog } from "../../lib/mcp/log.ts";
import { openSession } from "../../lib/mcp/session.ts";
import { createTwin, PRODUCTION } from "../../lib/mcp/twin.ts";
import { openDiskStore } from "../../lib/store/disk_store.ts";
import { overridesReader } from "../../lib/control/overrides_file.ts";
import { createSteering } from "../../lib/control/steering.ts";
import { systemEnvironment } from "../../lib/template/environment.ts";
import { renderJson } from "../../lib/template/render_json.ts";
import { type Incoming, readPayload } from "../../lib/mcp/messages.ts";
import { CALLS } from "./_calls.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const store = openDiskStore(join(ROOT, "tools"));
const overrides = overridesReader(join(Deno.makeTempDirSync(), "overrides.json"));
const log = createLog("text", () => {});
const environment = systemEnvironment;
const steering = createSteering(store.fixtures.keys(), () => {});
const surroundings = { store, overrides, steering, environment, log, exposeFixtureErrors: false };
const twin = createTwin(PRODUCTION, surroundings);
const session = openSession(twin, {});
const signal = (): AbortSignal => new AbortController().signal;

/** A request as a session gets it. */
function request(method: string, params: JsonObject): Incoming {
  return readPayload(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })).messages[0]!;
}

await session.receive(request("initialize", { protocolVersion: "2025-06-18" }));

for (const { name: group, params } of CALLS) {
  const { name, arguments: args } = params as { name: string; arguments: JsonObject };
  const { inputSchema } = twin.tools.get(name)!;
  const validate = compileSchema(inputSchema);
  const fixture = await store.read(name);
  const text = Deno.readTextFileSync(fixture.path);
  const { scenario } = selectScenario(fixture, args, undefined);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const message = request("tools/call", params);

  // The file and the overrides are looked at once for all calls of a turn; the rest is for each.
  Deno.bench("parse the file", { group }, () => void parseFixture(text, fixture.path));
  Deno.bench("read the request", { group }, () => void readPayload(body));
  Deno.bench("defaults", { group }, () => void applyDefaults(inputSchema, args));
  Deno.bench("validate", { group }, () => void validate(args));
  Deno.bench("look at the file", { group }, async () => void await store.read(name));
  Deno.bench("look at the overrides", { group }, async () => void await overrides());
  Deno.bench("match", { group }, () => void selectScenario(fixture, args, undefined));
  Deno.bench("render", { group }, () => {
    renderJson(scenario.template, args, environment);
  });
  Deno.bench(
    "all of the call",
    { group },
    async () => void await callTool(twin, name, args, { caller: {}, signal }),
  );
  Deno.bench("the call through its session", { group }, async () => {
    await session.receive(message);
  });
}
