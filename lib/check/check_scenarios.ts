import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { selectScenario } from "../scenario/select.ts";
import { compileSchema, schemaProblem, type Validate } from "../schema/compile.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { mapOf, readDocument } from "../schema/document.ts";
import { sampleArguments } from "../schema/sample.ts";
import type { RenderEnvironment } from "../template/environment.ts";
import { renderTemplate } from "../template/render.ts";
import { hasRandom, TemplateError } from "../template/template.ts";
import { checkAnswerWords } from "./check_words.ts";
import { undeclaredKeys } from "./check_arguments.ts";
import { aboutDefinition, aboutScenario, type CheckName, type Finding } from "./finding.ts";

/** Samples are quoted up to this length. */
const LONGEST_SAMPLE = 160;

/** Finds schemas of a definition that no validator can be made of. */
export function checkSchemas(fixture: Fixture): Finding[] {
  const { inputSchema, outputSchema } = fixture.definition;
  const schemas = { inputSchema, ...(outputSchema !== undefined && { outputSchema }) };
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const problem = isJsonObject(schema) ? schemaProblem(schema) : "it is no JSON object";
    if (problem === undefined) return [];
    const message = `\`${name}\` is not a usable schema: ${problem}; mend it there`;
    return [aboutDefinition("schema", fixture, message)];
  });
}

/**
 * Tries every scenario with its sample call: arguments built from `inputSchema`, overlaid with the
 * match rule. The call must be a valid one and must be answered by this very scenario; the answer
 * must be JSON, fit `outputSchema` (a `json error` need not) and hold no banned word.
 *
 * Source: docs/SPEC.md, section 9; docs/FORMAT.md, Keeping scenarios honest.
 */
export function checkScenarios(
  fixture: Fixture,
  environment: RenderEnvironment,
  allowedWords: readonly string[],
): Finding[] {
  const { inputSchema, outputSchema } = fixture.definition;
  const validateInput = validatorOf(inputSchema);
  const validateOutput = validatorOf(outputSchema);
  const declared = mapOf(mapOf(outputSchema).properties);
  return fixture.scenarios.flatMap((scenario) => {
    const about: About = (rule, message) => aboutScenario(rule, fixture, scenario, message);
    // Without a usable schema there is no sample call, but still an answer to look at.
    const args = validateInput === undefined
      ? {}
      : applyDefaults(inputSchema, sampleArguments(inputSchema, scenario.match));
    const checkAnswer = (luck: RenderEnvironment): Finding[] => {
      try {
        const value = renderTemplate(scenario.template, args, luck);
        const validate = scenario.isError ? undefined : validateOutput;
        return [
          ...resultFindings(value, declared, validate, about),
          ...checkAnswerWords(fixture, scenario, value, allowedWords),
        ];
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
        return [about("render", `its answer is broken for its own sample call: ${error.message}`)];
      }
    };
    return [
      ...(validateInput === undefined
        ? []
        : callFindings(fixture, scenario, args, validateInput, about)),
      ...distinct(luckOf(scenario, environment).flatMap(checkAnswer)),
    ];
  });
}

type About = (rule: CheckName, message: string) => Finding;

function callFindings(
  fixture: Fixture,
  scenario: Scenario,
  args: JsonObject,
  validate: Validate,
  about: About,
): Finding[] {
  const { inputSchema } = fixture.definition;
  // `checkArguments` reports that already.
  if (undeclaredKeys(readDocument(inputSchema), scenario).length > 0) return [];
  const sample = shorten(JSON.stringify(args));
  const invalid = validate(args);
  if (invalid !== undefined) {
    const remedy = scenario.match === undefined
      ? "loosen the schema, or give it `examples` that fit"
      : "mend the rule, or the schema";
    const message = `its sample call ${sample} does not fit \`inputSchema\`: ${invalid}; ${remedy}`;
    return [about("input", message)];
  }
  if (scenario.match === undefined) return [];
  const chosen = selectScenario(fixture, args, undefined).scenario;
  if (chosen === scenario) return [];
  // What is made up for the other arguments may be what an earlier rule asks for.
  const others = applyDefaults(inputSchema, sampleArguments(inputSchema, scenario.match, 1));
  const isReached = validate(others) === undefined &&
    selectScenario(fixture, others, undefined).scenario === scenario;
  if (isReached) return [];
  const message = `never chosen: its own sample call ${sample} is answered by \`${chosen.name}\` ` +
    `in line ${chosen.line}; move it above that one, or narrow the rule there`;
  return [about("shadowed", message)];
}

function resultFindings(
  value: JsonValue,
  declared: JsonObject,
  validate: Validate | undefined,
  about: About,
): Finding[] {
  const remedy = pasted(value, declared);
  if (remedy !== undefined) return [about("output", `its answer is a whole result; ${remedy}`)];
  const invalid = validate?.(value);
  if (invalid === undefined) return [];
  const message =
    `its answer does not fit \`outputSchema\`: ${invalid}; mend the answer, or the schema`;
  return [about("output", message)];
}

/** What to take of an answer that was pasted with all that is around it. */
function pasted(value: JsonValue, declared: JsonObject): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const has = (key: string): boolean => Object.hasOwn(value, key) && !Object.hasOwn(declared, key);
  if (has("jsonrpc") && has("result")) return "take only what stands in its `structuredContent`";
  if (has("structuredContent")) return "take only what stands in `structuredContent`";
  const content = has("content") ? own(value, "content") : undefined;
  const isContent = Array.isArray(content) && content.length > 0 &&
    content.every((part) => isJsonObject(part) && part.type === "text" && "text" in part);
  return isContent ? "take only the JSON that stands in the `text` of its `content`" : undefined;
}

/** An answer with random numbers is looked at with the lowest and the highest ones, too. */
function luckOf({ template }: Scenario, environment: RenderEnvironment): RenderEnvironment[] {
  if (!hasRandom(template)) return [environment];
  return [
    environment,
    { ...environment, randomInteger: (min) => min },
    { ...environment, randomInteger: (_min, max) => max },
  ];
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

/** A schema that is none is reported by another rule. */
function validatorOf(schema: JsonValue | undefined): Validate | undefined {
  const usable = isJsonObject(schema) && schemaProblem(schema) === undefined;
  return usable ? compileSchema(schema) : undefined;
}

function shorten(text: string): string {
  return text.length <= LONGEST_SAMPLE ? text : `${text.slice(0, LONGEST_SAMPLE)}…`;
}
