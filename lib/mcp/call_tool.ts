import { formatProblem } from "../fixture/problem.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { JsonText, writeJson } from "../json_text.ts";
import { joined, type Pieces, startsWith } from "../pieces.ts";
import { type Selection, selectScenario } from "../scenario/select.ts";
import { goQuote } from "../go/format.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { type RenderedJson, renderJson } from "../template/render_json.ts";
import { TemplateError } from "../template/template.ts";
import { readArguments } from "./arguments.ts";
import { INVALID_PARAMS, RpcError } from "./rpc_error.ts";
import type { Twin } from "./twin.ts";

/** The result of `tools/call`. */
export type CallResult = {
  content: [{ type: "text"; text: string }];
  structuredContent?: JsonObject;
  isError: boolean;
};

/** A result, and how it came about. */
export class Answer {
  /**
   * @param json The result as it goes on the wire.
   * @param selection Absent when the call failed before a scenario was chosen.
   */
  constructor(readonly json: JsonText, readonly selection?: Selection) {}

  /** The result as a client reads it. */
  get result(): CallResult {
    return JSON.parse(this.json.text);
  }
}

/** All that a client learns of a fault on this side (BUILD.md §3; DECISIONS.md, row 1). */
const FAULT = "internal server error";

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
  let args: JsonObject | undefined;
  let selection: Selection | undefined;
  const logged = (problem?: string): void =>
    twin.log.call({
      tool: name,
      selection,
      args: args ?? given ?? {},
      ...(problem !== undefined && { problem }),
    });

  const tool = twin.tools.get(name);
  if (tool === undefined) {
    const problem = `unknown tool ${goQuote(name)}`;
    logged(problem);
    throw new RpcError(INVALID_PARAMS, problem);
  }

  try {
    const read = readArguments(given ?? {});
    if ("fault" in read) return rejected(read.fault, logged);
    args = applyDefaults(tool.inputSchema, read.args);
    const invalid = await tool.validate(args);
    if (invalid !== undefined) return rejected(invalid, logged);

    const look = await twin.look();
    const fixture = await look.fixture(name);
    const { scenario: forced } = twin.steering.step(await look.overrides(), name);
    selection = selectScenario(fixture, args, forced);
    if (forced !== undefined && selection.reason !== "forced") {
      twin.steering.missing(forced, fixture);
    }
    const rendered = render(fixture.path, selection, args, twin);
    logged();
    return success(rendered, selection);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    logged(problem);
    return failure(twin.exposeFixtureErrors ? problem : FAULT);
  }
}

/** Renders the chosen answer; a fault in it is worded with its place, for the developer's log. */
function render(path: string, { scenario }: Selection, args: JsonObject, twin: Twin): RenderedJson {
  try {
    return renderJson(scenario.template, args, twin.environment);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { line, name } = scenario;
    throw new Error(formatProblem({ path, line, scenario: name, message: error.message }));
  }
}

function success({ json, quoted }: RenderedJson, selection: Selection): Answer {
  const structured = startsWith(json, "{") ? joined(',"structuredContent":', json) : "";
  return answer(quoted, structured, selection.scenario.isError, selection);
}

function rejected(reason: string, logged: (problem: string) => void): Answer {
  const text = `validating "arguments": ${reason}`;
  logged(text);
  return failure(text);
}

function failure(text: string): Answer {
  return answer(writeJson(text), "", true);
}

/** Puts a result together of what is JSON already. */
function answer(text: Pieces, more: Pieces, isError: boolean, selection?: Selection): Answer {
  const json = joined(
    '{"content":[{"type":"text","text":',
    text,
    "}]",
    more,
    `,"isError":${isError}}`,
  );
  return new Answer(new JsonText(json), selection);
}
