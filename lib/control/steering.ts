import type { Fixture } from "../fixture/fixture.ts";
import {
  ANY_REQUEST,
  ANY_TOOL,
  NO_OVERRIDES,
  type Overrides,
  type OverridesProblem,
  type Step,
  stepAt,
} from "./overrides.ts";
import {
  type KnownTools,
  overridesProblems,
  unknownScenario,
  unknownTool,
} from "./overrides_problems.ts";

/** Says which step of what is forced each call takes. One for each server process. */
export interface Steering {
  /**
   * The step for a call, which is counted.
   *
   * @param key The tool's name, or `/` for a request of any kind.
   * @returns The step; an empty one when the call is answered by its arguments.
   */
  step(overrides: Overrides, key: string): Step;

  /**
   * Tells that the scenario of a step is not in the tool's file. For `*` that is as it should be.
   */
  missing(name: string, fixture: Fixture): void;

  /**
   * What of the file forces nothing, when all tool files can be looked at, as at the start.
   *
   * @returns The problems that were not told yet. They count as told.
   */
  review(overrides: Overrides, tools: KnownTools): OverridesProblem[];
}

/**
 * Counts calls for the entries of an overrides file that give one step a call, or end after some.
 * The counting of an entry starts anew when its text changes. What is forced in vain is told once.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseOverrides } from "./overrides.ts";
 * import { createSteering } from "./steering.ts";
 *
 * const steering = createSteering(["ride_book"], () => {});
 * const overrides = parseOverrides('{"ride_book": [{"fault": 503}, null]}');
 * assert.deepEqual(steering.step(overrides, "ride_book"), { fault: "503" });
 * assert.deepEqual(steering.step(overrides, "ride_book"), {});
 * ```
 *
 * @param note Tells the developer of something in the file that forces nothing.
 */
export function createSteering(
  tools: Iterable<string>,
  note: (problem: OverridesProblem) => void,
): Steering {
  const names = [...tools];
  let current = NO_OVERRIDES;
  const counts = new Map<string, number>();
  const told = new Set<string>();

  /** Takes over what was read; what was wrong before and still is need not be told again. */
  const changeTo = (overrides: Overrides, wrong: readonly OverridesProblem[]): void => {
    for (const key of counts.keys()) {
      if (overrides.entries.get(key)?.text !== current.entries.get(key)?.text) counts.delete(key);
    }
    current = overrides;
    const messages = new Set(wrong.map(({ message }) => message));
    for (const message of told) if (!messages.has(message)) told.delete(message);
  };
  const news = (problems: readonly OverridesProblem[]): OverridesProblem[] =>
    problems.filter(({ message }) => !told.has(message) && told.add(message));

  return {
    step(overrides, key) {
      if (overrides !== current) {
        const keys = [...overrides.entries.keys()];
        const wrong = [
          ...overrides.problems,
          ...keys.flatMap((one) => unknownTool(one, names) ?? []),
        ];
        changeTo(overrides, wrong);
        news(wrong).forEach(note);
      }
      const own = key === ANY_REQUEST || overrides.entries.has(key) ? key : ANY_TOOL;
      const entry = overrides.entries.get(own);
      if (entry === undefined) return {};
      const nth = counts.get(own) ?? 0;
      counts.set(own, nth + 1);
      return stepAt(entry.steps, nth);
    },
    missing(name, fixture) {
      const message = current.entries.has(fixture.tool) && unknownScenario(name, fixture);
      if (message) news([{ key: fixture.tool, message }]).forEach(note);
    },
    review(overrides, tools) {
      const wrong = overridesProblems(overrides, tools);
      changeTo(overrides, wrong);
      return news(wrong);
    },
  };
}
