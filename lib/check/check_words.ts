import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { isJsonObject, type JsonValue, pointerSegment } from "../json.ts";
import { aboutDefinition, aboutScenario, type Finding } from "./finding.ts";

/** What nothing a client observes may contain, in any case (BUILD.md §7, 12). */
export const BANNED_WORDS: readonly string[] = [
  "mock",
  "sandbox",
  "sbx",
  "fake",
  "dummy",
  "example.com",
];

/** A banned word and where it stands. */
export interface BannedWord {
  readonly word: string;
  /** JSON Pointer of the string, or of the member whose key it is. */
  readonly pointer: string;
}

/**
 * Finds banned words in the keys and strings of a JSON value.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { findBannedWords } from "./check_words.ts";
 *
 * assert(findBannedWords({ items: [{ name: "A Mockingbird" }] })[0]?.pointer === "/items/0/name");
 * ```
 *
 * @param value The value.
 * @param pointer JSON Pointer of the value itself.
 * @returns The words in the order of the value.
 */
export function findBannedWords(value: JsonValue, pointer = ""): BannedWord[] {
  if (typeof value === "string") return wordsIn(value, pointer);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findBannedWords(item, `${pointer}/${index}`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = `${pointer}/${pointerSegment(key)}`;
    return [...wordsIn(key, inner), ...findBannedWords(member, inner)];
  });
}

/**
 * Finds banned words in a definition.
 *
 * @param fixture The tool's fixture.
 * @returns A finding for each.
 */
export function checkDefinitionWords(fixture: Fixture): Finding[] {
  return findBannedWords(fixture.definition).map((found) =>
    aboutDefinition("banned-word", fixture, messageOf(found, "definition"))
  );
}

/**
 * Finds banned words in an answer.
 *
 * @param fixture The tool's fixture.
 * @param scenario The scenario.
 * @param answer Its answer, rendered.
 * @returns A finding for each.
 */
export function checkAnswerWords(
  fixture: Fixture,
  scenario: Scenario,
  answer: JsonValue,
): Finding[] {
  return findBannedWords(answer).map((found) =>
    aboutScenario("banned-word", fixture, scenario, messageOf(found, "answer"))
  );
}

function wordsIn(text: string, pointer: string): BannedWord[] {
  const folded = text.toLowerCase();
  return BANNED_WORDS.filter((word) => folded.includes(word)).map((word) => ({ word, pointer }));
}

function messageOf({ word, pointer }: BannedWord, where: string): string {
  return `the ${where} has the word "${word}" at ${pointer || "its top"}, which a client would see`;
}
