import { formatProblem } from "../fixture/problem.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type Selection, selectScenario } from "../scenario/select.ts";
import { goQuote as quote } from "../schema/_go_format.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { renderTemplate } from "../template/render.ts";
import { TemplateError } from "../template/template.ts";
import { INVALID_PARAMS, RpcError } from "./rpc_error.ts";
import type { Twin } from "./twin.ts";

/** The result of `tools/call`, as it goes on the wire. */
export type CallResult = {
  content: [{ type: "text"; text: string }];
  structuredContent?: JsonObject;
  isError: boolean;
};

/** A result, and how it came about. */
export interface Answer {
  readonly result: CallResult;
  /** Absent when the call failed before a scenario was chosen. */
  readonly selection?: Selection;
}

/** All that a client learns of a fault on this side (BUILD.md §3; DECISIONS.md, row 1). */
const INTERNAL_ERROR = "internal server error";

/**
 * Answers one `tools/call`: the pipeline of BUILD.md §3.
 *
 * @param twin The server.
 * @param name The tool's name.
 * @param given The `arguments` of the call, in any shape a client may send.
 * @returns The result; business failures and bad arguments are results, too.
 * @throws {RpcError} When there is no such tool.
 */
export async function callTool(
  twin: Twin,
  name: string,
  given: JsonValue | undefined,
): Promise<Answer> {
  const tool = twin.tools.get(name);
  if (tool === undefined) throw new RpcError(INVALID_PARAMS, `unknown tool ${quote(name)}`);

  let args: JsonObject | undefined;
  let selection: Selection | undefined;
  const logged = (problem?: string): void =>
    twin.log.call({
      tool: name,
      selection,
      args: args ?? given ?? {},
      ...(problem !== undefined && { problem }),
    });

  try {
    const sent = given ?? {};
    if (!isJsonObject(sent)) return rejected(notAnObject(sent), logged);
    args = applyDefaults(tool.inputSchema, sent);
    const invalid = tool.validate(args);
    if (invalid !== undefined) return rejected(invalid, logged);

    const fixture = await twin.store.read(name);
    selection = selectScenario(fixture, args, twin.overrides().get(name));
    const value = render(fixture.path, selection, args, twin);
    logged();
    return { result: success(value, selection.scenario.isError), selection };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    logged(problem);
    return { result: failure(twin.exposeFixtureErrors ? problem : INTERNAL_ERROR) };
  }
}

/** Renders the chosen answer; a fault in it is worded with its place, for the developer's log. */
function render(path: string, { scenario }: Selection, args: JsonObject, twin: Twin): JsonValue {
  try {
    return renderTemplate(scenario.template, args, twin.environment);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { line, name } = scenario;
    throw new Error(formatProblem({ path, line, scenario: name, message: error.message }));
  }
}

function success(value: JsonValue, isError: boolean): CallResult {
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    ...(isJsonObject(value) && { structuredContent: value }),
    isError,
  };
}

function rejected(reason: string, logged: (problem: string) => void): Answer {
  const text = `validating "arguments": ${reason}`;
  logged(text);
  return { result: failure(text) };
}

function failure(text: string): CallResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** What Go's JSON decoder says of arguments that are no object. */
function notAnObject(given: JsonValue): string {
  const raw = quote(JSON.stringify(given));
  return `unmarshaling arguments: json: cannot unmarshal ${raw} into Go value of type map[string]interface {}`;
}
