import type { Call, Caller } from "./calls.ts";
import type { WireJson } from "../wire_json.ts";
import type { Journal, WrittenCall } from "./journal.ts";
import type { Step } from "./overrides.ts";

/** A call that is being answered. */
export interface OpenCall {
  /** Writes down that the call has to wait, so that it shows before it is answered. */
  waits(step: Step, args: Call["arguments"]): void;
  /** Tells how it ended, and with which result, if with any. */
  end(outcome: Partial<WrittenCall>, result: WireJson | undefined): void;
}

/** Begins to write down a call. */
export function openCall(journal: Journal, caller: Caller, tool: string): OpenCall {
  const started = performance.now();
  const time = new Date().toISOString();
  const { transport, session, client } = caller;
  const head = { id: journal.id(), time, pid: Deno.pid, transport, session, client, tool };
  return {
    waits({ fault, delayMs }, args) {
      journal.write({ ...head, arguments: args, fault, delayMs, pending: true });
    },
    end(outcome, result) {
      const ms = Math.round((performance.now() - started) * 1000) / 1000;
      journal.write({ ...head, ...outcome, ms }, result);
    },
  };
}

/**
 * Waits as long as a step says: its delay, and after that for ever where it hangs. That costs a
 * timer at most.
 *
 * @param signal Ends the wait: the client cancelled the call, or is gone.
 * @throws The signal's reason, when that ends the wait.
 */
export function waitOut({ fault, delayMs }: Step, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const goOn = (): void => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    // A call that hangs ends when its client goes.
    const timer = fault === "hang" ? undefined : setTimeout(goOn, delayMs ?? 0);
    signal.addEventListener("abort", giveUp);
  });
}

/** Whether a step has its call wait. */
export function isWaiting({ fault, delayMs }: Step): boolean {
  return fault === "hang" || (delayMs ?? 0) > 0;
}
