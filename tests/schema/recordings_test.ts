/**
 * What a server on the official Go SDK answered, call by call: the `validate` group of the
 * recordings, each with the input schema of its tool.
 */

import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/json.ts";
import { compileSchema } from "../../lib/schema/compile.ts";
import { applyDefaults } from "../../lib/schema/defaults.ts";
import recordings from "./recordings.json" with { type: "json" };

/** A recorded call, with the validator's text or else the arguments that reached the tool. */
interface Call {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly text?: string;
  readonly args?: JsonObject;
}

const schemas = recordings.schemas as Record<string, JsonObject>;
const calls = recordings.calls as Call[];

for (const call of calls) {
  Deno.test(`recorded: ${call.tool} ${JSON.stringify(call.arguments)}`, () => {
    const schema = schemas[call.tool]!;
    const args = applyDefaults(schema, call.arguments);
    assert.equal(compileSchema(schema)(args), call.text);
    if (call.args !== undefined) assert.deepEqual(args, call.args);
  });
}
