import type { Fixture } from "../fixture/fixture.ts";
import { type Outline, outlineOf } from "../fixture/outline.ts";
import type { Folder } from "../store/folder.ts";
import { finish, type Steps } from "../steps.ts";
import type { RenderEnvironment } from "../template/environment.ts";
import { checkArguments } from "./check_arguments.ts";
import { checkDefaults, checkNames } from "./check_order.ts";
import { checkScaffold } from "./check_scaffold.ts";
import { checkScenarios, checkSchemas } from "./check_scenarios.ts";
import { checkEncoding, checkText } from "./check_text.ts";
import { checkDefinitionWords } from "./check_words.ts";
import { checkCoherence } from "./coherence.ts";
import type { Finding } from "./finding.ts";

/** What a folder may bring along beside its tool files. */
export interface CheckOptions {
  /** The folder's `coherence.json`. */
  readonly coherence?: { readonly text: string; readonly path: string };
  /** Words that may be seen although a banned word is in them. */
  readonly allowedWords?: readonly string[];
}

/**
 * Runs the checks that need a parsed fixture and nothing else; `add` and `import` run them, too. The
 * findings are in the order of their lines.
 */
export function checkFixture(
  fixture: Fixture,
  environment: RenderEnvironment,
  allowedWords: readonly string[] = [],
): Finding[] {
  return [
    ...checkSchemas(fixture),
    ...checkDefinitionWords(fixture, allowedWords),
    ...checkNames(fixture),
    ...checkArguments(fixture),
    ...checkScenarios(fixture, environment, allowedWords),
  ].sort((a, b) => a.line - b.line);
}

/**
 * Runs every check over a folder of tool files; the findings are in the order of files and lines.
 * Files that are on disk are read once more, since their text shows what reading them passed over.
 */
export function checkFolder(
  folder: Folder,
  environment: RenderEnvironment,
  options: CheckOptions = {},
): Finding[] {
  return finish(checkFiles(folder, environment, options));
}

/**
 * Checks as {@linkcode checkFolder} does, a file a step.
 *
 * @param known What was found of fixtures before, to which is added what is found now.
 */
export function* checkFiles(
  folder: Folder,
  environment: RenderEnvironment,
  { coherence, allowedWords = [] }: CheckOptions = {},
  known: WeakMap<Fixture, readonly Finding[]> = new WeakMap(),
): Steps<Finding[]> {
  const fixtures = [...folder.fixtures.values()];
  const tools = new Map(fixtures.map(({ path, tool }) => [path, tool]));
  const paths = new Set([...tools.keys(), ...folder.problems.map(({ path }) => path)]);
  const encodings: Finding[] = [];
  const findings = folder.problems.map((problem): Finding => ({ ...problem, rule: "parse" }));
  const outlines = new Map<string, Outline>();
  for (const path of paths) {
    yield;
    const bytes = bytesOf(path);
    if (bytes === undefined) continue;
    const text = new TextDecoder().decode(bytes);
    const outline = outlineOf(text);
    outlines.set(path, outline);
    encodings.push(...checkEncoding({ path, bytes }));
    findings.push(
      ...checkText(path, tools.get(path), outline),
      ...checkScaffold(path, tools.get(path), text),
    );
  }
  const hasByForce = [...outlines.values()].some(({ byForce }) => byForce !== undefined);
  for (const fixture of fixtures) {
    yield;
    const own = known.get(fixture) ?? checkFixture(fixture, environment, allowedWords);
    known.set(fixture, own);
    findings.push(
      ...own,
      ...(hasByForce ? checkDefaults(fixture, outlines.get(fixture.path)) : []),
    );
  }
  if (coherence !== undefined) {
    const { text, path } = coherence;
    findings.push(...yield* checkCoherence(text, path, folder.fixtures, environment));
  }
  const undecoded = new Set(encodings.map(({ path }) => path));
  const readable = findings.filter(({ path }) => !undecoded.has(path));
  return distinct([...encodings, ...readable]).sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line
  );
}

/** Drops repeated findings: parsing a broken file and checking its text find the same slips. */
function distinct(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ path, line, scenario, message }: Finding): string =>
    JSON.stringify([path, line, scenario, message]);
  return [...Map.groupBy(findings, keyOf).values()].map(([first]) => first!);
}

/** The bytes of a file; a folder may also be inside the program, or in a test's memory. */
function bytesOf(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch {
    return undefined;
  }
}
