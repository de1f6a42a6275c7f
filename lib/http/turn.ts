let turn: Promise<undefined> | undefined;

/**
 * Waits until the event loop has been around: until what has arrived by now has been taken in.
 * Whoever waits in the same turn goes on together.
 */
export function endOfTurn(): Promise<undefined> {
  return turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve(undefined);
    });
  });
}
