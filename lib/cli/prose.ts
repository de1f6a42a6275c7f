import type { Fixture, Scenario } from "../fixture/fixture.ts";

/** What a tool file says of a scenario, as it is written there. */
export interface Written {
  /** The section from its heading on: prose, rule and answer. */
  readonly text: string;
  /** The first sentence of its prose; "" where there is none. */
  readonly sentence: string;
}

/** Cuts a tool file into what is written of each scenario. */
export function writtenOf(text: string, { scenarios }: Fixture): Map<Scenario, Written> {
  const lines = text.split(/\r?\n/);
  return new Map(scenarios.map((scenario, index) => {
    const section = lines.slice(scenario.line - 1, (scenarios[index + 1]?.line ?? Infinity) - 1);
    const body = section.slice(1);
    const end = body.findIndex((line) => /^(?:```|## )/.test(line));
    const prose = body.slice(0, end === -1 ? undefined : end).join("\n").trim();
    return [scenario, { text: section.join("\n"), sentence: firstSentence(prose) }];
  }));
}

/**
 * The first sentence of some prose, on one line.
 *
 * @returns The sentence, without Markdown's marks.
 */
export function firstSentence(prose: string): string {
  const [paragraph = ""] = prose.split(/\n\s*\n/);
  const line = paragraph.replaceAll(/\s+/g, " ").replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, "").trim();
  return /^.*?[.!?](?<!\b(?:e\.g|i\.e)\.)(?=\s+[^a-z]|$)/.exec(line)?.[0] ?? line;
}
