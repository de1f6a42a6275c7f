import type { Fixture, Scenario } from "../fixture/fixture.ts";
import type { JsonObject } from "../json.ts";
import type { Overrides } from "../scenario/overrides.ts";
import { defaultScenario, findScenario } from "../scenario/select.ts";
import type { Folder } from "../store/folder.ts";
import { overridesReader } from "../store/overrides_file.ts";
import { count } from "./count.ts";
import { EXIT, type ExitCode } from "./failure.ts";
import { readFixtures, requireTool } from "./fixtures.ts";
import type { Io } from "./io.ts";
import { matchText } from "./match_text.ts";
import { plain } from "./plain.ts";
import type { Project } from "./project.ts";
import { type Paint, paintFor } from "./style.ts";
import { layOut } from "./table.ts";

/** A tool as `scenarios --json` shows it. The shape is documented in docs/CLI.md and stable. */
export interface ListedTool {
  readonly tool: string;
  readonly domain: string;
  readonly title: string | null;
  readonly file: string;
  /** What the overrides file names for this tool, whether or not there is such a scenario. */
  readonly forced: string | null;
  readonly scenarios: readonly ListedScenario[];
}

/** A scenario as `scenarios --json` shows it. */
export interface ListedScenario {
  readonly name: string;
  /** Line of its heading. */
  readonly line: number;
  readonly match: JsonObject | null;
  /** Whether it answers the calls that no rule matches. */
  readonly default: boolean;
  readonly isError: boolean;
  /** Whether it is forced now. */
  readonly forced: boolean;
}

/**
 * Lists the scenarios: of all tools in short, or of one tool in file order.
 *
 * @param tool The tool, or `undefined` for all.
 * @param json Whether to print JSON.
 * @param project Where fixtures and overrides are.
 * @param io The streams.
 * @returns The exit code: failed when a broken file keeps tools out of the list.
 * @throws {CliError} When there is no such tool.
 */
export function scenarios(
  tool: string | undefined,
  json: boolean,
  project: Project,
  io: Io,
): ExitCode {
  const folder = readFixtures(project);
  const overrides = overridesReader(project.overridesPath)();
  const shown = tool === undefined ? [...folder.fixtures.values()] : [requireTool(folder, tool)];
  const paint = paintFor(io, "out");
  const width = io.outIsTerminal ? io.columns : Infinity;

  if (json) {
    io.out(JSON.stringify({ tools: shown.map((one) => listed(one, overrides)) }, null, 2));
  } else if (tool === undefined) {
    overview(shown, overrides, paint, width).forEach(io.out);
  } else {
    details(shown[0]!, overrides, paint, width).forEach(io.out);
  }
  return tool === undefined ? reportHidden(folder, io) : EXIT.done;
}

function listed(fixture: Fixture, overrides: Overrides): ListedTool {
  const { tool, domain, path, definition } = fixture;
  const forced = overrides.get(tool);
  const inForce = forced === undefined ? undefined : findScenario(fixture, forced);
  return {
    tool,
    domain,
    title: typeof definition.title === "string" ? definition.title : null,
    file: path,
    forced: forced ?? null,
    scenarios: fixture.scenarios.map((scenario) => ({
      name: scenario.name,
      line: scenario.line,
      match: scenario.match ?? null,
      default: scenario === defaultScenario(fixture),
      isError: scenario.isError,
      forced: scenario === inForce,
    })),
  };
}

function overview(
  fixtures: readonly Fixture[],
  overrides: Overrides,
  paint: Paint,
  width: number,
): string[] {
  const rows = fixtures.map((fixture) => [
    `  ${paint("name", plain(fixture.tool))}`,
    paint("quiet", String(fixture.scenarios.length).padStart(3)),
    plain(defaultScenario(fixture).name),
    forcedText(fixture, overrides, paint),
  ]);
  const lines = layOut([["", "", "default", ""], ...rows], width);
  const total = fixtures.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  const forced = fixtures.filter(({ tool }) => overrides.has(tool)).length;
  const domains = Map.groupBy(fixtures.keys(), (index) => fixtures[index]!.domain || "other");
  return [
    paint("quiet", lines[0]!),
    ...[...domains].flatMap(([domain, indices]) => [
      paint("title", plain(domain)),
      ...indices.map((index) => lines[index + 1]!),
    ]),
    "",
    `${count(fixtures.length, "tool")}, ${count(total, "scenario")}, ${forced} forced`,
  ];
}

function details(
  fixture: Fixture,
  overrides: Overrides,
  paint: Paint,
  width: number,
): string[] {
  const forced = overrides.get(fixture.tool);
  const inForce = forced === undefined ? undefined : findScenario(fixture, forced);
  const rows = fixture.scenarios.map((scenario) => [
    scenario === inForce
      ? paint("notice", `> ${plain(scenario.name)}`)
      : `  ${plain(scenario.name)}`,
    [when(scenario, fixture), ...(scenario.isError ? [paint("bad", "isError")] : [])].join("  "),
    scenario === inForce ? paint("notice", "forced now") : "",
  ]);
  const title = typeof fixture.definition.title === "string" ? fixture.definition.title : "";
  return [
    [paint("title", plain(fixture.tool)), plain(title)].filter((text) => text !== "").join("  "),
    paint("quiet", fixture.path),
    "",
    ...layOut(rows, width),
    ...(forced !== undefined && inForce === undefined
      ? ["", `The overrides file names \`${plain(forced)}\`, which this tool does not have.`]
      : []),
  ];
}

function when(scenario: Scenario, fixture: Fixture): string {
  if (scenario.match !== undefined) return matchText(scenario.match);
  return scenario === defaultScenario(fixture) ? "default" : "only when forced";
}

function forcedText(fixture: Fixture, overrides: Overrides, paint: Paint): string {
  const forced = overrides.get(fixture.tool);
  if (forced === undefined) return "";
  const scenario = findScenario(fixture, forced);
  return scenario === undefined
    ? paint("bad", `forced: no scenario ${plain(forced)}`)
    : paint("notice", `forced: ${plain(scenario.name)}`);
}

/** A list with holes says so. */
function reportHidden({ problems }: Folder, io: Io): ExitCode {
  if (problems.length === 0) return EXIT.done;
  const files = new Set(problems.map(({ path }) => path)).size;
  io.err(`careem-mcp: ${count(files, "file")} cannot be used and not listed above.`);
  io.err("See: careem-mcp check");
  return EXIT.failed;
}
