import { isJsonObject, type JsonObject, type JsonValue, tryParse } from "../json.ts";
import { encodedOnce, oneLine, type WireJson, writeJson } from "../wire_json.ts";
import { insertion } from "./_insertion.ts";
import type { RenderEnvironment } from "./environment.ts";
import { renderTemplate } from "./render.ts";
import type { PlaceholderSegment, Template } from "./template.ts";

/** An answer, written for clients. */
export interface RenderedJson {
  /** The answer. */
  readonly json: WireJson;
  /** The answer's compact JSON as a string, which is how MCP sends it in a result's content. */
  readonly quoted: WireJson;
  /** Whether the answer is a JSON object. */
  readonly isObject: boolean;
}

/**
 * Renders a template to JSON: what is written of {@linkcode renderTemplate}'s value, to the letter.
 * Mostly that needs no value: all but the placeholders was written when the template was first
 * rendered, and is copied, which takes a tenth of the time for a large answer.
 *
 * @throws {TemplateError} When the result is not valid JSON; the offset is the template's own.
 */
export function renderJson(
  template: Template,
  args: JsonObject,
  environment: RenderEnvironment,
): RenderedJson {
  let skeleton = skeletons.get(template);
  if (skeleton === undefined) skeletons.set(template, skeleton = skeletonOf(template) ?? "none");
  return skeleton === "none"
    ? inFull(template, args, environment)
    : fill(skeleton, args, environment) ?? inFull(template, args, environment);
}

/** A template's answer without what its placeholders insert: `first`, then each of `rest`. */
interface Skeleton {
  readonly first: Piece;
  readonly rest: readonly { readonly placeholder: PlaceholderSegment; readonly then: Piece }[];
}

/** A stretch of an answer, as it stands in its JSON and in that JSON as a string. */
interface Piece {
  readonly json: string | Uint8Array;
  readonly quoted: string | Uint8Array;
}

const skeletons = new WeakMap<Template, Skeleton | "none">();

function inFull(
  template: Template,
  args: JsonObject,
  environment: RenderEnvironment,
): RenderedJson {
  const value = renderTemplate(template, args, environment);
  const text = JSON.stringify(value);
  return { json: [oneLine(text)], quoted: writeJson(text), isObject: isJsonObject(value) };
}

function fill(
  { first, rest }: Skeleton,
  args: JsonObject,
  environment: RenderEnvironment,
): RenderedJson | undefined {
  const now = environment.now();
  const json: (string | Uint8Array)[] = [first.json];
  const quoted: (string | Uint8Array)[] = ['"', first.quoted];
  for (const { placeholder, then } of rest) {
    const inserted = insertion(placeholder, args, now, environment);
    if (LONE_SURROGATE.test(inserted)) return undefined;
    json.push(oneLine(inserted), then.json);
    quoted.push(quotedContent(inserted), then.quoted);
  }
  quoted.push('"');
  const opening = json.find((part) => part.length > 0)?.[0];
  return { json, quoted, isObject: opening === "{" || opening === OPENING_BRACE };
}

const OPENING_BRACE = 0x7b;

// Marks for placeholders, of characters that mean nothing by themselves.
const IN_STRING = "\uE000";
const BARE = "\uE001";
const END = "\uE002";
const ANY_MARK = /[\uE000-\uE002]|\\u[eE]00[0-2]/;
const MARK = /"\uE001(\d+)\uE002"|\uE000(\d+)\uE002/;

/** Half a character, escaped; beside another half it would become the whole one. */
const LONE_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Writes a template's answer with marks in the places of its placeholders, and cuts it there. What
 * an insertion might change beyond its own place, or what is JSON only with some insertions, has no
 * skeleton: a placeholder in a key (it may repeat another key), beside another (`{{unix}}000`).
 */
function skeletonOf({ segments }: Template): Skeleton | undefined {
  const marked = segments.map((segment, index) => {
    if (segment.kind === "text") return segment.text;
    return segment.inString ? `${IN_STRING}${index}${END}` : `"${BARE}${index}${END}"`;
  }).join("");
  const value = tryParse(marked);
  if (value === undefined || hasMarkedKey(value)) return undefined;
  if (segments.some((segment) => segment.kind === "text" && ANY_MARK.test(segment.text))) return;
  const text = JSON.stringify(value);
  if (LONE_SURROGATE.test(text)) return undefined;
  const piece = (json: string): Piece => ({
    json: encodedOnce(oneLine(json)),
    quoted: encodedOnce(quotedContent(json)),
  });
  // The split gives text, then for each mark its two groups, of which one is set, and the next text.
  const [first = "", ...cuts] = text.split(MARK);
  const rest = [];
  for (let at = 0; at < cuts.length; at += 3) {
    const placeholder = segments[Number(cuts[at] ?? cuts[at + 1])] as PlaceholderSegment;
    rest.push({ placeholder, then: piece(cuts[at + 2]!) });
  }
  return { first: piece(first), rest };
}

function hasMarkedKey(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasMarkedKey);
  return isJsonObject(value) &&
    Object.entries(value).some(([key, member]) => ANY_MARK.test(key) || hasMarkedKey(member));
}

/** What stands between the quotation marks of a text as a JSON string. */
function quotedContent(text: string): string {
  return oneLine(JSON.stringify(text)).slice(1, -1);
}
