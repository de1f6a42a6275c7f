let turn: Promise<undefined> | undefined;

/**
 * Waits until the event loop has been around: until what has arrived by now has been taken in.
 * Whoever waits in the same turn goes on together.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { endOfTurn } from "./end_of_turn.ts";
 *
 * assert(endOfTurn() === endOfTurn());
 * await endOfTurn();
 * ```
 *
 * @returns Resolves then.
 */
export function endOfTurn(): Promise<undefined> {
  return turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve(undefined);
    });
  });
}
