import type { JsonObject, JsonValue } from "../json.ts";
import { readDocument, type SchemaDocument } from "./_document.ts";
import { createValidator, type Validator } from "./_validator.ts";
import { explain } from "./explain.ts";

/**
 * Validates a value: `undefined` when it is valid, else what the Go validator would say, from
 * `validating root: ` (or the schema's `$id` in place of `root`) on.
 */
export type Validate = (value: JsonValue) => string | undefined;

/**
 * Makes a validator of a schema. ajv decides what is valid, by draft 2020-12 unless the schema
 * declares draft-07; formats are annotations. The schema must not be changed afterwards.
 *
 * The schema is compiled when the first value is validated, so that a server with many tools
 * starts at once. {@linkcode schemaProblem} tells beforehand whether that will succeed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compileSchema } from "./compile.ts";
 *
 * const validate = compileSchema({ type: "object", required: ["id"] });
 * assert(validate({ id: 1 }) === undefined);
 * assert(validate({}) === 'validating root: required: missing properties: ["id"]');
 * ```
 *
 * @param schema The JSON Schema.
 * @returns The validator. It throws an `Error` when the schema does not compile, and nothing for
 * any value: a value nested too deeply to be walked is invalid.
 * @see BUILD.md §3, "tools/call"; DECISIONS.md, 18 and 21
 */
export function compileSchema(schema: JsonObject): Validate {
  let compiled: Compiled | undefined;
  return (value) => {
    compiled ??= compile(schema);
    const { document, validator } = compiled;
    try {
      const errors = validator.errors(document.root, value);
      return errors.length === 0 ? undefined : explain(document, validator, value, errors);
    } catch (error) {
      // The stack, or the length of a string: the value is out of all proportion.
      if (!(error instanceof RangeError)) throw error;
      return `validating ${schema.$id || "root"}: exceeded max depth`;
    }
  };
}

/**
 * Tells what keeps a schema from being compiled.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { schemaProblem } from "./compile.ts";
 *
 * assert(schemaProblem({ type: "object" }) === undefined);
 * assert(schemaProblem({ minimum: "5" }) === 'minimum value must be ["number"]');
 * ```
 *
 * @param schema The JSON Schema.
 * @returns The problem in words, or `undefined` when the schema compiles.
 */
export function schemaProblem(schema: JsonObject): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Compiled {
  readonly document: SchemaDocument;
  readonly validator: Validator;
}

function compile(schema: JsonObject): Compiled {
  const document = readDocument(schema);
  return { document, validator: createValidator(document) };
}
