// How things are worded. What comes from outside is only ever text.

/** @import { Json, JsonObject, Summary } from "./types.d.ts" */

/** Characters that show nothing and change how others are shown, such as a change of direction. */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text in which everything can be seen.
 *
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return text.replace(INVISIBLE, (one) => {
    const hex = (one.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** @param {string} time RFC 3339. */
export function clock(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return visible(time);
  const [hours, minutes, seconds] = [
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  ]
    .map((part) => String(part).padStart(2, "0"));
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** @param {number | undefined} ms */
export function duration(ms) {
  if (ms === undefined) return "";
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/**
 * What answered a call, or came in place of an answer.
 *
 * @param {Pick<Summary, "scenario" | "why" | "fault" | "pending">} call
 */
export function outcome({ scenario, why, fault, pending }) {
  if (fault !== undefined) return `fault ${fault}`;
  if (scenario !== undefined) return scenario;
  if (pending) return "waiting…";
  return why === undefined ? "" : WHY_SHORT[why] ?? why;
}

/** @type {Record<string, string>} */
const WHY_SHORT = {
  invalid: "arguments refused",
  "unknown-tool": "no such tool",
  error: "broken fixture",
};

/**
 * Why a call was answered as it was, in a sentence.
 *
 * @param {Pick<Summary, "scenario" | "why" | "fault" | "pending">} call
 */
export function reason({ scenario, why, fault, pending }) {
  switch (why) {
    case "forced":
      return `“${scenario}” was forced, whatever the arguments.`;
    case "rule":
      return `Its arguments match the rule of “${scenario}”.`;
    case "default":
      return `Its arguments match no rule, so the default “${scenario}” answered.`;
    case "invalid":
      return "Its arguments do not fit the tool's schema, so no scenario was asked.";
    case "unknown-tool":
      return "There is no such tool.";
    case "fault":
      return `The failure “${fault}” was forced.`;
    case "error":
      return "The fixture could not answer.";
    default:
      return pending ? "It has not been answered yet." : "";
  }
}

/** @param {Pick<Summary, "isError" | "error" | "problem" | "fault" | "why">} call */
export function failed(call) {
  return call.isError === true || call.error !== undefined || call.problem !== undefined ||
    call.fault !== undefined ||
    call.why === "invalid" || call.why === "unknown-tool" ||
    call.why === "error";
}

/** @param {Pick<Summary, "client" | "transport">} call */
export function clientText({ client, transport }) {
  return client === undefined ? transport ?? "" : client.name;
}

/**
 * A rule on one line, as the command line words it: `=` is "equals", `~` "contains", `= *` "is
 * there".
 *
 * @param {Json | undefined} rule
 * @returns {string} "" for none.
 */
export function ruleText(rule) {
  if (!isObject(rule)) return "";
  return leaves(rule, "").join(", ") || "any arguments";
}

/**
 * @param {Json} want
 * @param {string} path
 * @returns {string[]}
 */
function leaves(want, path) {
  if (isObject(want)) {
    const entries = Object.entries(want);
    if (entries.length === 0) return path === "" ? [] : [`${path} is an object`];
    const before = path === "" ? "" : `${path}.`;
    return entries.flatMap(([key, value]) => leaves(value, `${before}${visible(key)}`));
  }
  if (Array.isArray(want)) {
    if (want.length === 0) return [`${path} is a list`];
    return want.flatMap((element) => leaves(element, `${path}[]`));
  }
  return [`${path} ${condition(want)}`];
}

/**
 * What a rule asks of one argument.
 *
 * @param {Json | undefined} want
 * @returns {string}
 */
export function condition(want) {
  if (typeof want !== "string") return `= ${shown(want)}`;
  if (want.startsWith("~")) return `~ ${quoted(want.slice(1))}`;
  if (want === "*") return "= *";
  return want.startsWith("=") ? `= ${shown(want.slice(1))}` : `= ${quoted(want)}`;
}

/** @param {string} text Bare where that is clear. */
function quoted(text) {
  return /^[^\s,"*~=]+$/u.test(text) ? visible(text) : shown(text);
}

/**
 * A value on one line.
 *
 * @param {Json | undefined} value
 */
export function shown(value) {
  if (value === undefined) return "nothing";
  return visible(JSON.stringify(value));
}

/**
 * @param {unknown} value
 * @returns {value is JsonObject}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The text that a result shows to a model.
 *
 * @param {Json | undefined} result
 * @returns {string}
 */
export function resultText(result) {
  if (!isObject(result) || !Array.isArray(result.content)) return "";
  return result.content
    .map((part) => isObject(part) && typeof part.text === "string" ? part.text : "")
    .filter((text) => text !== "").join("\n");
}
