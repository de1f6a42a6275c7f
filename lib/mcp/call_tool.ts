import type { Caller, Why } from "../control/calls.ts";
import type { JsonParts } from "../control/journal.ts";
import { isWaiting, openCall, waitOut } from "../control/open_call.ts";
import type { Step } from "../control/overrides.ts";
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
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "./rpc_error.ts";
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

/** All that a client learns of a fault on this side (docs/SPEC.md). */
const FAULT = "internal server error";

/** For callers whose client cannot cancel anything. */
const NEVER = new AbortController().signal;

/**
 * Answers one `tools/call`: the pipeline of docs/SPEC.md.
 *
 * @param twin The server.
 * @param name The tool's name.
 * @param given The `arguments` of the call, in any shape a client may send.
 * @param caller Who calls, for the journal.
 * @param signal Aborted when the client cancels the call, or is gone; a call that waits ends then.
 * @returns The result; business failures and bad arguments are results, too.
 * @throws {RpcError} When there is no such tool, or a fault is forced.
 */
export async function callTool(
  twin: Twin,
  name: string,
  given: JsonValue | undefined,
  caller: Caller = {},
  signal: AbortSignal = NEVER,
): Promise<Answer> {
  const call = twin.journal && openCall(twin.journal, caller, name);
  let args: JsonObject | undefined;
  let selection: Selection | undefined;
  let step: Step = {};
  const ended = (why: Why, problem?: string, answer?: Answer): void => {
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
      result: answer && partsOf(answer.json.pieces),
      isError: answer && (problem !== undefined || scenario?.isError),
      problem,
    });
  };
  const failed = (why: Why, problem: string, text = problem): Answer => {
    const answer = failure(text);
    ended(why, problem, answer);
    return answer;
  };

  const tool = twin.tools.get(name);
  if (tool === undefined) {
    const problem = `unknown tool ${goQuote(name)}`;
    ended("unknown-tool", problem);
    throw new RpcError(INVALID_PARAMS, problem);
  }

  try {
    let look = await twin.look();
    step = twin.steering.step(await look.overrides(), name);
    if (isWaiting(step)) {
      call?.waits(step, given);
      await waitOut(step, signal);
      // The files may have been edited meanwhile.
      look = await twin.look();
    }
    // What a client sees of the other faults is for the transports to show.
    if (step.fault !== undefined) throw new RpcError(INTERNAL_ERROR, "internal error");

    const read = readArguments(given ?? {});
    if ("fault" in read) return failed("invalid", rejection(read.fault));
    args = applyDefaults(tool.inputSchema, read.args);
    const invalid = await tool.validate(args);
    if (invalid !== undefined) return failed("invalid", rejection(invalid));

    const fixture = await look.fixture(name);
    selection = selectScenario(fixture, args, step.scenario);
    if (step.scenario !== undefined && selection.reason !== "forced") {
      twin.steering.missing(step.scenario, fixture);
    }
    const answer = success(render(fixture.path, selection, args, twin), selection);
    ended(WHY[selection.reason], undefined, answer);
    return answer;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (step.fault !== undefined) {
      ended("fault", `fault ${step.fault}, as forced`);
      throw error;
    }
    if (signal.aborted) return failed("error", "context canceled");
    return failed("error", problem, twin.exposeFixtureErrors ? problem : FAULT);
  }
}

const WHY = { forced: "forced", match: "rule", default: "default" } as const;

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

function rejection(reason: string): string {
  return `validating "arguments": ${reason}`;
}

function failure(text: string): Answer {
  return answer(writeJson(text), "", true);
}

function partsOf(pieces: Pieces): JsonParts {
  if (typeof pieces === "string") return [pieces];
  return pieces.map((piece) => typeof piece === "string" ? piece : piece.bytes);
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
