/** At most this many guesses are offered; more is a list, not a guess. */
const MOST = 3;
/** How long a short word is. */
const SHORT = 6;

/**
 * Finds what somebody may have meant by a word that is not known, best guesses first: the candidates
 * within a few slips of it, else those whose words begin with its parts (`menu` →
 * `food_get_restaurant_menu`).
 */
export function closest(word: string, candidates: Iterable<string>): string[] {
  const wanted = fold(word);
  const all = [...new Set(candidates)];
  const near = all
    .map((candidate) => ({ candidate, distance: slips(wanted, fold(candidate)) }))
    .filter(({ candidate, distance }) => distance <= tolerance(wanted, candidate));
  if (near.length > 0) {
    const least = Math.min(...near.map(({ distance }) => distance));
    return near.filter(({ distance }) => distance === least)
      .map(({ candidate }) => candidate).slice(0, MOST);
  }
  const parts = wanted.split("_").filter((part) => part.length > 2);
  if (parts.length === 0) return [];
  return all.filter((candidate) => holdsAll(parts, fold(candidate).split("_"))).slice(0, MOST);
}

/** Whether each part is the beginning of a word of the name. */
function holdsAll(parts: readonly string[], words: readonly string[]): boolean {
  return parts.every((part) => words.some((word) => word.startsWith(part)));
}

/** Words the best guesses as the end of a sentence: `, did you mean …?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const guesses = closest(word, candidates).map((guess) => `\`${guess}\``);
  if (guesses.length === 0) return "";
  const last = guesses.pop()!;
  return `, did you mean ${guesses.length === 0 ? last : `${guesses.join(", ")} or ${last}`}?`;
}

/** Case and the kind of hyphen are the commonest slips of all, and cost nothing. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[-\s]/g, "_");
}

/** One slip in a short word, where two make another word; up to three in a long one. */
function tolerance(word: string, candidate: string): number {
  const length = Math.max(word.length, candidate.length);
  return length <= SHORT ? 1 : Math.min(3, Math.ceil(length / 4));
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function slips(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = old[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(old[j]! + 1, row[j - 1]! + 1, substitution);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j]!, older[j - 2]! + 1);
    }
    older = old;
    old = row;
  }
  return old[b.length]!;
}
