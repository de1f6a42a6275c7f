import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { blockJson, inlineJson, literal } from "./_json_text.ts";

/** A value of a recorded answer that a placeholder takes the place of. */
export interface Change {
  /** Keys and indices on the way there. */
  readonly path: string;
  readonly before: string | number;
  /** What stands in the template, without quotation marks. */
  readonly after: string;
}

/** An argument that answers may echo. */
export interface Echo {
  readonly path: readonly string[];
  readonly value: string | number;
}

/** Which placeholders an answer may get; none for one that is to stay literally as it is. */
export interface Placeholders {
  readonly echoes: readonly Echo[];
  /** When it was recorded, in milliseconds since the Unix epoch. */
  readonly time: number;
}

/** Values up to this width stay on one line. */
const WIDTH = 100;
/** Times this near to the recording are told from now on, in milliseconds. */
const NEAR_MS = 7 * 24 * 3_600_000;
/** Texts this short are equal by chance. */
const SHORTEST_WHOLE = 3;
const SHORTEST_PART = 6;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Writes a recorded answer as the text of a template: with placeholders for arguments that it echoes
 * and for times near the recording, which are told as changes. Two braces of its own are escaped.
 */
export function answerText(
  answer: JsonValue,
  placeholders?: Placeholders,
): { text: string; changes: Change[] } {
  // By their place: a member that does not fit on its line is written twice.
  const changes = new Map<string, Change>();
  const leaf = (value: JsonValue, path: readonly string[]): string => {
    const after = placeholders && replaced(value, path, placeholders);
    if (after === undefined) return literal(JSON.stringify(value));
    const before = value as string | number;
    changes.set(JSON.stringify(path), { path: path.join("."), before, after });
    return typeof value === "string" ? `"${after}"` : after;
  };
  const write = (value: JsonValue, path: readonly string[]): string => {
    const indent = path.length * 2;
    const flat = inlineJson(value, leaf, " ", path);
    if (typeof value !== "object" || value === null || flat.length + indent <= WIDTH) return flat;
    return blockJson(value, indent, (member, key) => write(member, [...path, key]));
  };
  const text = write(answer, []);
  return { text, changes: [...changes.values()] };
}

function replaced(
  value: JsonValue,
  path: readonly string[],
  { echoes, time }: Placeholders,
): string | undefined {
  const echoed = (echo: Echo): string => `{{args.${echo.path.join(".")}}}`;
  if (typeof value === "number") {
    const echo = echoes.find((one) => one.value === value && one.path.at(-1) === path.at(-1));
    return echo && echoed(echo);
  }
  if (typeof value !== "string") return undefined;
  if (TIME.test(value)) {
    const distance = Date.parse(value) - time;
    if (Math.abs(distance) <= NEAR_MS) return `{{now${distanceText(distance)}}}`;
  }
  const whole = echoes.find((one) => one.value === value && value.length >= SHORTEST_WHOLE);
  if (whole !== undefined) return echoed(whole);
  const parts = echoes.filter((one): one is Echo & { value: string } =>
    typeof one.value === "string" && one.value.length >= SHORTEST_PART
  );
  for (const echo of parts) {
    const [before, after, more] = value.split(echo.value);
    const isWord = /(?:^|[^\p{L}\p{N}])$/u.test(before!) &&
      /^(?:$|[^\p{L}\p{N}])/u.test(after ?? "x");
    if (!isWord || more !== undefined) continue;
    const [start, end] = [before!, after!].map((piece) =>
      literal(JSON.stringify(piece)).slice(1, -1)
    );
    // A brace beside the placeholder's own would be read as one of them.
    return `${start!.replace(/\{$/, "\\u007b")}${echoed(echo)}${end}`;
  }
  return undefined;
}

/** Whole seconds within two minutes, else whole minutes: `+1h30m`, `-45s`. */
function distanceText(ms: number): string {
  const step = Math.abs(ms) < 120_000 ? 1 : 60;
  const seconds = Math.round(Math.abs(ms) / 1000 / step) * step;
  if (seconds === 0) return "";
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const text = `${hours}h${minutes}m${seconds % 60}s`.replaceAll(/(?<!\d)0[hms]/g, "");
  return (ms < 0 ? "-" : "+") + text;
}

/**
 * The arguments that an answer may echo, longest texts first: texts and numbers that are there in every
 * call which the scenario answers, as `isSure` tells, and whose path a placeholder can name.
 */
export function echoesOf(
  args: JsonObject,
  isSure: (path: readonly string[]) => boolean,
): Echo[] {
  const found: Echo[] = [];
  const visit = (value: JsonValue, path: readonly string[]): void => {
    if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        if (/^[\w-]+$/.test(key)) visit(member, [...path, key]);
      }
    } else if ((typeof value === "string" || typeof value === "number") && isSure(path)) {
      found.push({ path, value });
    }
  };
  visit(args, []);
  return found.sort((a, b) => String(b.value).length - String(a.value).length);
}

/**
 * Finds two braces in a row, which would open a placeholder, in a value whose path is given: the path
 * of the first such text, or of the member with such a key.
 */
export function bracesIn(value: JsonValue, path = ""): string | undefined {
  if (typeof value === "string") return value.includes("{{") ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const inner = path === "" ? key : `${path}.${key}`;
    const found = key.includes("{{") ? inner : bracesIn(member, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
