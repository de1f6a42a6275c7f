import type { Fixture } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { aboutScenario, type Finding } from "./finding.ts";

/**
 * Finds `{{args.…}}` that are `null` in every call, because `inputSchema` lets no argument of that
 * name through: a slip of the pen, as a rule.
 *
 * @param fixture The tool's fixture.
 * @returns A finding for each name and scenario.
 */
export function checkPlaceholders(fixture: Fixture): Finding[] {
  const { inputSchema } = fixture.definition;
  return fixture.scenarios.flatMap((scenario) => {
    const paths = scenario.template.segments.flatMap((segment) =>
      segment.kind === "placeholder" && segment.expression.kind === "args"
        ? [segment.expression.path]
        : []
    ).filter((path) => isImpossible(inputSchema, path));
    return [...new Set(paths.map((path) => path.join(".")))].map((path) =>
      aboutScenario(
        "placeholder",
        fixture,
        scenario,
        `\`{{args.${path}}}\` is always null: \`inputSchema\` allows no such argument`,
      )
    );
  });
}

/** Whether the schema rules a path out; where it says too little, it does not. */
function isImpossible(schema: JsonValue | undefined, path: readonly string[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined || !isJsonObject(schema) || isCombined(schema)) return false;
  const { properties, items, type } = schema;
  if (type === "array") return /^\d+$/.test(key) ? isImpossible(items, rest) : true;
  if (type !== "object") return typeof type === "string";
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) {
    return isImpossible(properties[key], rest);
  }
  return schema.additionalProperties === false && schema.patternProperties === undefined;
}

function isCombined(schema: JsonObject): boolean {
  return ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "prefixItems"]
    .some((keyword) => Object.hasOwn(schema, keyword));
}
