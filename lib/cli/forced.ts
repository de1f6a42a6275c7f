import type { Fixture, Scenario } from "../fixture/fixture.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { plain } from "../plain.ts";
import { reasonOf } from "../reason.ts";
import { parseOverridesObject } from "../control/overrides.ts";
import { findScenario } from "../scenario/select.ts";

/** What an overrides file comes to. */
export interface Forced {
  /** The scenario that each forced tool answers with. */
  readonly inForce: ReadonlyMap<string, Scenario>;
  /** The entries that do nothing, and why. */
  readonly idle: ReadonlyMap<string, string>;
  /** Why the file as a whole does nothing, where it is there and should. */
  readonly fault?: string;
}

/** A tool's fixture; `undefined` where there is no such tool or its file cannot be used. */
type Lookup = (tool: string) => Fixture | undefined | Promise<Fixture | undefined>;

const NOTHING: Forced = { inForce: new Map(), idle: new Map() };

/**
 * Reads an overrides file for showing. A server passes over what is wrong with it, since a slip must
 * never break a call; whoever made the slip should hear of it.
 *
 * @param path The file; it need not exist.
 * @param fixtureOf Finds a tool's fixture; asked for the tools that the file names.
 * @returns What is in force, and what is not.
 */
export async function readForced(path: string, fixtureOf: Lookup): Promise<Forced> {
  const entries = readEntries(path);
  if (typeof entries === "string") return { ...NOTHING, fault: `${path} ${entries}` };
  const inForce = new Map<string, Scenario>();
  const idle = new Map<string, string>();
  for (const [tool, value] of Object.entries(entries)) {
    const found = forcedBy(tool, value, await fixtureOf(tool));
    if (typeof found === "string") idle.set(tool, `${path}: ${found}`);
    else inForce.set(tool, found);
  }
  return { inForce, idle };
}

/** The entries, or what is wrong with the file. */
function readEntries(path: string): JsonObject | string {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    return `cannot be read, so nothing is forced: ${reasonOf(error)}`;
  }
  if (text.trim() === "") return {};
  return parseOverridesObject(text) ??
    "is not a JSON object, so nothing is forced; mend or delete it";
}

function forcedBy(
  tool: string,
  value: JsonValue,
  fixture: Fixture | undefined,
): Scenario | string {
  const name = plain(tool);
  if (fixture === undefined) return `there is no tool \`${name}\`, so its entry does nothing`;
  if (typeof value !== "string") {
    return `\`${name}\`: the scenario's name must be a string, so the entry does nothing`;
  }
  return findScenario(fixture, value) ??
    `\`${name}\` has no scenario \`${plain(value)}\`, so the entry does nothing`;
}
