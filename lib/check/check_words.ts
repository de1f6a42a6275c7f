import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { isJsonObject, type JsonValue, pointerSegment } from "../json.ts";
import { aboutDefinition, aboutScenario, type Finding } from "./finding.ts";

/** What nothing a client observes may contain, in any case (docs/SPEC.md, section 9). */
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
  /** The whole word that it is in, as it is written. */
  readonly within: string;
  /** JSON Pointer of the string, or of the member whose key it is. */
  readonly pointer: string;
}

/** Finds banned words in the keys and strings of a JSON value. */
export function findBannedWords(
  value: JsonValue,
  allowed: readonly string[] = [],
  pointer = "",
): BannedWord[] {
  if (typeof value === "string") return wordsIn(value, allowed, pointer);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findBannedWords(item, allowed, `${pointer}/${index}`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = `${pointer}/${pointerSegment(key)}`;
    return [...wordsIn(key, allowed, inner), ...findBannedWords(member, allowed, inner)];
  });
}

/** Finds banned words in a definition. */
export function checkDefinitionWords(fixture: Fixture, allowed: readonly string[]): Finding[] {
  return findBannedWords(fixture.definition, allowed).map((found) =>
    aboutDefinition("banned-word", fixture, messageOf(found, "definition"))
  );
}

/** Finds banned words in an answer. */
export function checkAnswerWords(
  fixture: Fixture,
  scenario: Scenario,
  answer: JsonValue,
  allowed: readonly string[],
): Finding[] {
  return findBannedWords(answer, allowed).map((found) =>
    aboutScenario("banned-word", fixture, scenario, messageOf(found, "answer"))
  );
}

function wordsIn(text: string, allowed: readonly string[], pointer: string): BannedWord[] {
  const seen = allowed.map((word) => word.toLowerCase()).filter((word) => word !== "")
    .reduce((rest, word) => rest.replaceAll(word, " ".repeat(word.length)), text.toLowerCase());
  return BANNED_WORDS.filter((word) => seen.includes(word)).map((word) => {
    const at = seen.indexOf(word);
    const before = /[\p{L}\p{N}]*$/u.exec(text.slice(0, at))![0];
    const after = /^[\p{L}\p{N}]*/u.exec(text.slice(at + word.length))![0];
    const within = before + text.slice(at, at + word.length) + after;
    return { word, within, pointer };
  });
}

function messageOf({ word, within, pointer }: BannedWord, where: string): string {
  const place = `at ${pointer || "its top"}`;
  return within.toLowerCase() === word
    ? `the ${where} has the word "${word}" ${place}, which a client would see; take another word`
    : `the ${where} has "${word}" inside "${within}" ${place}, which a client would see; ` +
      `take another word, or allow this one with --allow-word ${within}`;
}
