import { isJsonObject, type JsonObject, type JsonValue, own, pointerSegment } from "../json.ts";
import { compilePattern } from "./_pattern.ts";

/** A schema as the Go validator reads it, with every reference resolved. */
export interface SchemaDocument {
  /** The top schema: a copy in which every schema is an object of its own. */
  readonly root: JsonObject;
  readonly isDraft07: boolean;
  /** Where every schema is, as Go says it: its `$id`, else its JSON Pointer, else `root`. */
  readonly locations: ReadonlyMap<JsonObject, string>;
  /** The schema that each `$ref` leads to, by the schema that holds the `$ref`. */
  readonly references: ReadonlyMap<JsonObject, JsonObject>;
}

/** Where the document is taken to be, so that references in it have a base. */
export const DOCUMENT_URI = "schema:///document";

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** Keywords that hold one schema, a list of schemas, and schemas by name. */
const ONE = words(
  "additionalItems additionalProperties contains contentSchema else if items not propertyNames " +
    "then unevaluatedItems unevaluatedProperties",
);
const LIST = words("allOf anyOf items oneOf prefixItems");
const MAP = words("$defs definitions dependencies dependentSchemas patternProperties properties");

/** Keywords that ajv would heed and Go does not know. */
const UNKNOWN_TO_GO = words("$async $schema id nullable");

/**
 * Reads a schema the way the Go validator's decoder does: `true` becomes `{}`, `false` becomes
 * `{ "not": {} }`, and a keyword that is `null` or `""` is absent. The copy is a tree of fresh
 * objects, so that a schema can be recognised by its identity.
 *
 * @throws {Error} When something in the place of a schema is none, a list of names holds
 * something else, a pattern cannot be read, or a reference leads nowhere.
 */
export function readDocument(schema: JsonObject): SchemaDocument {
  const reading: Reading = {
    isDraft07: DRAFT_07.test(String(own(schema, "$schema"))),
    locations: new Map(),
    bases: new Map(),
    byUri: new Map(),
  };
  const root = readSchema(schema, { pointer: "", base: DOCUMENT_URI, baseLength: 0 }, reading);
  const references = new Map<JsonObject, JsonObject>();
  for (const [holder, base] of reading.bases) {
    if (typeof holder.$ref !== "string") continue;
    const target = reading.byUri.get(uriOf(holder.$ref, base));
    if (target === undefined) throw new Error(`$ref "${holder.$ref}" leads to no schema`);
    references.set(holder, target);
  }
  const { isDraft07, locations } = reading;
  return { root, isDraft07, locations, references };
}

/**
 * Tells what keeps a schema from being read at all, or `undefined`. It takes much less time than to
 * compile the schema, which waits for the first value.
 */
export function unreadable(schema: JsonObject): string | undefined {
  return problemIn(() => readDocument(schema));
}

/** The message of what an action throws, if it does. */
export function problemIn(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What has been read so far. */
interface Reading {
  readonly isDraft07: boolean;
  readonly locations: Map<JsonObject, string>;
  /** The URI that each schema's references are relative to. */
  readonly bases: Map<JsonObject, string>;
  /** Schemas by URI; the fragment is a JSON Pointer or an anchor, and may be empty. */
  readonly byUri: Map<string, JsonObject>;
}

/** Where a schema is: in the document, and in the resource whose `$id` is around it. */
interface Place {
  readonly pointer: string;
  readonly base: string;
  /** How much of the pointer leads to the resource. */
  readonly baseLength: number;
}

function readSchema(schema: JsonValue, outer: Place, reading: Reading): JsonObject {
  if (schema === true) return readSchema({}, outer, reading);
  if (schema === false) return readSchema({ not: {} }, outer, reading);
  if (!isJsonObject(schema)) {
    const where = outer.pointer || "root";
    throw new Error(`${where} is no schema: it must be an object or a boolean`);
  }
  const place = withOwnBase(schema, outer);
  const copy: JsonObject = Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => isHeeded(keyword, value, reading))
      .map(([keyword, value]) => [keyword, readKeyword(keyword, value, place, reading)]),
  );
  // Without an upper bound ajv takes a shortcut, and then answers for an empty array in an array
  // what it found for the array before.
  if ("contains" in copy) copy.maxContains ??= Number.MAX_SAFE_INTEGER;
  register(copy, place, reading);
  return copy;
}

/** Draft-07 has no `$anchor`: an `$id` that is only a fragment names its schema, and no resource. */
function withOwnBase({ $id }: JsonObject, outer: Place): Place {
  if (typeof $id !== "string" || $id === "" || $id.startsWith("#")) return outer;
  const base = uriOf($id, outer.base).replace(/#.*$/, "");
  return { pointer: outer.pointer, base, baseLength: outer.pointer.length };
}

function register(schema: JsonObject, { pointer, base, baseLength }: Place, reading: Reading) {
  const { $id, $anchor, $dynamicAnchor } = schema;
  reading.locations.set(schema, typeof $id === "string" ? $id : pointer || "root");
  reading.bases.set(schema, base);
  reading.byUri.set(`${DOCUMENT_URI}#${pointer}`, schema);
  reading.byUri.set(`${base}#${pointer.slice(baseLength)}`, schema);
  const anchors = [$anchor, $dynamicAnchor, /^#(.+)/.exec(String($id))?.[1]];
  for (const anchor of anchors) {
    if (typeof anchor === "string") reading.byUri.set(`${base}#${anchor}`, schema);
  }
}

/** A reference as a whole URI whose fragment is there, if empty, and written out. */
function uriOf(reference: string, base: string): string {
  try {
    const uri = new URL(reference, base);
    const fragment = decodeURIComponent(uri.hash.slice(1));
    uri.hash = "";
    return `${uri.href}#${fragment}`;
  } catch {
    throw new Error(`"${reference}" is no URI reference`);
  }
}

function isHeeded(keyword: string, value: JsonValue, { isDraft07 }: Reading): boolean {
  if (keyword === "const" || keyword === "default") return true;
  if (value === null || value === "" || UNKNOWN_TO_GO.has(keyword)) return false;
  if (isDraft07) return true;
  return keyword !== "dependencies" && !(keyword === "items" && Array.isArray(value));
}

/** Reads what a keyword holds. What has the wrong shape is left for ajv to refuse. */
function readKeyword(keyword: string, value: JsonValue, at: Place, reading: Reading): JsonValue {
  const place = { ...at, pointer: `${at.pointer}/${keyword}` };
  const inner = (key: string, schema: JsonValue): JsonObject =>
    readSchema(schema, { ...place, pointer: `${place.pointer}/${pointerSegment(key)}` }, reading);

  if (LIST.has(keyword) && Array.isArray(value)) {
    return value.map((schema, index) => inner(String(index), schema));
  }
  if (MAP.has(keyword) && isJsonObject(value)) {
    if (keyword === "patternProperties") {
      for (const pattern of Object.keys(value)) checkPattern(pattern, place);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, schema]) => [
        key,
        keyword === "dependencies" && Array.isArray(schema)
          ? checkNames(schema, place)
          : inner(key, schema),
      ]),
    );
  }
  if (ONE.has(keyword)) return readSchema(value, place, reading);
  if (keyword === "required") return checkNames(value, place);
  if (keyword === "dependentRequired") {
    for (const names of Object.values(value ?? {})) checkNames(names, place);
  }
  if (keyword === "pattern" && typeof value === "string") checkPattern(value, place);
  return value;
}

function checkNames(value: JsonValue, { pointer }: Place): JsonValue {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new Error(`${pointer} must list names of properties`);
}

function checkPattern(pattern: string, { pointer }: Place): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    throw new Error(`${pointer}: ${(error as Error).message}`);
  }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

// Reading the schemas of a document

/** A value as an array; empty if it is none. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A value as an object; empty if it is none. */
export function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether a schema is `{ "not": {} }`, which is what `false` becomes. */
export function isFalse({ not }: JsonObject): boolean {
  return isJsonObject(not) && Object.keys(not).length === 0;
}

/** The schemas that `patternProperties` has for a property. */
export function patternSchemas(schema: JsonObject, name: string): JsonValue[] {
  if (schema.patternProperties === undefined) return [];
  return Object.entries(mapOf(schema.patternProperties))
    .filter(([pattern]) => compilePattern(pattern).test(name))
    .map(([, inner]) => inner);
}

/** Whether a property is named neither by `properties` nor by a pattern. */
export function isAdditional(schema: JsonObject, name: string): boolean {
  return !Object.hasOwn(mapOf(schema.properties), name) &&
    patternSchemas(schema, name).length === 0;
}

/** What a schema is called where Go lists several. */
export function nameOf(schema: JsonValue | undefined): string {
  const { $id, $anchor, $dynamicAnchor } = mapOf(schema);
  const anchor = $anchor || $dynamicAnchor;
  return String($id || (anchor ? `anchor ${anchor}` : "<anonymous schema>"));
}
