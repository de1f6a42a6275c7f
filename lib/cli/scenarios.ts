import { basename } from "node:path";
import type { Fixture, Scenario } from "../fixture/fixture.ts";
import type { JsonObject } from "../json.ts";
import type { Overrides } from "../control/overrides.ts";
import { defaultScenario } from "../scenario/select.ts";
import type { Folder } from "../store/folder.ts";
import { overridesReader } from "../control/overrides_file.ts";
import { count } from "./count.ts";
import { EXIT, type ExitCode } from "./failure.ts";
import { readFixtures, requireTool } from "./fixtures.ts";
import { type Forced, readForced } from "./forced.ts";
import { programName } from "./installation.ts";
import type { Io } from "./io.ts";
import { matchText } from "./match_text.ts";
import { plain } from "../plain.ts";
import type { Project } from "./project.ts";
import { type Paint, paintFor } from "./style.ts";
import { layOut } from "./table.ts";

/** A tool as `scenarios --json` shows it. The shape is documented in docs/CLI.md and stable. */
export interface ListedTool {
  readonly tool: string;
  readonly domain: string;
  readonly title: string | null;
  /** The tool file's whole path; `null` for one inside the executable. */
  readonly file: string | null;
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
export async function scenarios(
  tool: string | undefined,
  json: boolean,
  project: Project,
  io: Io,
): Promise<ExitCode> {
  const folder = readFixtures(project);
  const shown = tool === undefined ? [...folder.fixtures.values()] : [requireTool(folder, tool)];
  const forced = await readForced(project.overridesPath, (name) => folder.fixtures.get(name));
  const look: Look = {
    forced: forced.inForce,
    paint: paintFor(io, "out"),
    width: io.outIsTerminal ? io.columns : Infinity,
  };

  if (json) {
    const named = overridesReader(project.overridesPath)();
    const tools = shown.map((fixture) => listed(fixture, named, forced, project));
    io.out(JSON.stringify({ tools }, null, 2));
  } else if (tool === undefined) {
    overview(shown, look).forEach(io.out);
  } else {
    details(shown[0]!, project, look).forEach(io.out);
  }
  warnOf(forced, folder, tool, io);
  return tool === undefined ? reportHidden(folder, io) : EXIT.done;
}

/** What lists are drawn with. */
interface Look {
  readonly forced: Forced["inForce"];
  readonly paint: Paint;
  readonly width: number;
}

function listed(
  fixture: Fixture,
  named: Overrides,
  { inForce }: Forced,
  project: Project,
): ListedTool {
  const { tool, domain, path, definition } = fixture;
  return {
    tool,
    domain,
    title: typeof definition.title === "string" ? definition.title : null,
    file: isPacked(project) ? null : path,
    forced: named.get(tool) ?? null,
    scenarios: fixture.scenarios.map((scenario) => ({
      name: scenario.name,
      line: scenario.line,
      match: scenario.match ?? null,
      default: scenario === defaultScenario(fixture),
      isError: scenario.isError,
      forced: scenario === inForce.get(tool),
    })),
  };
}

/** Whether the tool files are where nobody can open them. */
function isPacked({ embedded, packed }: Project): boolean {
  return embedded && packed;
}

function overview(fixtures: readonly Fixture[], { forced, paint, width }: Look): string[] {
  const rows = fixtures.map((fixture) => [
    `  ${paint("name", plain(fixture.tool))}`,
    paint("quiet", String(fixture.scenarios.length).padStart(3)),
    plain(defaultScenario(fixture).name),
    forced.has(fixture.tool)
      ? paint("notice", `forced: ${plain(forced.get(fixture.tool)!.name)}`)
      : "",
  ]);
  const lines = layOut([["", "", "default", ""], ...rows], width);
  const total = fixtures.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  const domains = Map.groupBy(fixtures.keys(), (index) => fixtures[index]!.domain || "other");
  return [
    paint("quiet", lines[0]!),
    ...[...domains].flatMap(([domain, indices]) => [
      paint("title", plain(domain)),
      ...indices.map((index) => lines[index + 1]!),
    ]),
    "",
    `${count(fixtures.length, "tool")}, ${count(total, "scenario")}, ${forced.size} forced`,
  ];
}

function details(fixture: Fixture, project: Project, { forced, paint, width }: Look): string[] {
  const rows = fixture.scenarios.map((scenario) => [
    scenario === forced.get(fixture.tool)
      ? paint("notice", `> ${plain(scenario.name)}`)
      : `  ${plain(scenario.name)}`,
    [when(scenario, fixture), ...(scenario.isError ? [paint("bad", "isError")] : [])].join("  "),
  ]);
  const title = typeof fixture.definition.title === "string" ? fixture.definition.title : "";
  const place = isPacked(project)
    ? `inside the executable; ${programName()} eject writes it to disk`
    : fixture.path;
  return [
    [paint("title", plain(fixture.tool)), plain(title)].filter((text) => text !== "").join("  "),
    paint("quiet", place),
    "",
    ...layOut(rows, width),
  ];
}

function when(scenario: Scenario, fixture: Fixture): string {
  if (scenario.match !== undefined) return matchText(scenario.match);
  return scenario === defaultScenario(fixture) ? "default" : "only when forced";
}

/** Tells what the overrides file says in vain, of one tool or of all. */
function warnOf(
  { fault, idle }: Forced,
  { problems }: Folder,
  tool: string | undefined,
  io: Io,
): void {
  if (fault !== undefined) io.err(`Warning: ${fault}`);
  for (const [name, trouble] of idle) {
    // The file of a tool that cannot be used at the moment is mentioned already.
    const broken = problems.some(({ path }) => basename(path) === `${name}.md`);
    if ((tool ?? name) === name && !broken) io.err(`Warning: ${trouble}`);
  }
}

/** A list with holes says so. */
function reportHidden({ problems }: Folder, io: Io): ExitCode {
  if (problems.length === 0) return EXIT.done;
  const files = new Set(problems.map(({ path }) => path)).size;
  io.err(
    `careem-mcp: ${count(files, "file")} cannot be used and ${
      files === 1 ? "is" : "are"
    } left out above.`,
  );
  io.err(`See: ${programName()} check`);
  return EXIT.failed;
}
