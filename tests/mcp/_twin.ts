import { parseFixture } from "../../lib/fixture/parse.ts";
import type { Fixture } from "../../lib/fixture/fixture.ts";
import { parseOverrides } from "../../lib/control/overrides.ts";
import { createSteering } from "../../lib/control/steering.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { callTool } from "../../lib/mcp/call_tool.ts";
import type { CallRecord } from "../../lib/mcp/log.ts";
import type { Exchange } from "../../lib/mcp/methods.ts";
import { type Appearance, createTwin, PRODUCTION, type Twin } from "../../lib/mcp/twin.ts";
import { encode } from "../../lib/wire_json.ts";

/** A request of nobody in particular, which is never cancelled. */
export const EXCHANGE: Exchange = { caller: {}, signal: () => new AbortController().signal };

/** The result of a call as a client reads it. */
export async function resultOf(
  twin: Twin,
  tool: string,
  args: JsonValue | undefined,
  exchange: Partial<Exchange> = {},
): Promise<{ content: [{ text: string }]; structuredContent?: JsonObject; isError: boolean }> {
  const json = await callTool(twin, tool, args, { ...EXCHANGE, ...exchange });
  return JSON.parse(new TextDecoder().decode(encode(json)));
}

/** A server in memory, and what it logged. */
export interface TestTwin {
  readonly twin: Twin;
  readonly calls: CallRecord[];
  readonly notes: string[];
  /** Forces a tool; "" clears it. */
  force(tool: string, entry: JsonValue): void;
  /** Replaces what reading a tool's file gives from now on. */
  replace(tool: string, read: () => Fixture): void;
}

/** The text of a tool file with the given sections. */
export function toolFile(definition: JsonObject & { name: string }, ...sections: string[]): string {
  const fence = "```";
  return [
    `---\ntool: ${definition.name}\n---`,
    `## Definition\n${fence}json tool\n${JSON.stringify(definition, null, 2)}\n${fence}`,
    ...sections,
  ].join("\n\n");
}

/** A scenario section. */
export function scenario(
  name: string,
  answer: string,
  options: { match?: JsonObject; kind?: "response" | "error" } = {},
): string {
  const { match, kind = "response" } = options;
  const fence = "```";
  const rule = match ? `${fence}json match\n${JSON.stringify(match)}\n${fence}\n` : "";
  return `## Scenario: ${name}\n${rule}${fence}json ${kind}\n${answer}\n${fence}`;
}

/** Makes a server over tool files, with a fixed clock and random source. */
export function makeTwin(files: readonly string[], appearance: Partial<Appearance> = {}): TestTwin {
  const parsed = files.map((text, index) => parseFixture(text, `file${index}.md`));
  const fixtures = new Map(parsed.map((fixture) => [fixture.tool, fixture]));
  const reads = new Map<string, () => Fixture>();
  const forced: Record<string, JsonValue> = {};
  let overrides = parseOverrides("{}");
  const calls: CallRecord[] = [];
  const notes: string[] = [];
  const twin = createTwin({ ...PRODUCTION, ...appearance }, {
    store: {
      fixtures,
      read: (tool) => reads.get(tool)?.() ?? fixtures.get(tool)!,
    },
    overrides: () => overrides,
    steering: createSteering(fixtures.keys(), ({ message }) => notes.push(message)),
    environment: {
      now: () => Date.UTC(2026, 9, 9, 8, 0, 0),
      uuid: () => "00000000-0000-4000-8000-000000000000",
      randomInteger: (min) => min,
    },
    log: { call: (record) => calls.push(record), note: (text) => notes.push(text) },
    exposeFixtureErrors: false,
  });
  return {
    twin,
    calls,
    notes,
    force(tool, entry) {
      if (entry === "") delete forced[tool];
      else forced[tool] = entry;
      overrides = parseOverrides(JSON.stringify(forced));
    },
    replace: (tool, read) => reads.set(tool, read),
  };
}
