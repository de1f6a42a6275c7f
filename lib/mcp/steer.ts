import { ForcedFault } from "../control/fault.ts";
import { isWaiting, waitOut } from "../control/open_call.ts";
import { ANY_REQUEST } from "../control/overrides.ts";
import type { Twin } from "./twin.ts";

/**
 * Has a request of any kind wait or fail, where the developer forces that (`/` in the overrides
 * file): a deploy, a gateway without a route, a slow start.
 *
 * @param what The request, for the log.
 * @param signal Gives what is aborted when the client is gone, which ends a wait.
 * @returns The failure to show; `undefined` when the request goes on.
 */
export async function steerRequest(
  twin: Twin,
  what: string,
  signal: () => AbortSignal,
): Promise<ForcedFault | undefined> {
  const overrides = await twin.overrides();
  if (!overrides.entries.has(ANY_REQUEST)) return undefined;
  const step = twin.steering.step(overrides, ANY_REQUEST);
  const { fault } = step;
  if (fault !== undefined) twin.log.note(`${what}: fault ${fault}, as forced on \`/\``);
  if (isWaiting(step)) {
    try {
      await waitOut(step, signal());
    } catch {
      // Nobody waits for an answer any more.
      return new ForcedFault("drop");
    }
  }
  return fault && new ForcedFault(fault);
}
