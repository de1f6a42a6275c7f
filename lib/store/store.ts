import type { Fixture } from "../fixture/fixture.ts";

/** What stays of a fixture from start to end, whatever becomes of its file. */
export type FoundTool = Pick<Fixture, "tool" | "path" | "definition">;

/** The fixtures a server answers from. */
export interface FixtureStore {
  /** What was found at start, by tool name. Fixes which tools exist (docs/SPEC.md). */
  readonly fixtures: ReadonlyMap<string, FoundTool>;

  /** How many scenarios there were then, if they were counted. */
  readonly scenarioCount?: number;

  /**
   * The fixture of a tool found at start, as it is now.
   *
   * @throws {FixtureError} When its file cannot be used at the moment.
   */
  read(tool: string): Fixture | Promise<Fixture>;
}
