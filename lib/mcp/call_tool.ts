import { formatProblem } from "../fixture/problem.ts";
import { goQuote } from "../go/format.ts";
import { unmarshalObject } from "../go/type.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { type Selection, selectScenario } from "../scenario/select.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { type RenderedJson, renderJson } from "../template/render_json.ts";
import { TemplateError } from "../template/template.ts";
import { type WireJson, writeJson } from "../wire_json.ts";
import { INVALID_PARAMS, RpcError } from "./protocol.ts";
import type { Twin } from "./twin.ts";

/** All that a client learns of what broke inside. */
const FAULT = "internal server error";

/**
 * Answers one `tools/call`, as docs/SPEC.md has it.
 *
 * @param twin The server.
 * @param name The tool's name.
 * @param given The `arguments` of the call, in any shape a client may send.
 * @param signal Gives what is aborted when the client cancels or abandons the call. Whatever waits
 * asks for it, and throws its reason.
 * @returns The result; business failures and bad arguments are results, too.
 * @throws {RpcError} When there is no such tool.
 */
export async function callTool(
  twin: Twin,
  name: string,
  given: JsonValue | undefined,
  signal: () => AbortSignal,
): Promise<WireJson> {
  let args: JsonObject | undefined;
  let selection: Selection | undefined;
  const log = (problem?: string): void =>
    twin.log.call({
      tool: name,
      selection,
      args: args ?? given ?? {},
      ...(problem !== undefined && { problem }),
    });
  const refused = (reason: string): WireJson => {
    const text = `validating "arguments": ${reason}`;
    log(text);
    return failure(text);
  };

  const tool = twin.tools.get(name);
  if (tool === undefined) {
    const problem = `unknown tool ${goQuote(name)}`;
    log(problem);
    throw new RpcError(INVALID_PARAMS, problem);
  }
  try {
    const read = unmarshalObject(given ?? {});
    if ("error" in read) return refused(`unmarshaling arguments: json: ${read.error}`);
    args = applyDefaults(tool.inputSchema, read.object);
    const invalid = await tool.validate(args);
    if (invalid !== undefined) return refused(invalid);

    const files = await twin.look();
    const fixture = await files.fixture(name);
    selection = selectScenario(fixture, args, (await files.overrides()).get(name));
    const rendered = render(fixture.path, selection, args, twin);
    log();
    return success(rendered, selection.scenario.isError);
  } catch (error) {
    const cancelled = signal().aborted && error === signal().reason;
    // What a Go handler fails with when its call is cancelled, of which the Go SDK makes a result.
    const problem = cancelled ? "context canceled" : messageOf(error);
    log(problem);
    return failure(cancelled || twin.exposeFixtureErrors ? problem : FAULT);
  }
}

/** Renders the chosen answer; what is wrong in it is worded with its place, for the log. */
function render(path: string, { scenario }: Selection, args: JsonObject, twin: Twin): RenderedJson {
  try {
    return renderJson(scenario.template, args, twin.environment);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { line, name } = scenario;
    throw new Error(formatProblem({ path, line, scenario: name, message: error.message }));
  }
}

/** The result of a rendered answer: its text, and its value whenever that is an object. */
function success({ json, quoted, isObject }: RenderedJson, isError: boolean): WireJson {
  const structured = isObject ? [',"structuredContent":', ...json] : [];
  const end = `,"isError":${isError}}`;
  return ['{"content":[{"type":"text","text":', ...quoted, "}]", ...structured, end];
}

function failure(text: string): WireJson {
  return writeJson({ content: [{ type: "text", text }], isError: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
