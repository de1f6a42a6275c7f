import type { ErrorObject } from "ajv";
import { goQuoteList } from "../go/format.ts";
import { isJsonObject, type JsonObject, type JsonValue, own, pointerSegment } from "../json.ts";
import { WORDING } from "./_wording.ts";
import {
  isAdditional,
  isFalse,
  listOf,
  mapOf,
  nameOf,
  patternSchemas,
  type SchemaDocument,
} from "./document.ts";

/**
 * Words the first failure of an invalid value as the Go validator does.
 *
 * ajv has decided and reported every failure; Go would have stopped at its first. So this walks
 * the schema beside the value, trying keywords in Go's order, and speaks at the first that ajv
 * reported: an error belongs to a keyword when it names the same schema object, keyword and place
 * in the value. A failure that the walk does not come by, of a rare keyword, is told in ajv's words.
 *
 * @returns Go's message: a `validating <where>: ` for each schema on the way down, then the
 * failing keyword's words.
 * @throws {RangeError} When the value is nested deeper than the stack allows.
 * @see docs/SPEC.md, section 8
 */
export function explain(
  document: SchemaDocument,
  value: JsonValue,
  errors: readonly ErrorObject[],
): string {
  const walk: Walk = { document, failures: indexed(errors) };
  const text = firstFailure(walk, { schema: document.root, value, path: "" }) ??
    unexplained(document, errors.at(-1)!);
  // A lone surrogate has become U+FFFD by the time Go has read it from JSON.
  return text.toWellFormed();
}

/** What the walk goes by. */
interface Walk {
  readonly document: SchemaDocument;
  readonly failures: Failures;
}

/** One schema beside the part of the value it applies to. */
interface Visit {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  /** The JSON Pointer of the value, as ajv writes it. */
  readonly path: string;
}

/** ajv's errors by schema, then by keyword and place in the value. */
type Failures = ReadonlyMap<JsonObject, ReadonlyMap<string, readonly ErrorObject[]>>;

function indexed(errors: readonly ErrorObject[]): Failures {
  const bySchema = Map.groupBy(errors, ({ parentSchema }) => parentSchema as JsonObject);
  return new Map(
    [...bySchema].map(([schema, found]) => [
      schema,
      Map.groupBy(found, ({ keyword, instancePath }) => `${keyword} ${instancePath}`),
    ]),
  );
}

/** Under `propertyNames` ajv gives the place of the object, but the name as the value. */
function failureOf(walk: Walk, visit: Visit, keyword: string): ErrorObject | undefined {
  return walk.failures.get(visit.schema)?.get(`${keyword} ${visit.path}`)
    ?.find(({ data }) => data === visit.value);
}

/** The words for a failure, or `undefined` when there is none. */
type Text = string | undefined;

/** Tries one keyword. */
type Step = (walk: Walk, visit: Visit) => Text;

/** The order in which Go tries the keywords of one schema. */
const STEPS: readonly Step[] = [
  reference,
  ...leaves("type enum const multipleOf minimum maximum exclusiveMinimum exclusiveMaximum"),
  ...leaves("minLength maxLength pattern"),
  ...[allOf, anyOf, oneOf, not, conditional],
  ...[items("prefixItems"), items("items")],
  ...leaves("contains minItems maxItems uniqueItems"),
  items("unevaluatedItems"),
  ...[properties, patternProperties, additionalProperties, propertyNames],
  ...leaves("minProperties maxProperties required dependentRequired"),
  ...[dependentSchemas, unevaluatedProperties],
];

function firstFailure(walk: Walk, visit: Visit): Text {
  const text = firstDefined(STEPS, (step) => step(walk, visit));
  return text && `validating ${walk.document.locations.get(visit.schema)}: ${text}`;
}

/** Goes on to another schema for the same value. */
function below(walk: Walk, visit: Visit, schema: JsonValue | undefined): Text {
  return isJsonObject(schema) ? firstFailure(walk, { ...visit, schema }) : undefined;
}

/** Goes on to a schema for an item or a property of the value. */
function inside(walk: Walk, visit: Visit, key: string, schema: JsonValue | undefined): Text {
  const value = own(visit.value as JsonObject, key);
  if (value === undefined || !isJsonObject(schema)) return undefined;
  return firstFailure(walk, { schema, value, path: `${visit.path}/${pointerSegment(key)}` });
}

/** Keywords that apply no further schema. */
function leaves(keywords: string): Step[] {
  return keywords.split(" ").map((keyword) => (walk, visit) => {
    const failure = failureOf(walk, visit, keyword);
    return failure && wordsFor(failure);
  });
}

function wordsFor({ keyword, message, parentSchema, data }: ErrorObject): string {
  return WORDING[keyword]?.(parentSchema as JsonObject, data as JsonValue) ??
    `${keyword}: ${message}`;
}

function unexplained({ root, locations }: SchemaDocument, error: ErrorObject): string {
  const schemas = new Set([root, error.parentSchema as JsonObject]);
  const way = [...schemas].map((schema) => `validating ${locations.get(schema)}: `);
  return way.join("") + wordsFor(error);
}

// Schemas for the same value

function reference(walk: Walk, visit: Visit): Text {
  return below(walk, visit, walk.document.references.get(visit.schema));
}

function allOf(walk: Walk, visit: Visit): Text {
  return firstDefined(listOf(visit.schema.allOf), (schema) => below(walk, visit, schema));
}

function anyOf(walk: Walk, visit: Visit): Text {
  if (failureOf(walk, visit, "anyOf") === undefined) return undefined;
  const schemas = listOf(visit.schema.anyOf);
  const texts = schemas.map((schema) => below(walk, visit, schema)).join("\n");
  return `anyOf: did not validate against any of ${namesOf(schemas)}:\n${texts}`;
}

function oneOf(walk: Walk, visit: Visit): Text {
  const failure = failureOf(walk, visit, "oneOf");
  if (failure === undefined) return undefined;
  const schemas = listOf(visit.schema.oneOf);
  const passing = failure.params.passingSchemas as [number, number] | null;
  if (passing === null) return `oneOf: did not validate against any of ${namesOf(schemas)}`;
  const [first, second] = passing.map((index) => nameOf(schemas[index]));
  return `oneOf: validated against both ${first} and ${second}`;
}

function not(walk: Walk, visit: Visit): Text {
  return failureOf(walk, visit, "not") && `not: validated against ${nameOf(visit.schema.not)}`;
}

function conditional(walk: Walk, visit: Visit): Text {
  const failure = failureOf(walk, visit, "if");
  return failure && below(walk, visit, visit.schema[String(failure.params.failingKeyword)]);
}

function dependentSchemas(walk: Walk, visit: Visit): Text {
  const schemas = Object.entries(mapOf(visit.schema.dependentSchemas))
    .filter(([name]) => Object.hasOwn(mapOf(visit.value), name));
  return firstDefined(schemas, ([, schema]) => below(walk, visit, schema));
}

// Schemas for items

function items(keyword: "prefixItems" | "items" | "unevaluatedItems"): Step {
  return (walk, visit) => {
    const schemas = visit.schema[keyword];
    if (schemas === undefined || !Array.isArray(visit.value)) return undefined;
    const tuple = listOf(visit.schema.prefixItems).length;
    const indices = [...visit.value.keys()];
    return keyword === "prefixItems"
      ? firstDefined(
        indices.slice(0, tuple),
        (index) => inside(walk, visit, String(index), listOf(schemas)[index]),
      )
      : firstDefined(indices.slice(tuple), (index) => inside(walk, visit, String(index), schemas));
  };
}

// Schemas for properties

function properties(walk: Walk, visit: Visit): Text {
  if (!isJsonObject(visit.value)) return undefined;
  const schemas = Object.entries(mapOf(visit.schema.properties));
  return firstDefined(schemas, ([name, schema]) => inside(walk, visit, name, schema));
}

function patternProperties(walk: Walk, visit: Visit): Text {
  if (visit.schema.patternProperties === undefined) return undefined;
  return firstDefined(keysOf(visit.value), (name) => {
    const schemas = patternSchemas(visit.schema, name);
    return firstDefined(schemas, (schema) => inside(walk, visit, name, schema));
  });
}

function additionalProperties(walk: Walk, visit: Visit): Text {
  const { additionalProperties } = visit.schema;
  if (!isJsonObject(additionalProperties)) return undefined;
  const names = keysOf(visit.value).filter((name) => isAdditional(visit.schema, name));
  const text = firstDefined(names, (name) => inside(walk, visit, name, additionalProperties));
  return text && isFalse(additionalProperties)
    ? `unexpected additional properties ${goQuoteList(names)}`
    : text;
}

function propertyNames(walk: Walk, visit: Visit): Text {
  const { propertyNames } = visit.schema;
  if (propertyNames === undefined) return undefined;
  const names = keysOf(visit.value);
  return firstDefined(names, (value) => below(walk, { ...visit, value }, propertyNames));
}

function unevaluatedProperties(walk: Walk, visit: Visit): Text {
  const { unevaluatedProperties: schema } = visit.schema;
  if (schema === undefined) return undefined;
  return firstDefined(keysOf(visit.value), (name) => inside(walk, visit, name, schema));
}

// Words and readers

function namesOf(schemas: readonly JsonValue[]): string {
  return `[${schemas.map(nameOf).join(" ")}]`;
}

function keysOf(value: JsonValue): string[] {
  return Object.keys(mapOf(value));
}

function firstDefined<Item>(items: Iterable<Item>, find: (item: Item) => Text): Text {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
