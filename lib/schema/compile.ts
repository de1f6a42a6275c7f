import type { FuncKeywordDefinition, Options, ValidateFunction } from "ajv";
import type { JsonObject, JsonValue } from "../json.ts";
import { canonical, firstRepeat } from "./canonical.ts";
import { compilePattern } from "./_pattern.ts";
import { DOCUMENT_URI, problemIn, readDocument, type SchemaDocument } from "./document.ts";
import { explain } from "./explain.ts";

// ajv is a third of the program's code. Imported like this it becomes a file of its own in the
// executable, which a server that was only asked to initialize never reads.
const { Ajv, Ajv2020 } = await import("./_ajv.ts");

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
 * @returns The validator. It throws an `Error` when the schema does not compile, and nothing for
 * any value: a value nested too deeply to be walked is invalid.
 * @see docs/SPEC.md, sections 3.4 and 8
 */
export function compileSchema(schema: JsonObject): Validate {
  let compiled: Compiled | undefined;
  return (value) => {
    compiled ??= compile(schema);
    const { document, validate } = compiled;
    try {
      return validate(value) ? undefined : explain(document, value, validate.errors ?? []);
    } catch (error) {
      // The stack, or the length of a string: the value is out of all proportion.
      if (!(error instanceof RangeError)) throw error;
      return `validating ${schema.$id || "root"}: exceeded max depth`;
    }
  };
}

/** Tells what keeps a schema from being compiled, or `undefined`. */
export function schemaProblem(schema: JsonObject): string | undefined {
  return problemIn(() => compile(schema));
}

interface Compiled {
  readonly document: SchemaDocument;
  readonly validate: ValidateFunction;
}

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  validateFormats: false,
  logger: false,
  // Without the metaschemas nothing can refer to them: Go resolves no reference that leads out of
  // the document either.
  meta: false,
  validateSchema: false,
  // An argument may be called `constructor`; without this ajv would find one in every object.
  ownProperties: true,
  code: { regExp: Object.assign(compilePattern, { code: "compilePattern" }) },
};

/** Each schema has an ajv of its own, so that equal `$id`s do not clash. */
function compile(schema: JsonObject): Compiled {
  const document = readDocument(schema);
  const ajv = document.isDraft07
    ? new Ajv({ ...OPTIONS, ignoreKeywordsWithRef: true })
    : new Ajv2020(OPTIONS);
  for (const definition of GO_KEYWORDS) {
    ajv.removeKeyword(String(definition.keyword)).addKeyword({ ...definition, errors: false });
  }
  const validate = ajv.addSchema(document.root, DOCUMENT_URI).getSchema(DOCUMENT_URI);
  return { document, validate: validate! };
}

/**
 * The keywords that ajv would judge otherwise than Go.
 *
 * - `const`, `enum`, `uniqueItems`: ajv compares objects through their `valueOf` and `toString`,
 *   which hostile arguments can bring along, and searches for repeats pairwise, which takes
 *   minutes on a long array.
 * - `multipleOf`: ajv takes no large number for a multiple (`parseInt(1e21)` is 1).
 */
const GO_KEYWORDS: readonly FuncKeywordDefinition[] = [
  { keyword: "const", compile: (wanted: JsonValue) => isOneOf([wanted]) },
  { keyword: "enum", schemaType: "array", compile: isOneOf },
  {
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: (factor: number, value: number) => Number.isInteger(value / factor),
  },
  {
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (wanted: boolean, items: JsonValue[]) => !wanted || firstRepeat(items) === undefined,
  },
];

function isOneOf(wanted: readonly JsonValue[]): (value: JsonValue) => boolean {
  const texts = new Set(wanted.map(canonical));
  return (value) => texts.has(canonical(value));
}
