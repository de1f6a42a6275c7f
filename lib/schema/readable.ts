import type { JsonObject } from "../json.ts";
import { readDocument } from "./_document.ts";

/**
 * Tells what keeps a schema from being read at all: a reference that leads nowhere, a pattern that is
 * none, something in the place of a schema. It takes much less time than to compile the schema, which
 * waits for the first value.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { unreadable } from "./readable.ts";
 *
 * assert.equal(unreadable({ type: "object" }), undefined);
 * assert.match(unreadable({ $ref: "#/nowhere" }) ?? "", /nowhere/);
 * ```
 *
 * @param schema The schema.
 * @returns Why it cannot be read, or `undefined` when it can.
 */
export function unreadable(schema: JsonObject): string | undefined {
  try {
    readDocument(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
