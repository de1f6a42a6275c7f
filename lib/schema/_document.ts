import { isJsonObject, type JsonObject, type JsonValue, own, pointerSegment } from "../json.ts";
import { compilePattern } from "./_pattern.ts";
import {
  baseOf,
  DOCUMENT_URI,
  type Draft,
  type DynamicTarget,
  dynamicTargets,
  emptyIndex,
  indexSchema,
  type ReferenceIndex,
  resolveAll,
} from "./_references.ts";

/** A schema as the Go validator reads it, with every reference resolved. */
export interface SchemaDocument {
  /** The top schema: a copy that holds what Go heeds and nothing else. */
  readonly root: JsonObject;
  /** The rules it is read by. */
  readonly draft: Draft;
  /** The JSON Pointer of every schema in the document; the root's is empty. */
  readonly pointers: ReadonlyMap<JsonObject, string>;
  /** Where every schema is, as Go says it: its `$id`, else its pointer, else `root`. */
  readonly locations: ReadonlyMap<JsonObject, string>;
  /** What every schema is called where Go lists several: its `$id`, else its anchor. */
  readonly names: ReadonlyMap<JsonObject, string>;
  /** The schema that each `$ref` leads to, by the schema that holds the `$ref`. */
  readonly references: ReadonlyMap<JsonObject, JsonObject>;
  /** The schema that a `$dynamicRef` leads to. */
  readonly dynamicTarget: DynamicTarget;
}

const DRAFT_07 = new Set<JsonValue | undefined>([
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft-07/schema#",
]);

/** Keywords that hold one schema. `items` may hold a list of them in draft-07. */
const ONE_SCHEMA = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords that hold a list of schemas. */
const SCHEMA_LIST = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);

/** Keywords that hold schemas by name. `dependencies` may hold lists of names as well. */
const SCHEMA_MAP = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** Keywords that hold no schema. */
const PLAIN = new Set([
  "$anchor",
  "$comment",
  "$dynamicAnchor",
  "$dynamicRef",
  "$id",
  "$ref",
  "const",
  "contentEncoding",
  "contentMediaType",
  "default",
  "dependentRequired",
  "deprecated",
  "description",
  "enum",
  "examples",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "pattern",
  "readOnly",
  "required",
  "title",
  "type",
  "uniqueItems",
  "writeOnly",
]);

const HOLDS_SCHEMAS = new Set([...ONE_SCHEMA, ...SCHEMA_LIST, ...SCHEMA_MAP]);

/** What each draft has no rules for, although ajv might have. */
const UNHEEDED: Record<Draft, ReadonlySet<string>> = {
  "draft-07": new Set([
    "$dynamicAnchor",
    "$dynamicRef",
    "dependentRequired",
    "dependentSchemas",
    "prefixItems",
  ]),
  "2020-12": new Set(["additionalItems", "dependencies"]),
};

/**
 * Reads a schema the way the Go validator's decoder does.
 *
 * Go knows a fixed set of keywords and passes over the rest. ajv knows some more that change the
 * outcome (`nullable`, `$async`, `id`), so the copy made here holds only Go's. `true` becomes
 * `{}` and `false` becomes `{ "not": {} }`, as in Go; a keyword that is `null` or `""` is absent.
 * The copy is a tree of fresh objects: each schema has one pointer and can be recognised by its
 * identity.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readDocument } from "./_document.ts";
 *
 * const { root, pointers } = readDocument({ properties: { a: { type: "string", nullable: true } } });
 * assert(JSON.stringify(root) === '{"properties":{"a":{"type":"string"}}}');
 * assert([...pointers.values()].sort().join() === ",/properties/a");
 * ```
 *
 * @param schema The schema, which is left as it is. An unknown `$schema` is read as 2020-12.
 * @returns The document.
 * @throws {Error} When something in the place of a schema is none, a list of names holds
 * something else, a pattern cannot be read, or a reference leads nowhere.
 * @see https://json-schema.org/draft/2020-12/json-schema-core
 */
export function readDocument(schema: JsonObject): SchemaDocument {
  const reading: Reading = {
    draft: DRAFT_07.has(own(schema, "$schema")) ? "draft-07" : "2020-12",
    pointers: new Map(),
    locations: new Map(),
    names: new Map(),
    index: emptyIndex(),
  };
  const root = readSchema(schema, { pointer: "", base: DOCUMENT_URI }, reading);
  const { index, ...document } = reading;
  index.resources.set(DOCUMENT_URI, root);
  const references = resolveAll("$ref", index);
  return { root, ...document, references, dynamicTarget: dynamicTargets(index) };
}

/**
 * Tells whether a schema is nothing but its `$ref`. Draft-07 has all keywords beside a `$ref`
 * ignored, save that references may still lead to the schemas they hold.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isOnlyReference } from "./_document.ts";
 *
 * const schema = { $ref: "#/definitions/a", type: "string" };
 * assert(isOnlyReference(schema, "draft-07") && !isOnlyReference(schema, "2020-12"));
 * ```
 *
 * @param schema The schema.
 * @param draft The draft it is read by.
 * @returns Whether only its `$ref` counts.
 * @see https://json-schema.org/draft-07/draft-handrews-json-schema-01#rfc.section.8.3
 */
export function isOnlyReference(schema: JsonObject, draft: Draft): boolean {
  return draft === "draft-07" && Boolean(own(schema, "$ref"));
}

/** What has been read so far. */
interface Reading {
  readonly draft: Draft;
  readonly pointers: Map<JsonObject, string>;
  readonly locations: Map<JsonObject, string>;
  readonly names: Map<JsonObject, string>;
  readonly index: ReferenceIndex;
}

interface Place {
  readonly pointer: string;
  readonly base: string;
}

function readSchema(schema: JsonValue, place: Place, reading: Reading): JsonObject {
  if (schema === true) return register({}, {}, place, reading);
  if (schema === false) return readSchema({ not: true }, place, reading);
  if (!isJsonObject(schema)) {
    throw new Error(`${locationOf(place.pointer)} is no schema: it must be an object or a boolean`);
  }
  const heeded = heededPart(schema, reading.draft);
  const base = baseOf(heeded, place.base, reading.draft);
  const copy = Object.fromEntries(
    Object.entries(heeded).map(([keyword, value]) => {
      const inner = { pointer: `${place.pointer}/${keyword}`, base };
      return [keyword, readKeyword(keyword, value, inner, reading)];
    }),
  );
  return register(withUpperBound(copy), schema, { pointer: place.pointer, base }, reading);
}

function heededPart(schema: JsonObject, draft: Draft): JsonObject {
  const onlyReference = isOnlyReference(schema, draft);
  const entries = Object.entries(schema).filter(([keyword, value]) =>
    isHeeded(keyword, value, draft) &&
    (!onlyReference || keyword === "$ref" || HOLDS_SCHEMAS.has(keyword))
  );
  return Object.fromEntries(entries);
}

function isHeeded(keyword: string, value: JsonValue, draft: Draft): boolean {
  if (keyword === "const" || keyword === "default") return true;
  if (value === null || value === "" || UNHEEDED[draft].has(keyword)) return false;
  if (draft === "2020-12" && keyword === "items" && Array.isArray(value)) return false;
  return HOLDS_SCHEMAS.has(keyword) || PLAIN.has(keyword);
}

/** Without `maxContains` ajv takes a shortcut that, where arrays lie in an array, answers for an
 * empty one what it found for the array before. With it, ajv counts. */
function withUpperBound(schema: JsonObject): JsonObject {
  return "contains" in schema ? { maxContains: Number.MAX_SAFE_INTEGER, ...schema } : schema;
}

/** Reads what a keyword holds. What has the wrong shape is left for ajv to refuse. */
function readKeyword(
  keyword: string,
  value: JsonValue,
  place: Place,
  reading: Reading,
): JsonValue {
  if (SCHEMA_LIST.has(keyword) && Array.isArray(value)) {
    return value.map((item, index) => readSchema(item, below(place, String(index)), reading));
  }
  if (SCHEMA_MAP.has(keyword) && isJsonObject(value)) {
    if (keyword === "patternProperties") {
      for (const pattern of Object.keys(value)) checkPattern(pattern, place);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const isList = keyword === "dependencies" && Array.isArray(item);
        return [
          key,
          isList ? checkNames(item, place) : readSchema(item, below(place, key), reading),
        ];
      }),
    );
  }
  if (ONE_SCHEMA.has(keyword)) return readSchema(value, place, reading);
  if (keyword === "required") return checkNames(value, place);
  if (keyword === "dependentRequired") {
    for (const list of Object.values(value ?? {})) checkNames(list, place);
  }
  if (keyword === "pattern" && typeof value === "string") checkPattern(value, place);
  return value;
}

function below({ pointer, base }: Place, key: string): Place {
  return { pointer: `${pointer}/${pointerSegment(key)}`, base };
}

function checkNames(value: JsonValue, { pointer }: Place): JsonValue {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new Error(`${pointer} must list names of properties`);
}

function checkPattern(pattern: string, { pointer }: Place): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    throw new Error(`${pointer}: ${error instanceof Error ? error.message : error}`);
  }
}

function register(
  copy: JsonObject,
  original: JsonObject,
  { pointer, base }: Place,
  { draft, pointers, locations, names, index }: Reading,
): JsonObject {
  pointers.set(copy, pointer);
  locations.set(copy, String(own(original, "$id") || locationOf(pointer)));
  names.set(copy, nameOf(original));
  indexSchema(index, copy, base, draft);
  return copy;
}

function locationOf(pointer: string): string {
  return pointer === "" ? "root" : pointer;
}

function nameOf(schema: JsonObject): string {
  const id = own(schema, "$id");
  if (id) return String(id);
  const anchor = own(schema, "$anchor") || own(schema, "$dynamicAnchor");
  return anchor ? `anchor ${anchor}` : "<anonymous schema>";
}
