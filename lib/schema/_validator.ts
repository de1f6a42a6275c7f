import type { ErrorObject, Options, ValidateFunction } from "ajv";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { SchemaDocument } from "./_document.ts";
import { APART, goKeywords } from "./_keywords.ts";
import { compilePattern } from "./_pattern.ts";
import { DOCUMENT_URI } from "./_references.ts";
import type { IsValid } from "./_unevaluated.ts";

// ajv is a third of the program's code. Imported like this it becomes a file of its own in the
// executable, which a server that was only asked to initialize never reads.
const { Ajv, Ajv2020 } = await import("./_ajv.ts");

/** Decides, through ajv, what is valid under a schema document. */
export interface Validator {
  /**
   * Validates a value under one schema of the document.
   *
   * @param schema The schema, one of the document's own objects.
   * @param value The value.
   * @returns Every error found; none when the value is valid.
   */
  errors(schema: JsonObject, value: JsonValue): readonly ErrorObject[];
  /** Tells whether a value is valid under one schema of the document. */
  readonly isValid: IsValid;
}

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  validateFormats: false,
  logger: false,
  // Without the metaschemas an unknown `$schema` is no obstacle, and nothing can refer to them:
  // Go resolves no reference that leads out of the document either.
  meta: false,
  validateSchema: false,
  // An argument may be called `constructor`; without this ajv would find one in every object.
  ownProperties: true,
  // `minContains` and `maxContains` count in draft-07 too.
  next: true,
  code: { regExp: Object.assign(compilePattern, { code: "compilePattern" }) },
};

/**
 * Builds the validator of a schema document. Each has an ajv of its own, so that schemas with
 * equal `$id`s do not clash and a schema's code goes when its validator does.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readDocument } from "./_document.ts";
 * import { createValidator } from "./_validator.ts";
 *
 * const document = readDocument({ type: "string" });
 * const validator = createValidator(document);
 * assert(validator.isValid(document.root, "a"));
 * assert(validator.errors(document.root, 1).length === 1);
 * ```
 *
 * @param document The schema document.
 * @returns Its validator.
 * @throws {Error} When ajv cannot compile the schema.
 */
export function createValidator(document: SchemaDocument): Validator {
  const ajv = document.draft === "draft-07"
    ? new Ajv({ ...OPTIONS, ignoreKeywordsWithRef: true })
    : new Ajv2020(OPTIONS);
  // On, it would keep the count for the keywords that are replaced here.
  ajv.opts.unevaluated = false;
  for (const definition of goKeywords(document, isValid)) {
    ajv.removeKeyword(String(definition.keyword)).addKeyword(definition);
  }
  ajv.addSchema(document.root, DOCUMENT_URI);
  const compiled = new Map<JsonObject, ValidateFunction>();
  for (const schema of [document.root, ...schemasApart(document)]) validateFunction(schema);
  return { errors, isValid };

  function errors(schema: JsonObject, value: JsonValue): readonly ErrorObject[] {
    const validate = validateFunction(schema);
    return validate(value) ? [] : validate.errors ?? [];
  }

  function isValid(schema: JsonObject, value: JsonValue): boolean {
    return validateFunction(schema)(value);
  }

  function validateFunction(schema: JsonObject): ValidateFunction {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const validate = ajv.getSchema(uriOf(document.pointers.get(schema) ?? ""));
    if (validate === undefined) {
      throw new Error(`ajv has not found ${document.locations.get(schema)}`);
    }
    compiled.set(schema, validate);
    return validate;
  }
}

function schemasApart({ pointers }: SchemaDocument): JsonObject[] {
  return [...pointers.keys()].flatMap((schema) => APART.map((keyword) => schema[keyword]))
    .filter(isJsonObject);
}

function uriOf(pointer: string): string {
  if (pointer === "") return DOCUMENT_URI;
  return `${DOCUMENT_URI}#${pointer.split("/").map(encodeURIComponent).join("/")}`;
}
