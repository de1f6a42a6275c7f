/**
 * The wording of every keyword. Each text was compared with the Go validator's own, but for those of
 * `minContains`, `maxContains`, `$dynamicRef` and `dependencies`, which are too rare to be worded.
 */

import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { compileSchema } from "../../lib/schema/compile.ts";
import cases from "./wordings.json" with { type: "json" };

interface Case {
  readonly name: string;
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly text: string;
}

for (const { name, schema, value, text } of cases as Case[]) {
  Deno.test(`wording: ${name}`, () => {
    assert.equal(compileSchema(schema)(value), text);
  });
}
