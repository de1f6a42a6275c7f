import { reasonOf } from "./refuse.ts";

/** The most refusals of a second that are told one by one. */
const MOST_TOLD = 3;

/** The headers whose values say more of a refusal, by what its text begins with. */
const TELLING: readonly [start: string, header: string][] = [
  ["Content-Type", "content-type"],
  ["Accept", "accept"],
  ["session not found", "mcp-session-id"],
];

/**
 * Tells the developer of requests that were refused: whoever makes a client work must not look at a
 * silent server. A client that asks again and again fills no log: of each second the first few
 * are told, and how many more there were.
 *
 * @param note Writes a line of the log.
 * @param clock Milliseconds from any origin that only grow.
 * @returns Takes each response; one that refuses nothing, or was forced to, is passed over.
 */
export function tellRefusals(
  note: (line: string) => void,
  clock: () => number = () => performance.now(),
): (request: Request, target: string, response: Response) => void {
  let second = Number.NaN;
  let told = 0;
  let untold = 0;
  return (request, target, response) => {
    const reason = reasonOf(response);
    if (reason === undefined) return;
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      if (untold > 0) note(`${untold} more refused`);
      second = now;
      told = untold = 0;
    }
    if (++told > MOST_TOLD) {
      untold++;
      return;
    }
    const header = TELLING.find(([start]) => reason.startsWith(start))?.[1];
    const value = header && (request.headers.get(header) ?? "(none)");
    const detail = value === undefined ? "" : ` (${header}: ${value.slice(0, 200)})`;
    note(
      `refused ${request.method} ${target.slice(0, 200)}: ${response.status} ${reason}${detail}`,
    );
  };
}
