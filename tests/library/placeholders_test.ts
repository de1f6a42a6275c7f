import assert from "node:assert/strict";
import type { PlaceholderSegment } from "../../lib/template/template.ts";
import { readLibrary } from "./_library.ts";

const placeholders: readonly PlaceholderSegment[] = [...readLibrary().values()]
  .flatMap(({ scenarios }) => scenarios)
  .flatMap(({ template }) => template.segments)
  .filter((segment) => segment.kind === "placeholder");

/** Every kind of placeholder that the format has, and how to tell it. */
const KINDS: Readonly<Record<string, (placeholder: PlaceholderSegment) => boolean>> = {
  "args.<path> in a string": ({ expression, inString }) => expression.kind === "args" && inString,
  "args.<path> as a value": ({ expression, inString }) => expression.kind === "args" && !inString,
  "args.<path> with more than one key": ({ expression }) =>
    expression.kind === "args" && expression.path.length > 1,
  "now": ({ expression }) => expression.kind === "now" && expression.offset === 0n,
  "now+<duration>": ({ expression }) => expression.kind === "now" && expression.offset > 0n,
  "now-<duration>": ({ expression }) => expression.kind === "now" && expression.offset < 0n,
  "now…@<duration>": ({ expression }) =>
    expression.kind === "now" && expression.round !== undefined,
  "now…|date": hasFormat("date"),
  "now…|weekday": hasFormat("weekday"),
  "now…|hhmm": hasFormat("hhmm"),
  "now…|daylabel": hasFormat("daylabel"),
  "now…@<duration>|<format>": ({ expression }) =>
    expression.kind === "now" && expression.round !== undefined && expression.format !== undefined,
  "unix": ({ expression }) => expression.kind === "unix",
  "unixms": ({ expression }) => expression.kind === "unixms",
  "uuid": ({ expression }) => expression.kind === "uuid",
  "rand:MIN-MAX": ({ expression }) => expression.kind === "rand",
};

Deno.test("the library uses every kind of placeholder", async (t) => {
  for (const [kind, isOne] of Object.entries(KINDS)) {
    await t.step(kind, () => assert(placeholders.some(isOne)));
  }
});

function hasFormat(format: string): (placeholder: PlaceholderSegment) => boolean {
  return ({ expression }) => expression.kind === "now" && expression.format === format;
}
