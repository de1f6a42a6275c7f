import type { Why } from "../control/calls.ts";
import { ForcedFault } from "../control/fault.ts";
import { isWaiting, openCall, waitOut } from "../control/open_call.ts";
import type { Step } from "../control/overrides.ts";
import { formatProblem } from "../fixture/problem.ts";
import { goQuote } from "../go/format.ts";
import { unmarshalObject } from "../go/type.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { type Selection, selectScenario } from "../scenario/select.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { type RenderedJson, renderJson } from "../template/render_json.ts";
import { TemplateError } from "../template/template.ts";
import { type WireJson, writeJson } from "../wire_json.ts";
import type { Exchange } from "./methods.ts";
import { INVALID_PARAMS, RpcError } from "./protocol.ts";
import type { Twin } from "./twin.ts";

/** All that a client learns of what broke inside. */
const FAULT = "internal server error";

const WHY = { forced: "forced", match: "rule", default: "default" } as const;

/**
 * Answers one `tools/call` (docs/SPEC.md, 3.4).
 *
 * @param given The `arguments` of the call, in any shape a client may send.
 * @param exchange Who calls, and what is aborted when the client cancels or abandons the call.
 * @returns The result; business failures and bad arguments are results, too.
 * @throws {RpcError} When there is no such tool.
 * @throws {ForcedFault} When a fault is forced.
 */
export async function callTool(
  twin: Twin,
  name: string,
  given: JsonValue | undefined,
  { caller, signal }: Exchange,
): Promise<WireJson> {
  const call = twin.journal && openCall(twin.journal, caller, name);
  let args: JsonObject | undefined;
  let selection: Selection | undefined;
  let step: Step = {};
  const ended = (why: Why, problem?: string, result?: WireJson): void => {
    const sent = args ?? given ?? {};
    twin.log.call({ tool: name, selection, args: sent, ...(problem !== undefined && { problem }) });
    const { scenario, reason } = selection ?? {};
    const { fault, delayMs } = step;
    call?.end({
      arguments: sent,
      scenario: scenario?.name,
      why,
      rule: reason === "match" ? scenario?.match : undefined,
      fault,
      delayMs,
      isError: result && (problem !== undefined || scenario?.isError),
      problem,
    }, result);
  };
  const failed = (why: Why, problem: string, text = problem): WireJson => {
    const result = failure(text);
    ended(why, problem, result);
    return result;
  };
  const refused = (reason: string): WireJson =>
    failed("invalid", `validating "arguments": ${reason}`);

  const tool = twin.tools.get(name);
  if (tool === undefined) {
    const problem = `unknown tool ${goQuote(name)}`;
    ended("unknown-tool", problem);
    throw new RpcError(INVALID_PARAMS, problem);
  }
  try {
    step = twin.steering.step(await twin.overrides(), name);
    if (isWaiting(step)) {
      call?.waits(step, given);
      await waitOut(step, signal());
    }
    // What a client sees of it is for the transports to show.
    if (step.fault !== undefined && step.fault !== "cut") throw new ForcedFault(step.fault);

    const read = unmarshalObject(given ?? {});
    if ("error" in read) return refused(`unmarshaling arguments: json: ${read.error}`);
    args = applyDefaults(tool.inputSchema, read.object);
    const invalid = await tool.validate(args);
    if (invalid !== undefined) return refused(invalid);

    const fixture = await twin.store.read(name);
    selection = selectScenario(fixture, args, step.scenario);
    if (step.scenario !== undefined && selection.reason !== "forced") {
      twin.steering.missing(step.scenario, fixture);
    }
    const rendered = render(fixture.path, selection, args, twin);
    const result = success(rendered, selection.scenario.isError);
    if (step.fault === "cut") throw new ForcedFault(step.fault, result);
    ended(WHY[selection.reason], undefined, result);
    return result;
  } catch (error) {
    if (error instanceof ForcedFault) {
      ended("fault", error.message);
      throw error;
    }
    if (signal().aborted && error === signal().reason) {
      // What a Go handler fails with when its call is cancelled, of which the Go SDK makes a result.
      return failed(step.fault === undefined ? "error" : "fault", "context canceled");
    }
    const problem = messageOf(error);
    return failed("error", problem, twin.exposeFixtureErrors ? problem : FAULT);
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
