import type { Finding } from "../check/finding.ts";
import { argumentsText, type Call } from "../control/calls.ts";

/** The most characters of arguments in a list. */
const MOST_ARGUMENTS = 300;

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
  & { readonly arguments: string };

/** Shortens a call to what lists show of it. */
export function summaryOf(call: Call): CallSummary {
  const {
    rule: _rule,
    result: _result,
    argumentsCutFrom: _cut,
    resultCutFrom: _cutResult,
    ...rest
  } = call;
  const text = argumentsText(call);
  const isLong = text.length > MOST_ARGUMENTS;
  return { ...rest, arguments: isLong ? `${text.slice(0, MOST_ARGUMENTS)}…` : text };
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
