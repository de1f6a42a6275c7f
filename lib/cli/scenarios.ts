import { entryText, isForcing, problemText } from "../control/entry_text.ts";
import { type Entry, entryFor, type Overrides } from "../control/overrides.ts";
import { readOverrides } from "../control/overrides_file.ts";
import { overridesProblems } from "../control/overrides_problems.ts";
import type { Fixture, Scenario } from "../fixture/fixture.ts";
import { isTitled, placeOf, writtenOf } from "../fixture/written.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { count, plain } from "../plain.ts";
import { matchText } from "../scenario/match_text.ts";
import { defaultScenario, isByForce } from "../scenario/select.ts";
import { readEmbeddedText } from "../store/embedded_files.ts";
import { type Folder, knownTools } from "../store/folder.ts";
import { requireTool } from "../store/lookup.ts";
import { trialEnvironments } from "../template/environment.ts";
import { renderTemplate } from "../template/render.ts";
import { readFixtures } from "./fixtures.ts";
import { programName } from "./installation.ts";
import { EXIT, type ExitCode, type Io } from "./io.ts";
import type { Project } from "./project.ts";
import { type Paint, paintFor } from "./style.ts";
import { layOut } from "./table.ts";

/** The flags of `scenarios`. */
export interface ScenariosFlags {
  /** Only scenarios that hold this word. */
  readonly find?: string;
  /** Only scenarios that no arguments lead to. */
  readonly byForce?: true;
  /** Only scenarios that answer with an error. */
  readonly errors?: true;
  readonly json?: true;
}

/** A tool as `scenarios --json` shows it. The shape is documented in docs/CLI.md and stable. */
export interface ListedTool {
  readonly tool: string;
  readonly domain: string;
  readonly title: string | null;
  /** The tool file's whole path; `null` for one inside the executable. */
  readonly file: string | null;
  /** The scenario that the overrides file names for this tool, whether or not there is such a one. */
  readonly forced: string | null;
  /** The tool's entry in the overrides file, or that of `*`, as it is written. */
  readonly override: JsonValue;
  readonly scenarios: readonly ListedScenario[];
}

/** A scenario as `scenarios --json` shows it. */
export interface ListedScenario {
  readonly name: string;
  /** Line of its heading. */
  readonly line: number;
  /** The first sentence of what the file says of it. */
  readonly about: string;
  readonly match: JsonObject | null;
  /** Whether it answers the calls that no rule matches. */
  readonly default: boolean;
  readonly isError: boolean;
  /** Whether it is forced now, for one call at least. */
  readonly forced: boolean;
}

/** A tool with those of its scenarios that are shown. */
interface Shown {
  readonly fixture: Fixture;
  readonly scenarios: readonly { readonly scenario: Scenario; readonly about: string }[];
  readonly entry: Entry | undefined;
}

/**
 * Lists the scenarios: of all tools in short, of one tool in file order, or those that are looked
 * for, of all tools or of one.
 *
 * @returns The exit code: failed when a broken file keeps tools out of the list, or nothing is found.
 */
export function scenarios(
  tool: string | undefined,
  flags: ScenariosFlags,
  project: Project,
  io: Io,
): ExitCode {
  const folder = readFixtures(project);
  const overrides = readOverrides(project.overridesPath);
  const isSearch = flags.find !== undefined || flags.byForce || flags.errors;
  const fixtures = tool === undefined ? [...folder.fixtures.values()] : [requireTool(folder, tool)];
  const shown = fixtures
    .map((fixture) => shownOf(fixture, flags, overrides))
    .filter(({ scenarios }) => !isSearch || scenarios.length > 0);
  const drawing: Drawing = {
    paint: paintFor(io, "out"),
    width: io.outIsTerminal ? io.columns : Infinity,
    project,
  };

  if (flags.json) {
    io.out(JSON.stringify({ tools: shown.map((one) => listed(one, project)) }, null, 2));
  } else if (isSearch) {
    fitting(found(shown, drawing), io).forEach(io.out);
    const total = shown.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
    io.err(`${count(total, "scenario")} of ${count(shown.length, "tool")}`);
  } else if (tool === undefined) {
    fitting(overview(shown, drawing), io).forEach(io.out);
  } else {
    fitting(details(shown[0]!, drawing), io).forEach(io.out);
  }
  warnOf(overrides, folder, tool, project, io);
  const code = tool === undefined ? reportHidden(folder, io) : EXIT.done;
  return isSearch && shown.length === 0 ? EXIT.failed : code;
}

/** What lists are drawn with. */
interface Drawing {
  readonly paint: Paint;
  readonly width: number;
  readonly project: Project;
}

function shownOf(
  fixture: Fixture,
  { find, byForce, errors }: ScenariosFlags,
  overrides: Overrides,
): Shown {
  const written = writtenOf(readEmbeddedText(fixture.path), fixture);
  const scenarios = fixture.scenarios.filter((scenario) =>
    (find === undefined || isTitled(fixture, find) || placeOf(find, written.get(scenario)!)) &&
    (!byForce || isByForce(scenario, fixture)) &&
    (!errors || answersError(scenario))
  );
  return {
    fixture,
    scenarios: scenarios.map((scenario) => ({ scenario, about: written.get(scenario)!.about })),
    entry: entryFor(overrides, fixture.tool),
  };
}

/** Production answers most failures with an object that has an `error`, and few with `isError`. */
function answersError({ isError, template }: Scenario): boolean {
  if (isError) return true;
  const answer = renderTemplate(template, {}, trialEnvironments[0]!);
  return isJsonObject(answer) && typeof answer.error === "string";
}

function isForced(scenario: Scenario, entry: Entry | undefined): boolean {
  const name = scenario.name.toLowerCase();
  return entry?.steps.some((step) => step.scenario?.toLowerCase() === name) ?? false;
}

function listed({ fixture, scenarios, entry }: Shown, project: Project): ListedTool {
  const { tool, domain, path, definition } = fixture;
  const [step, ...more] = entry?.steps ?? [];
  return {
    tool,
    domain,
    title: typeof definition.title === "string" ? definition.title : null,
    file: isPacked(project) ? null : path,
    forced: more.length === 0 ? step?.scenario ?? null : null,
    override: entry === undefined ? null : JSON.parse(entry.text),
    scenarios: scenarios.map(({ scenario, about }) => ({
      name: scenario.name,
      line: scenario.line,
      about,
      match: scenario.match ?? null,
      default: scenario === defaultScenario(fixture),
      isError: scenario.isError,
      forced: isForced(scenario, entry),
    })),
  };
}

/** Whether the tool files are where nobody can open them. */
function isPacked({ embedded, packed }: Project): boolean {
  return embedded && packed;
}

function overview(shown: readonly Shown[], { paint, width }: Drawing): string[] {
  const rows = shown.map(({ fixture, entry }) => [
    `  ${paint("name", plain(fixture.tool))}`,
    paint("quiet", String(fixture.scenarios.length).padStart(3)),
    plain(defaultScenario(fixture).name),
    isForcing(entry, fixture) ? paint("notice", `forced: ${entryText(entry, fixture)}`) : "",
  ]);
  const lines = layOut([["", "", "default", ""], ...rows], width);
  const total = shown.reduce((sum, { fixture }) => sum + fixture.scenarios.length, 0);
  const forced = shown.filter(({ fixture, entry }) => isForcing(entry, fixture)).length;
  const domains = Map.groupBy(shown.keys(), (index) => shown[index]!.fixture.domain || "other");
  return [
    paint("quiet", lines[0]!),
    ...[...domains].flatMap(([domain, indices]) => [
      paint("title", plain(domain)),
      ...indices.map((index) => lines[index + 1]!),
    ]),
    "",
    `${count(shown.length, "tool")}, ${count(total, "scenario")}, ${forced} forced`,
  ];
}

function details(shown: Shown, { paint, width, project }: Drawing): string[] {
  const { fixture, entry } = shown;
  const title = typeof fixture.definition.title === "string" ? fixture.definition.title : "";
  const place = isPacked(project)
    ? `inside the executable; ${programName()} eject writes it to disk`
    : fixture.path;
  return [
    [paint("title", plain(fixture.tool)), plain(title)].filter((text) => text !== "").join("  "),
    paint("quiet", place),
    ...(isForcing(entry, fixture) && entry.text[0] !== '"'
      ? [paint("notice", `forced: ${entryText(entry, fixture)}`)]
      : []),
    "",
    ...layOut(rowsOf(shown, paint), width),
  ];
}

/** What was looked for, tool by tool. */
function found(shown: readonly Shown[], { paint, width }: Drawing): string[] {
  const lines = layOut(shown.flatMap((one) => rowsOf(one, paint)), width);
  return shown.flatMap(({ fixture, scenarios }) => [
    paint("title", plain(fixture.tool)),
    ...lines.splice(0, scenarios.length),
  ]);
}

function rowsOf({ fixture, scenarios, entry }: Shown, paint: Paint): string[][] {
  return scenarios.map(({ scenario, about }) => [
    isForced(scenario, entry)
      ? paint("notice", `> ${plain(scenario.name)}`)
      : `  ${plain(scenario.name)}`,
    [when(scenario, fixture), ...(scenario.isError ? [paint("bad", "isError")] : [])].join("  "),
    paint("quiet", plain(about)),
  ]);
}

function when(scenario: Scenario, fixture: Fixture): string {
  if (scenario.match !== undefined) return matchText(scenario.match);
  return isByForce(scenario, fixture) ? "only when forced" : "default";
}

/** As many lines as a terminal shows at once, and the count of the rest. */
function fitting(lines: readonly string[], io: Io): readonly string[] {
  const room = io.rows - 3;
  if (!io.outIsTerminal || lines.length <= room) return lines;
  const rest = lines.length - room;
  return [...lines.slice(0, room), `… ${count(rest, "more line")}; add | less to see all`];
}

/** Tells what the overrides file says in vain, of one tool or of all. */
function warnOf(
  overrides: Overrides,
  folder: Folder,
  tool: string | undefined,
  { overridesPath }: Project,
  io: Io,
): void {
  for (const problem of overridesProblems(overrides, knownTools(folder))) {
    const isOfAnother = tool !== undefined && problem.key !== undefined && problem.key !== tool;
    if (!isOfAnother) {
      io.err(`Warning: ${problemText(overridesPath, problem)}`);
    }
  }
}

/** Tells that broken files are left out of the list. */
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
