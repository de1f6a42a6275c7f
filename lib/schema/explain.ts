import type { ErrorObject } from "ajv";
import { isJsonObject, type JsonObject, type JsonValue, own, pointerSegment } from "../json.ts";
import { isAdditional, itemSchemas, patternSchemas } from "./_children.ts";
import { isOnlyReference, type SchemaDocument } from "./_document.ts";
import { goQuoteList, goStringVerb } from "../go/format.ts";
import { branchOf } from "./_keywords.ts";
import { listOf, mapOf } from "./_read.ts";
import { unevaluatedKeys } from "./_unevaluated.ts";
import type { Validator } from "./_validator.ts";
import { WORDING } from "./_wording.ts";

/**
 * Words the first failure of an invalid value as the Go validator does.
 *
 * ajv has decided and reported every failure; Go would have stopped at its first. So this walks
 * the schema beside the value, trying keywords in Go's order, and speaks at the first that ajv
 * reported: an error belongs to a keyword when it names the same schema object, keyword and place
 * in the value. Only what those errors leave open is asked anew: which names fail
 * `propertyNames`, how many items pass `contains`, and what fails below `if` and `unevaluated…`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readDocument } from "./_document.ts";
 * import { createValidator } from "./_validator.ts";
 * import { explain } from "./explain.ts";
 *
 * const document = readDocument({ properties: { a: { type: "string" } }, required: ["b"] });
 * const validator = createValidator(document);
 * const text = explain(document, validator, { a: 5 }, validator.errors(document.root, { a: 5 }));
 * assert(
 *   text === 'validating root: validating /properties/a: type: 5 has type "integer", want "string"',
 * );
 * ```
 *
 * @param document The schema.
 * @param validator Its validator.
 * @param value The invalid value.
 * @param errors The validator's errors for the value.
 * @returns Go's message: a `validating <where>: ` for each schema on the way down, then the
 * failing keyword's words.
 * @throws {RangeError} When the value is nested deeper than the stack allows.
 * @see DECISIONS.md, "The Go validator's wording"
 */
export function explain(
  document: SchemaDocument,
  validator: Validator,
  value: JsonValue,
  errors: readonly ErrorObject[],
): string {
  const walk: Walk = { document, validator, failures: indexed(errors) };
  const root: Place = { schema: document.root, value, path: "", scope: [] };
  const text = firstFailure(walk, root) ?? unexplained(walk, errors);
  // A lone surrogate has become U+FFFD by the time Go has read it from JSON.
  return text.toWellFormed();
}

/** What the walk goes by. */
interface Walk {
  readonly document: SchemaDocument;
  readonly validator: Validator;
  readonly failures: Failures;
}

/** One schema beside the part of the value it applies to. */
interface Place {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  /** The JSON Pointer of the value, as ajv writes it. */
  readonly path: string;
  /** The schemas on the way here, outermost first. */
  readonly scope: readonly JsonObject[];
}

/** ajv's errors by schema, then by keyword and place in the value. */
type Failures = ReadonlyMap<JsonObject, ReadonlyMap<string, ErrorObject>>;

function indexed(errors: readonly ErrorObject[]): Failures {
  const failures = new Map<JsonObject, Map<string, ErrorObject>>();
  for (const error of errors) {
    const schema = error.parentSchema as JsonObject;
    let found = failures.get(schema);
    if (found === undefined) failures.set(schema, found = new Map());
    found.set(failureKey(error.keyword, error.instancePath, error.data as JsonValue), error);
  }
  return failures;
}

function failureOf(walk: Walk, place: Place, keyword: string): ErrorObject | undefined {
  return walk.failures.get(place.schema)?.get(failureKey(keyword, place.path, place.value));
}

/** Under `propertyNames` ajv gives the place of the object, but the name as the value. */
function failureKey(keyword: string, path: string, value: JsonValue): string {
  return `${keyword} ${typeof value} ${path}`;
}

/** The words for a failure, or `undefined` when there is none. */
type Text = string | undefined;

/** Tries one keyword. */
type Step = (walk: Walk, place: Place) => Text;

/** The order in which Go tries the keywords of one schema. */
const STEPS: readonly Step[] = [
  reference,
  leaf("type"),
  leaf("enum"),
  leaf("const"),
  leaf("multipleOf"),
  leaf("minimum"),
  leaf("maximum"),
  leaf("exclusiveMinimum"),
  leaf("exclusiveMaximum"),
  leaf("minLength"),
  leaf("maxLength"),
  leaf("pattern"),
  dynamicReference,
  allOf,
  anyOf,
  oneOf,
  not,
  conditional,
  prefixItems,
  items,
  contains,
  leaf("minItems"),
  leaf("maxItems"),
  leaf("uniqueItems"),
  unevaluated("unevaluatedItems"),
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  leaf("minProperties"),
  leaf("maxProperties"),
  leaf("required"),
  leaf("dependentRequired"),
  leaf("dependencies"),
  dependentSchemas,
  unevaluated("unevaluatedProperties"),
];

function firstFailure(walk: Walk, place: Place): Text {
  const here = { ...place, scope: [...place.scope, place.schema] };
  const steps = isOnlyReference(place.schema, walk.document.draft) ? [reference] : STEPS;
  const text = firstDefined(steps, (step) => step(walk, here));
  return text && `validating ${walk.document.locations.get(place.schema)}: ${text}`;
}

/** Goes on to another schema for the same value. */
function below(walk: Walk, place: Place, schema: JsonValue | undefined): Text {
  return isJsonObject(schema) ? firstFailure(walk, { ...place, schema }) : undefined;
}

/** Goes on to a schema for an item of the value. */
function item(walk: Walk, place: Place, index: number, schema: JsonValue | undefined): Text {
  return inside(walk, place, String(index), listOf(place.value)[index], schema);
}

/** Goes on to a schema for a property of the value. */
function property(walk: Walk, place: Place, name: string, schema: JsonValue | undefined): Text {
  return inside(walk, place, name, own(mapOf(place.value), name), schema);
}

function inside(
  walk: Walk,
  { path, scope }: Place,
  key: string,
  value: JsonValue | undefined,
  schema: JsonValue | undefined,
): Text {
  if (value === undefined || !isJsonObject(schema)) return undefined;
  return firstFailure(walk, { schema, value, path: `${path}/${pointerSegment(key)}`, scope });
}

function leaf(keyword: keyof typeof WORDING): Step {
  return (walk, place) =>
    failureOf(walk, place, keyword) && WORDING[keyword](place.schema, place.value);
}

// Schemas for the same value

function reference(walk: Walk, place: Place): Text {
  return below(walk, place, walk.document.references.get(place.schema));
}

function dynamicReference(walk: Walk, place: Place): Text {
  return below(walk, place, walk.document.dynamicTarget(place.schema, place.scope));
}

function allOf(walk: Walk, place: Place): Text {
  return firstDefined(listOf(place.schema.allOf), (schema) => below(walk, place, schema));
}

function anyOf(walk: Walk, place: Place): Text {
  if (failureOf(walk, place, "anyOf") === undefined) return undefined;
  const schemas = listOf(place.schema.anyOf);
  const texts = schemas.map((schema) => below(walk, place, schema)).join("\n");
  return `anyOf: did not validate against any of ${namesOf(walk, schemas)}:\n${texts}`;
}

function oneOf(walk: Walk, place: Place): Text {
  const failure = failureOf(walk, place, "oneOf");
  if (failure === undefined) return undefined;
  const schemas = listOf(place.schema.oneOf);
  const passing = failure.params.passingSchemas as [number, number] | null;
  if (passing === null) return `oneOf: did not validate against any of ${namesOf(walk, schemas)}`;
  const [first, second] = passing.map((index) => nameOf(walk, schemas[index]));
  return `oneOf: validated against both ${first} and ${second}`;
}

function not(walk: Walk, place: Place): Text {
  return failureOf(walk, place, "not") &&
    `not: validated against ${nameOf(walk, place.schema.not)}`;
}

function conditional(walk: Walk, place: Place): Text {
  if (failureOf(walk, place, "if") === undefined) return undefined;
  const { schema, value } = place;
  return anew(walk, place, branchOf(schema, value, walk.validator.isValid), value);
}

function dependentSchemas(walk: Walk, place: Place): Text {
  const schemas = mapOf(place.schema.dependentSchemas ?? place.schema.dependencies);
  const names = Object.keys(schemas).filter((name) => Object.hasOwn(mapOf(place.value), name));
  return firstDefined(names, (name) => below(walk, place, schemas[name]));
}

// Schemas for items

function prefixItems(walk: Walk, place: Place): Text {
  const { tuple } = itemSchemas(place.schema);
  const count = Math.min(tuple.length, listOf(place.value).length);
  return firstDefined(rangeOf(0, count), (index) => item(walk, place, index, tuple[index]));
}

function items(walk: Walk, place: Place): Text {
  const { tuple, rest } = itemSchemas(place.schema);
  const indices = rangeOf(tuple.length, listOf(place.value).length);
  return firstDefined(indices, (index) => item(walk, place, index, rest));
}

function contains(walk: Walk, place: Place): Text {
  if (failureOf(walk, place, "contains") === undefined) return undefined;
  const { minContains = 1, maxContains } = place.schema;
  const schema = place.schema.contains as JsonObject;
  const values = listOf(place.value);
  const count = values.filter((value) => walk.validator.isValid(schema, value)).length;
  if (count === 0 && Number(minContains) > 0) {
    const name = nameOf(walk, schema);
    return `contains: ${goStringVerb(values)} does not have an item matching ${name}`;
  }
  return count < Number(minContains)
    ? `minContains: contains validated ${count} items, less than ${minContains}`
    : `maxContains: contains validated ${count} items, greater than ${maxContains}`;
}

// Schemas for properties

function properties(walk: Walk, place: Place): Text {
  const schemas = Object.entries(mapOf(place.schema.properties));
  return firstDefined(schemas, ([name, schema]) => property(walk, place, name, schema));
}

function patternProperties(walk: Walk, place: Place): Text {
  return firstDefined(keysOf(place.value), (name) => {
    const schemas = patternSchemas(place.schema, name);
    return firstDefined(schemas, (schema) => property(walk, place, name, schema));
  });
}

function additionalProperties(walk: Walk, place: Place): Text {
  const { additionalProperties } = place.schema;
  if (!isJsonObject(additionalProperties)) return undefined;
  const names = keysOf(place.value).filter((name) => isAdditional(place.schema, name));
  if (!isFalse(additionalProperties)) {
    return firstDefined(names, (name) => property(walk, place, name, additionalProperties));
  }
  return names.length > 0 ? `unexpected additional properties ${goQuoteList(names)}` : undefined;
}

function propertyNames(walk: Walk, place: Place): Text {
  if (failureOf(walk, place, "propertyNames") === undefined) return undefined;
  const { propertyNames } = place.schema;
  return firstDefined(keysOf(place.value), (name) => anew(walk, place, propertyNames, name));
}

// Schemas for either

function unevaluated(keyword: "unevaluatedItems" | "unevaluatedProperties"): Step {
  return (walk, place) => {
    if (failureOf(walk, place, keyword) === undefined) return undefined;
    const { schema, value } = place;
    const keys = unevaluatedKeys(walk.document, walk.validator.isValid, schema, value);
    return firstDefined(keys, (key) => {
      const part = own(value as JsonObject, key) ?? null;
      return anew(walk, place, schema[keyword], part);
    });
  };
}

/** Goes on to a schema whose errors ajv has not reported. */
function anew(walk: Walk, place: Place, schema: JsonValue | undefined, value: JsonValue): Text {
  if (!isJsonObject(schema)) return undefined;
  const failures = indexed(walk.validator.errors(schema, value));
  return firstFailure({ ...walk, failures }, { ...place, schema, value, path: "" });
}

// Words

function nameOf(walk: Walk, schema: JsonValue | undefined): Text {
  return walk.document.names.get(schema as JsonObject);
}

function namesOf(walk: Walk, schemas: readonly JsonValue[]): string {
  return `[${schemas.map((schema) => nameOf(walk, schema)).join(" ")}]`;
}

/** Should the walk ever miss what ajv found, the failure is still told, in the same style. */
function unexplained({ document }: Walk, [error]: readonly ErrorObject[]): string {
  const location = document.locations.get(error?.parentSchema as JsonObject) ?? "root";
  return `validating ${location}: ${error?.keyword}: ${error?.message}`;
}

// Readers

/** `{ "not": {} }`, which is what `false` has become. */
function isFalse({ not }: JsonObject): boolean {
  return isJsonObject(not) && Object.keys(not).length === 0;
}

function keysOf(value: JsonValue): string[] {
  return Object.keys(mapOf(value));
}

function* rangeOf(start: number, end: number): Generator<number> {
  for (let index = start; index < end; index++) yield index;
}

function firstDefined<Item>(items: Iterable<Item>, find: (item: Item) => Text): Text {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
