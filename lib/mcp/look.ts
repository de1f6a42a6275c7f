import type { Fixture } from "../fixture/fixture.ts";
import type { Overrides } from "../control/overrides.ts";
import type { FixtureStore } from "../store/store.ts";

/** The files as they are at one moment, read when they are first asked for. */
export interface Look {
  /** The fixture of a tool found at start. */
  fixture(tool: string): Fixture | Promise<Fixture>;
  /** What is forced. */
  overrides(): Overrides | Promise<Overrides>;
}

/**
 * Looks at the files for all calls that wait for it at once.
 *
 * A call must see every edit made before it was sent, so it has to look at the files after it came.
 * It need not be alone in that: of calls that came close together, the look that is taken after the
 * last one is late enough for all. Looking is most of the work of a call, so under load this is
 * where most of the time is saved; a call that comes alone waits for nothing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseOverrides } from "../control/overrides.ts";
 * import { sharedLook } from "./look.ts";
 *
 * let reads = 0;
 * const overrides = () => parseOverrides(`{"a": "${++reads}"}`);
 * const look = sharedLook({ store: { fixtures: new Map(), read: () => null! }, overrides });
 * const looks = await Promise.all([look(), look()]);
 * assert(looks.every((look) => look.overrides() === looks[0]!.overrides()) && reads === 1);
 * ```
 *
 * @param surroundings Where the files are read.
 * @returns Gives a look that is taken after it is asked for. What of it is needed is read then, once.
 */
export function sharedLook(
  { store, overrides }: {
    readonly store: FixtureStore;
    readonly overrides: () => Overrides | Promise<Overrides>;
  },
): () => Promise<Look> {
  let coming: Promise<Look> | undefined;
  return () =>
    coming ??= endOfTurn().then(() => {
      coming = undefined;
      const fixtures = new Map<string, Fixture | Promise<Fixture>>();
      let forced: Overrides | Promise<Overrides> | undefined;
      return {
        fixture(tool) {
          const fixture = fixtures.get(tool) ?? store.read(tool);
          fixtures.set(tool, fixture);
          return fixture;
        },
        overrides: () => forced ??= overrides(),
      };
    });
}

let turn: Promise<undefined> | undefined;

/**
 * Waits until the event loop has been around: until what has arrived by now has been taken in.
 * Whoever waits in the same turn goes on together.
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
