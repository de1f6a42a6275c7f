import { join } from "node:path";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { readEmbeddedText } from "./embedded_files.ts";
import { type Definitions, type IndexEntry, readDefinitions, readIndex } from "./embedded_index.ts";
import { loadFolder } from "./folder.ts";
import type { FixtureStore } from "./store.ts";

/** A store over the copy inside the program, which cannot change while it runs. */
export function openEmbeddedStore(directory: string): FixtureStore {
  const index = readIndex(directory);
  const fixtures = embeddedFixtures(directory, index) ?? loadFolder(directory);
  const read = (tool: string): Fixture => fixtures.get(tool)!;
  if (index === undefined) return { fixtures, read };
  const scenarioCount = index.reduce((sum, entry) => sum + entry.scenarioCount, 0);
  return { fixtures, read, scenarioCount };
}

/**
 * The fixtures inside an executable. All of them were read when it was built, so that now each part
 * is read when it is first needed. `undefined` when there is no index: the program runs from sources.
 */
export function embeddedFixtures(
  directory: string,
  index: readonly IndexEntry[] | undefined = readIndex(directory),
): ReadonlyMap<string, Fixture> | undefined {
  let definitions: Definitions | undefined;
  const definitionOf = (tool: string): Fixture["definition"] => {
    definitions ??= readDefinitions(directory);
    return definitions[tool]!;
  };
  return index && new Map(
    index.map((entry) => [entry.tool, new EmbeddedFixture(directory, entry, definitionOf)]),
  );
}

/** A class, since for each object with a getter in a literal V8 makes a shape of its own. */
class EmbeddedFixture implements Fixture {
  readonly path: string;
  readonly tool: string;
  readonly domain: string;
  readonly definitionLine: number;
  private parsed: Fixture["scenarios"] | undefined;

  constructor(
    directory: string,
    { file, tool, domain, definitionLine }: IndexEntry,
    private readonly definitionOf: (tool: string) => Fixture["definition"],
  ) {
    this.path = join(directory, file);
    this.tool = tool;
    this.domain = domain;
    this.definitionLine = definitionLine;
  }

  get definition(): Fixture["definition"] {
    return this.definitionOf(this.tool);
  }

  get scenarios(): Fixture["scenarios"] {
    return this.parsed ??= parseFixture(readEmbeddedText(this.path), this.path).scenarios;
  }
}
