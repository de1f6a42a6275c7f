import type { Finding } from "../check/finding.ts";
import { argumentsText, type Call, errorOf } from "../control/calls.ts";
import type { Fixture } from "../fixture/fixture.ts";
import type { Context } from "./context.ts";

/** The most characters of arguments, and of an error, in a list. */
const MOST_TEXT = 300;

/** A call as lists show it. */
export type CallSummary =
  & Pick<
    Call,
    | "id"
    | "time"
    | "pid"
    | "transport"
    | "session"
    | "client"
    | "tool"
    | "scenario"
    | "why"
    | "fault"
    | "delayMs"
    | "isError"
    | "problem"
    | "ms"
    | "pending"
  >
  & {
    readonly arguments: string;
    /** What the answer itself says went wrong. */
    readonly error?: string;
  };

/** Shortens a call to what lists show of it. */
export function summaryOf(call: Call): CallSummary {
  const {
    rule: _rule,
    result: _result,
    argumentsCutFrom: _cut,
    resultCutFrom: _cutResult,
    ...rest
  } = call;
  const error = errorOf(call);
  return {
    ...rest,
    arguments: cut(argumentsText(call)),
    ...(error !== undefined && { error: cut(error) }),
  };
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}

/** A finding as the page shows it. */
export interface ShownProblem {
  /** `error` where a tool cannot be used, or something is forced in vain. */
  readonly severity: "error" | "warning";
  readonly file: string;
  readonly line: number;
  readonly tool?: string;
  readonly scenario?: string;
  readonly message: string;
}

/** Words a finding for the page. */
export function problemOf({ rule, path, line, tool, scenario, message }: Finding): ShownProblem {
  return {
    severity: rule === "parse" || rule === "override" ? "error" : "warning",
    file: path,
    line,
    ...(tool !== undefined && { tool }),
    ...(scenario !== undefined && { scenario }),
    message,
  };
}

/** The file of a tool, for people to open; `null` inside the executable. */
export function placeOfFile({ path }: Fixture, { files }: Context): string | null {
  return files.embedded && files.packed ? null : path;
}
