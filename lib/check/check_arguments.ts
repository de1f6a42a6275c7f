import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import {
  isFalse,
  listOf,
  mapOf,
  patternSchemas,
  readDocument,
  type SchemaDocument,
  unreadable,
} from "../schema/document.ts";
import { didYouMean } from "../suggest.ts";
import { aboutScenario, type Finding } from "./finding.ts";
import { argumentPath } from "../template/template.ts";

/** Stands in a path for any element of an array. */
const ANY = "[]";

/**
 * Finds arguments that rules ask for and placeholders insert, although `inputSchema` declares none
 * of that name: slips of the pen, as a rule, also where the schema lets other arguments through.
 */
export function checkArguments(fixture: Fixture): Finding[] {
  const { inputSchema } = fixture.definition;
  if (!isJsonObject(inputSchema) || unreadable(inputSchema) !== undefined) return [];
  const document = readDocument(inputSchema);
  return fixture.scenarios.flatMap((scenario) => {
    const inserted = distinct(argsPaths(scenario).flatMap((path) => undeclared(document, path)));
    return [
      ...undeclaredKeys(document, scenario).map(({ path, guess }) => {
        const message = `the rule asks for \`${path}\`, which \`inputSchema\` does not declare`;
        const remedy = guess || "; declare it, or take it out";
        return aboutScenario("argument", fixture, scenario, message + remedy);
      }),
      ...inserted.map(({ path, guess }) => {
        const message =
          `\`{{args.${path}}}\` inserts an argument that \`inputSchema\` does not declare`;
        const remedy = guess || "; declare it, or write the value";
        return aboutScenario("placeholder", fixture, scenario, message + remedy);
      }),
    ];
  });
}

/** An argument that is not declared, with the end of a sentence about what may have been meant. */
interface Undeclared {
  readonly path: string;
  readonly guess: string;
}

/** The arguments that a scenario's rule asks for and the schema does not declare. */
export function undeclaredKeys(document: SchemaDocument, { match = {} }: Scenario): Undeclared[] {
  return distinct(rulePaths(match, []).flatMap((path) => undeclared(document, path)));
}

function rulePaths(rule: JsonValue, path: readonly string[]): (readonly string[])[] {
  if (Array.isArray(rule)) return rule.flatMap((item) => rulePaths(item, [...path, ANY]));
  if (!isJsonObject(rule)) return [path];
  const inner = Object.entries(rule).flatMap(([key, value]) => rulePaths(value, [...path, key]));
  return inner.length > 0 ? inner : [path];
}

function argsPaths({ template }: Scenario): (readonly string[])[] {
  return template.segments.map(argumentPath).filter((path) => path !== undefined);
}

function distinct(all: readonly Undeclared[]): Undeclared[] {
  return [...new Map(all.map((one) => [one.path, one])).values()];
}

/** Follows a path through the schema; where that says too little, the path may be right. */
function undeclared(document: SchemaDocument, path: readonly string[]): Undeclared[] {
  let schemas: JsonObject[] = [document.root];
  for (const [depth, key] of path.entries()) {
    const views = schemas.flatMap((schema) => viewsOf(document, schema));
    schemas = views.flatMap((view) => schemasFor(view, key));
    if (schemas.length > 0) continue;
    if (!saysAll(views, key)) return [];
    const dotted = path.join(".").replace(/\[(\d+)\]/g, ".$1");
    const guess = dotted !== path.join(".")
      ? `; write \`${dotted}\``
      : didYouMean(key, views.flatMap((view) => Object.keys(mapOf(view.properties))));
    return [{ path: path.slice(0, depth + 1).join(".").replaceAll(`.${ANY}`, ANY), guess }];
  }
  return [];
}

/** A schema with all that it refers to or combines. */
function viewsOf(
  document: SchemaDocument,
  schema: JsonObject,
  seen: Set<JsonObject> = new Set(),
): JsonObject[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema;
  const parts = [
    document.references.get(schema),
    ...[allOf, anyOf, oneOf].flatMap(listOf),
    then,
    otherwise,
    ...Object.values(mapOf(dependentSchemas)),
  ].filter(isJsonObject);
  return [schema, ...parts.flatMap((part) => viewsOf(document, part, seen))];
}

function schemasFor(schema: JsonObject, key: string): JsonObject[] {
  const { properties, additionalProperties, prefixItems, items } = schema;
  const isElement = key === ANY || /^\d+$/.test(key);
  const found = [
    own(mapOf(properties), key),
    ...patternSchemas(schema, key),
    isClosed(schema) ? undefined : additionalProperties,
    ...(isElement ? [...listOf(prefixItems), items] : []),
  ];
  return found.filter(isJsonObject);
}

/** Whether schemas leave no room for a key that none of them has. */
function saysAll(views: readonly JsonObject[], key: string): boolean {
  if (views.some((view) => view.properties !== undefined || isClosed(view))) return true;
  const types = views.flatMap(({ type }) => type === undefined ? [] : [type].flat());
  const rulesOut = (type: JsonValue): boolean =>
    type === "array" ? key !== ANY && !/^\d+$/.test(key) : type !== "object";
  return types.length > 0 && types.every(rulesOut);
}

/** `additionalProperties: false`, as a schema document has it. */
function isClosed({ additionalProperties }: JsonObject): boolean {
  return isFalse(mapOf(additionalProperties));
}
