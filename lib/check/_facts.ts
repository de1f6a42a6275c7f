import type { Scenario } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue, own, tryParse, valueAt } from "../json.ts";
import { argumentPath } from "../template/template.ts";

/** Stands in an answer for what only a call decides. */
const OPEN = "\uE000";

/**
 * What an answer says by itself: its template with nothing filled in but the arguments that the
 * scenario's rule fixes. {@linkcode isOpen} tells of a value that a call decides.
 *
 * @returns The answer; `undefined` when it is JSON only with some insertions.
 */
export function statedAnswer({ template, match }: Scenario): JsonValue | undefined {
  return tryParse(
    template.segments.map((segment) => {
      if (segment.kind === "text") return segment.text;
      const { inString } = segment;
      const path = argumentPath(segment);
      const fixed = path && fixedBy(match, path);
      if (fixed === undefined) return inString ? OPEN : `"${OPEN}"`;
      if (!inString) return JSON.stringify(fixed);
      return JSON.stringify(typeof fixed === "string" ? fixed : JSON.stringify(fixed)).slice(1, -1);
    }).join(""),
  );
}

/** Whether a call decides a value, or a part of it. */
export function isOpen(value: JsonValue): boolean {
  return typeof value === "string" && value.includes(OPEN);
}

/** The value that a rule asks for at a path, where it asks for a single one. */
function fixedBy(rule: JsonObject | undefined, path: readonly string[]): JsonValue | undefined {
  const wanted = valueAt(rule ?? {}, path);
  if (typeof wanted === "string") {
    if (wanted === "*" || wanted.startsWith("~")) return undefined;
    return wanted.startsWith("=") ? wanted.slice(1) : wanted;
  }
  return typeof wanted === "number" || typeof wanted === "boolean" ? wanted : undefined;
}

/** A value in an answer, with the object that holds it. */
export interface Spot {
  readonly value: JsonValue;
  readonly holder: JsonObject;
}

/**
 * Finds the values at a path such as `basket.lines[].item_id`, where `[]` stands for every element;
 * an empty path leads to the answer itself.
 */
export function spotsAt(answer: JsonValue, path: string): Spot[] {
  if (path === "") return [{ value: answer, holder: {} }];
  let spots: Spot[] = isJsonObject(answer) ? [{ value: answer, holder: answer }] : [];
  for (const step of path.split(".")) {
    const key = step.replace(/(\[\])+$/, "");
    const depth = (step.length - key.length) / 2;
    spots = spots.flatMap(({ value }) => {
      const member = isJsonObject(value) ? own(value, key) : undefined;
      return member === undefined ? [] : elements(member, depth, value as JsonObject);
    });
  }
  return spots;
}

function elements(value: JsonValue, depth: number, holder: JsonObject): Spot[] {
  if (depth === 0) return [{ value, holder }];
  return Array.isArray(value) ? value.flatMap((item) => elements(item, depth - 1, holder)) : [];
}

/**
 * Computes an expression over an object, such as `quantity * (price + options[].price)`: numbers,
 * paths, `+ - * ( )`; a path with `[]` is the sum of its values, and `#` before it their count.
 *
 * @returns The number; `undefined` when a call decides a part of it, or a member is not there.
 * @throws {Error} When the expression cannot be read.
 */
export function compute(expression: string, object: JsonObject): number | undefined {
  const tokens = expression.match(/#?[A-Za-z_][\w.[\]]*|\d+(?:\.\d+)?|\S/g) ?? [];
  let at = 0;
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") {
      value += tokens[at++] === "+" ? product() : -product();
    }
    return value;
  };
  const product = (): number => {
    let value = operand();
    while (tokens[at] === "*") {
      at++;
      value *= operand();
    }
    return value;
  };
  const operand = (): number => {
    const token = tokens[at++] ?? "";
    if (token === "(") {
      const value = sum();
      if (tokens[at++] !== ")") throw new Error(`\`${expression}\` lacks a \`)\``);
      return value;
    }
    if (/^\d/.test(token)) return Number(token);
    if (/^#?[A-Za-z_]/.test(token)) return valueOf(token, object);
    throw new Error(`\`${expression}\` cannot be read at \`${token}\``);
  };
  const value = sum();
  if (at < tokens.length) throw new Error(`\`${expression}\` cannot be read at \`${tokens[at]}\``);
  return Number.isNaN(value) ? undefined : value;
}

/** `NaN` where a part is unknown, which then is all of it. */
function valueOf(token: string, object: JsonObject): number {
  const counted = token.startsWith("#");
  const path = counted ? token.slice(1) : token;
  const spots = spotsAt(object, path);
  if (counted) return spots.length;
  if (!path.includes("[]") && spots.length === 0) return NaN;
  return spots.reduce(
    (total, { value }) => total + (typeof value === "number" ? value : NaN),
    0,
  );
}
