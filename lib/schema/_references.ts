/** Where schemas are by URI, and where references lead. */

import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";

/** The drafts that the Go validator tells apart. */
export type Draft = "draft-07" | "2020-12";

/** Where a schema that names no `$id` is taken to be, so that its references have a base. */
export const DOCUMENT_URI = "schema:///document";

/** The schemas of a document by what references name them by. URIs have no fragment here. */
export interface ReferenceIndex {
  /** The URI that each schema's references are relative to. */
  readonly bases: Map<JsonObject, string>;
  /** Schemas by their own URI. */
  readonly resources: Map<string, JsonObject>;
  /** Schemas by URI and anchor: `uri#anchor`. */
  readonly anchors: Map<string, JsonObject>;
  /** Those of the anchors that are dynamic. */
  readonly dynamicAnchors: Map<string, JsonObject>;
}

/**
 * Makes an index without any schema.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { emptyIndex } from "./_references.ts";
 *
 * assert(emptyIndex().bases.size === 0);
 * ```
 *
 * @returns The index.
 */
export function emptyIndex(): ReferenceIndex {
  return {
    bases: new Map(),
    resources: new Map(),
    anchors: new Map(),
    dynamicAnchors: new Map(),
  };
}

/**
 * Enters a schema into the index.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { emptyIndex, indexSchema } from "./_references.ts";
 *
 * const index = emptyIndex();
 * indexSchema(index, { $anchor: "point" }, "https://example.com/a", "2020-12");
 * assert(index.anchors.has("https://example.com/a#point"));
 * ```
 *
 * @param index The index.
 * @param schema The schema.
 * @param base The schema's base URI.
 * @param draft The draft it is read by.
 */
export function indexSchema(
  index: ReferenceIndex,
  schema: JsonObject,
  base: string,
  draft: Draft,
): void {
  const { $id, $anchor, $dynamicAnchor } = schema;
  index.bases.set(schema, base);
  if (isAnchorId($id, draft)) index.anchors.set(`${base}${$id}`, schema);
  else if ($id !== undefined) index.resources.set(base, schema);
  for (const anchor of [$anchor, $dynamicAnchor]) {
    if (typeof anchor === "string") index.anchors.set(`${base}#${anchor}`, schema);
  }
  if (typeof $dynamicAnchor === "string") {
    index.dynamicAnchors.set(`${base}#${$dynamicAnchor}`, schema);
  }
}

/**
 * Finds the base URI of a schema: its `$id`, relative to the schema around it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { baseOf } from "./_references.ts";
 *
 * assert(baseOf({ $id: "b" }, "https://example.com/a", "2020-12") === "https://example.com/b");
 * ```
 *
 * @param schema The schema.
 * @param outer The base URI of the schema around it.
 * @param draft The draft it is read by.
 * @returns The base URI.
 * @throws {Error} When the `$id` is no URI reference.
 */
export function baseOf({ $id }: JsonObject, outer: string, draft: Draft): string {
  if (typeof $id !== "string" || isAnchorId($id, draft)) return outer;
  return parsed($id, outer).resource;
}

/** Draft-07 had no `$anchor`: an `$id` that is only a fragment names its schema. */
function isAnchorId(id: JsonValue | undefined, draft: Draft): id is string {
  return draft === "draft-07" && typeof id === "string" && id.startsWith("#");
}

/**
 * Resolves every reference of a kind.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { DOCUMENT_URI, emptyIndex, indexSchema, resolveAll } from "./_references.ts";
 *
 * const index = emptyIndex();
 * const schema = { $ref: "#" };
 * indexSchema(index, schema, DOCUMENT_URI, "2020-12");
 * index.resources.set(DOCUMENT_URI, schema);
 * assert(resolveAll("$ref", index).get(schema) === schema);
 * ```
 *
 * @param keyword The keyword that holds the reference.
 * @param index The index of all schemas of the document.
 * @returns The schema that each reference leads to, by the schema that holds it.
 * @throws {Error} When a reference leads to no schema of the document.
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2
 */
export function resolveAll(
  keyword: "$ref" | "$dynamicRef",
  index: ReferenceIndex,
): Map<JsonObject, JsonObject> {
  const targets = new Map<JsonObject, JsonObject>();
  for (const [schema, base] of index.bases) {
    const reference = schema[keyword];
    if (typeof reference !== "string") continue;
    const target = resolved(parsed(reference, base), index);
    if (target === undefined) throw new Error(`${keyword} "${reference}" leads to no schema`);
    targets.set(schema, target);
  }
  return targets;
}

/** Finds the schema that a `$dynamicRef` leads to from where validation has come along. */
export type DynamicTarget = (
  schema: JsonObject,
  scope: readonly JsonObject[],
) => JsonObject | undefined;

/**
 * Resolves every `$dynamicRef`: one that leads to a `$dynamicAnchor` goes to the outermost anchor
 * of that name in scope, any other is like a `$ref`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { dynamicTargets, emptyIndex } from "./_references.ts";
 *
 * assert(dynamicTargets(emptyIndex())({ type: "string" }, []) === undefined);
 * ```
 *
 * @param index The index of all schemas of the document.
 * @returns A function from the schema that holds the reference, and the schemas on the way there,
 * outermost first, to the schema it leads to.
 * @throws {Error} When a reference leads to no schema of the document.
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3.2
 */
export function dynamicTargets(index: ReferenceIndex): DynamicTarget {
  const targets = resolveAll("$dynamicRef", index);
  return (schema, scope) => {
    const target = targets.get(schema);
    if (target === undefined) return undefined;
    const anchor = anchorOf(schema, index);
    const anchors = scope.map((outer) =>
      index.dynamicAnchors.get(`${index.bases.get(outer)}#${anchor}`)
    );
    return anchors.find((found) => found !== undefined) ?? target;
  };
}

/** The dynamic anchor that a schema's `$dynamicRef` names, if it names one. */
function anchorOf(schema: JsonObject, index: ReferenceIndex): string | undefined {
  const base = index.bases.get(schema) ?? DOCUMENT_URI;
  const { resource, fragment } = parsed(String(schema.$dynamicRef), base);
  return index.dynamicAnchors.has(`${resource}#${fragment}`) ? fragment : undefined;
}

interface Reference {
  readonly resource: string;
  readonly fragment: string;
}

function parsed(reference: string, base: string): Reference {
  try {
    const uri = new URL(reference, base);
    const fragment = decodeURIComponent(uri.hash.slice(1));
    uri.hash = "";
    return { resource: uri.href, fragment };
  } catch {
    throw new Error(`"${reference}" is no URI reference`);
  }
}

function resolved(
  { resource, fragment }: Reference,
  index: ReferenceIndex,
): JsonObject | undefined {
  const isAnchor = fragment !== "" && !fragment.startsWith("/");
  if (isAnchor) return index.anchors.get(`${resource}#${fragment}`);
  let value: JsonValue | undefined = index.resources.get(resource);
  for (const segment of fragment.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = own(value as JsonObject, segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return isJsonObject(value) && index.bases.has(value) ? value : undefined;
}
