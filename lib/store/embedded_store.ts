import { join } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { type Definitions, type IndexEntry, readDefinitions, readIndex } from "./embedded_index.ts";
import { loadFolder } from "./folder.ts";
import type { FixtureStore } from "./store.ts";

/**
 * A store over the copy inside the executable. It was read in full when the executable was built
 * and cannot have changed since, so each part of it is read once, when it is first needed; what has
 * no index is parsed at start.
 *
 * @param directory Where the copy appears to the program.
 * @returns The store.
 * @throws {FixtureError} When there is no index and a file cannot be used.
 */
export function openEmbeddedStore(directory: string): FixtureStore {
  const index = readIndex(directory);
  if (index === undefined) return storeOf(loadFolder(directory));
  let definitions: Definitions | undefined;
  const definitionOf = (tool: string) => (definitions ??= readDefinitions(directory))[tool]!;
  return {
    ...storeOf(
      new Map(index.map((entry) => {
        return [entry.tool, embeddedFixture(directory, entry, definitionOf)];
      })),
    ),
    scenarioCount: index.reduce((sum, { scenarioCount }) => sum + scenarioCount, 0),
  };
}

function storeOf(fixtures: ReadonlyMap<string, Fixture>): FixtureStore {
  return { fixtures, read: (tool) => fixtures.get(tool)! };
}

function embeddedFixture(
  directory: string,
  { file, tool, domain, definitionLine }: IndexEntry,
  definitionOf: (tool: string) => Fixture["definition"],
): Fixture {
  const path = join(directory, file);
  let parsed: Fixture | undefined;
  return {
    path,
    tool,
    domain,
    definitionLine,
    get definition() {
      return definitionOf(tool);
    },
    get scenarios() {
      parsed ??= parseFixture(Deno.readTextFileSync(path), path);
      return parsed.scenarios;
    },
  };
}
