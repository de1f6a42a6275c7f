import type { JsonObject, JsonValue } from "../json.ts";
import type { Expression } from "./expression.ts";
import type { RenderEnvironment } from "./environment.ts";
import type { PlaceholderSegment } from "./template.ts";
import { formatTime, shiftTime } from "./time.ts";

/**
 * Writes what stands in the place of a placeholder: JSON, or inside a JSON string, escaped text.
 * `now` is the instant of this rendering, in milliseconds since the Unix epoch.
 */
export function insertion(
  { expression, inString }: PlaceholderSegment,
  args: JsonObject,
  now: number,
  environment: RenderEnvironment,
): string {
  const value = evaluate(expression, args, now, environment);
  return inString ? asStringContent(value) : JSON.stringify(value);
}

function evaluate(
  expression: Expression,
  args: JsonObject,
  now: number,
  environment: RenderEnvironment,
): JsonValue {
  switch (expression.kind) {
    case "args":
      return walk(args, expression.path);
    case "now":
      return formatTime(shiftTime(now, expression.offset, expression.round), expression.format);
    case "unix":
      return Math.floor(shiftTime(now, expression.offset) / 1000);
    case "unixms":
      return shiftTime(now, expression.offset);
    case "uuid":
      return environment.uuid();
    case "rand":
      return environment.randomInteger(expression.min, expression.max);
  }
}

const INDEX = /^(?:0|[1-9]\d*)$/;

/** Follows own properties and array indices only; whatever is missing is `null`. */
function walk(args: JsonObject, path: readonly string[]): JsonValue {
  let value: JsonValue = args;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return null;
    if (Array.isArray(value) ? !INDEX.test(key) : !Object.hasOwn(value, key)) return null;
    value = (value as JsonObject)[key] ?? null;
  }
  return value;
}

/** The text of a value as it may stand between quotation marks. */
function asStringContent(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return JSON.stringify(text).slice(1, -1);
}
