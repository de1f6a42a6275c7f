import { isJsonObject, type JsonValue } from "../json.ts";

/**
 * Writes a JSON value so that two values are equal, as JSON Schema understands it, exactly when
 * their texts are: the order of keys does not matter, and `1`, `1.0` and `1e0` are one number.
 *
 * Comparing texts rather than walking two values keeps `uniqueItems` linear, and no key of the
 * data (`valueOf`, `constructor`) can reach into the comparison.
 *
 * @throws {RangeError} When the value is nested deeper than the stack allows.
 */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort().map((key) =>
      `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`
    );
    return `{${members.join()}}`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/**
 * Finds the first array item that repeats an earlier one: its index, and that of the earlier one.
 */
export function firstRepeat(
  items: readonly JsonValue[],
): [later: number, first: number] | undefined {
  // Only an array or object needs a text; everything else is its own key.
  const scalars = new Map<JsonValue, number>();
  const texts = new Map<string, number>();
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    const isScalar = typeof item !== "object" || item === null;
    const first = isScalar ? indexIn(scalars, item, index) : indexIn(texts, canonical(item), index);
    if (first !== index) return [index, first];
  }
  return undefined;
}

/** The index at which a key came first; now, if it is new. */
function indexIn<Key>(seen: Map<Key, number>, key: Key, index: number): number {
  const first = seen.get(key);
  if (first !== undefined) return first;
  seen.set(key, index);
  return index;
}
