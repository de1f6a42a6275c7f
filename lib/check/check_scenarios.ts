import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { selectScenario } from "../scenario/select.ts";
import { compileSchema, schemaProblem, type Validate } from "../schema/compile.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { sampleArguments } from "../schema/sample.ts";
import type { RenderEnvironment } from "../template/environment.ts";
import { renderTemplate } from "../template/render.ts";
import { TemplateError } from "../template/template.ts";
import { checkAnswerWords } from "./check_words.ts";
import { aboutScenario, type Finding, type Rule } from "./finding.ts";

/** Samples are quoted up to this length. */
const LONGEST_SAMPLE = 160;

/**
 * Tries every scenario with its sample call: arguments built from `inputSchema`, overlaid with the
 * match rule. The call must be a valid one and must be answered by this very scenario; the answer
 * must be JSON, fit `outputSchema` (a `json error` need not) and hold no banned word.
 *
 * Source: BUILD.md §7, 11; docs/FORMAT.md, Keeping scenarios honest.
 *
 * @param fixture The tool's fixture.
 * @param environment Clock and random source for the answers.
 * @returns The findings in file order.
 */
export function checkScenarios(fixture: Fixture, environment: RenderEnvironment): Finding[] {
  const { inputSchema, outputSchema } = fixture.definition;
  const validateInput = validatorOf(inputSchema);
  const validateOutput = validatorOf(outputSchema);
  return fixture.scenarios.flatMap((scenario) => {
    const about = (rule: Rule, message: string): Finding =>
      aboutScenario(rule, fixture, scenario, message);
    // Without a usable schema there is no sample call, but still an answer to look at.
    const args = validateInput === undefined
      ? {}
      : applyDefaults(inputSchema, sampleArguments(inputSchema, scenario.match));
    const answers = luckOf(scenario, environment).map((luck) => render(scenario, args, luck));
    return [
      ...(validateInput === undefined
        ? []
        : callFaults(fixture, scenario, args, validateInput, about)),
      ...distinct(
        answers.flatMap((answer) =>
          "fault" in answer
            ? [about("render", answer.fault)]
            : answerFaults(fixture, scenario, answer.value, validateOutput, about)
        ),
      ),
    ];
  });
}

type About = (rule: Rule, message: string) => Finding;

function callFaults(
  fixture: Fixture,
  scenario: Scenario,
  args: JsonObject,
  validate: Validate,
  about: About,
): Finding[] {
  const sample = shorten(JSON.stringify(args));
  const invalid = validate(args);
  if (invalid !== undefined) {
    return [about("input", `its sample call ${sample} does not fit \`inputSchema\`: ${invalid}`)];
  }
  if (scenario.match === undefined) return [];
  const chosen = selectScenario(fixture, args, undefined).scenario;
  if (chosen === scenario) return [];
  const message = `never chosen: its own sample call ${sample} is answered by \`${chosen.name}\` ` +
    `in line ${chosen.line}; move it above that one, or narrow the rule there`;
  return [about("shadowed", message)];
}

function answerFaults(
  fixture: Fixture,
  scenario: Scenario,
  value: JsonValue,
  validate: Validate | undefined,
  about: About,
): Finding[] {
  const invalid = scenario.isError ? undefined : validate?.(value);
  return [
    ...(invalid === undefined
      ? []
      : [about("output", `its answer does not fit \`outputSchema\`: ${invalid}`)]),
    ...checkAnswerWords(fixture, scenario, value),
  ];
}

/** An answer with random numbers is looked at with the lowest and the highest ones, too. */
function luckOf({ template }: Scenario, environment: RenderEnvironment): RenderEnvironment[] {
  const random = template.segments.some((segment) =>
    segment.kind === "placeholder" && segment.expression.kind === "rand"
  );
  if (!random) return [environment];
  return [
    environment,
    { ...environment, randomInteger: (min) => min },
    { ...environment, randomInteger: (_min, max) => max },
  ];
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

function render(
  { template }: Scenario,
  args: JsonObject,
  environment: RenderEnvironment,
): { value: JsonValue } | { fault: string } {
  try {
    return { value: renderTemplate(template, args, environment) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { fault: `its answer is broken for its own sample call: ${error.message}` };
  }
}

/** A schema that is none is reported by another rule. */
function validatorOf(schema: JsonValue | undefined): Validate | undefined {
  const usable = isJsonObject(schema) && schemaProblem(schema) === undefined;
  return usable ? compileSchema(schema) : undefined;
}

function shorten(text: string): string {
  return text.length <= LONGEST_SAMPLE ? text : `${text.slice(0, LONGEST_SAMPLE)}…`;
}
