import type { CallToolResult } from "@modelcontextprotocol/sdk/types";
import type { WrittenCall } from "../control/journal.ts";
import { type Overrides, parseOverrides } from "../control/overrides.ts";
import { createSteering } from "../control/steering.ts";
import type { Fixture } from "../fixture/fixture.ts";
import type { JsonValue } from "../json.ts";
import { systemEnvironment } from "../template/environment.ts";
import { encode } from "../wire_json.ts";
import { callTool } from "./call_tool.ts";
import { createTwin, PRODUCTION } from "./twin.ts";

/** What a call is answered with, and what a server would have written down of it. */
export interface Trial {
  readonly result: CallToolResult;
  readonly call: Pick<WrittenCall, "scenario" | "why" | "rule" | "problem">;
}

/**
 * Answers one call as a server would, through the same pipeline, and writes nothing down.
 *
 * @param fixtures All tools.
 * @param tool One of them.
 * @param forced What is forced; the name of a scenario forces the tool into it.
 * @param note Is told what is forced in vain.
 * @throws {ForcedFault} When a fault is forced.
 */
export async function tryCall(
  fixtures: ReadonlyMap<string, Fixture>,
  tool: string,
  args: JsonValue,
  forced: Overrides | string,
  note: (message: string) => void = () => {},
): Promise<Trial> {
  const overrides = typeof forced === "string"
    ? parseOverrides(JSON.stringify({ [tool]: forced }))
    : forced;
  let call: Trial["call"] = {};
  const twin = createTwin(PRODUCTION, {
    store: { fixtures, read: (name) => fixtures.get(name)! },
    overrides: () => overrides,
    steering: createSteering(fixtures.keys(), ({ message }) => note(message)),
    // A call that waits is written down twice.
    journal: { id: () => "", write: (written) => call = written, flush: () => Promise.resolve() },
    environment: systemEnvironment,
    log: { call: () => {}, note },
    exposeFixtureErrors: false,
  });
  const exchange = { caller: {}, signal: () => new AbortController().signal };
  const json = await callTool(twin, tool, args, exchange);
  return { result: JSON.parse(new TextDecoder().decode(encode(json))), call };
}
