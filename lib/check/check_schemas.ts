import type { Fixture } from "../fixture/fixture.ts";
import { isJsonObject, type JsonValue } from "../json.ts";
import { schemaProblem } from "../schema/compile.ts";
import { aboutDefinition, type Finding } from "./finding.ts";

/**
 * Finds schemas of a definition that no validator can be made of.
 *
 * @param fixture The tool's fixture.
 * @returns A finding for each.
 */
export function checkSchemas(fixture: Fixture): Finding[] {
  const { inputSchema, outputSchema } = fixture.definition;
  return [
    ...problemOf("inputSchema", inputSchema),
    ...(outputSchema === undefined ? [] : problemOf("outputSchema", outputSchema)),
  ].map((message) => aboutDefinition("schema", fixture, message));
}

function problemOf(name: string, schema: JsonValue): string[] {
  if (!isJsonObject(schema)) return [`\`${name}\` is not a JSON object`];
  const problem = schemaProblem(schema);
  return problem === undefined ? [] : [`\`${name}\` is not a usable schema: ${problem}`];
}
