import { relative } from "node:path";
import { checkFixture } from "../check/check.ts";
import type { Finding } from "../check/finding.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { count, plain } from "../plain.ts";
import { type Rename, renamesFor, type Wanted } from "../produce/renames.ts";
import { systemEnvironment } from "../template/environment.ts";
import { findingJson, findingText } from "./check.ts";
import type { ImportFlags } from "./import.ts";
import type { ImportPlan, PlannedFile } from "./import_plan.ts";
import { CliError, EXIT, type Io } from "./io.ts";
import { differenceText } from "./json_difference.ts";
import type { Project } from "./project.ts";
import { paintFor, type Role } from "./style.ts";

/** How many causes are listed at most; `--json` has all. */
const MOST_CAUSES = 20;

/** Reads a rename as it was asked for: `old=new`, `object.old=new` or `tool.old=new`. */
export function readRename(text: string, fixtures: ReadonlyMap<string, Fixture>): Wanted {
  const [old = "", name = "", more] = text.split("=");
  const path = old.split(".");
  const to = name.split(".").at(-1)!;
  if (more !== undefined || to === "" || path.includes("")) {
    throw new CliError(`--rename ${text}: write old=new or tool.old=new.`, EXIT.usage);
  }
  const [tool = "", ...rest] = path;
  if (rest.length > 0 && fixtures.has(tool)) return { tool, path: rest, to, text };
  return { path, to, text };
}

/** Refuses a rename that concerns no tool, which is most likely a typing error. */
export function refuseVain(
  wanted: readonly Wanted[],
  { updated }: ImportPlan,
  fixtures: ReadonlyMap<string, Fixture>,
): void {
  const vain = wanted.find((one) =>
    !updated.some(({ tool, fixture }) =>
      renamesFor(one, fixtures.get(tool)!.definition, fixture.definition).length > 0
    )
  );
  if (vain === undefined) return;
  throw new CliError(
    `--rename ${vain.text}: in no tool such an argument goes and the other comes.\n` +
      "Nothing was changed. --dry-run shows what seems to have another name.",
  );
}

/** Asks on a terminal about what seems to have another name. */
export function confirmRenames({ updated }: ImportPlan, io: Io): Wanted[] {
  if (!io.outIsTerminal || !Deno.stdin.isTerminal()) return [];
  return updated.flatMap(({ likely }) => likely)
    .filter((rename) => confirm(`${wordsOf(rename)}. Rewrite its rules and placeholders?`))
    .map(({ tool, within, from, to }) => ({ tool, path: [...within, from], to, text: from }));
}

function wordsOf({ tool, within, from, to }: Rename): string {
  const place = [...within, ""].join(".");
  return plain(`\`${place}${from}\` of ${tool} seems to be \`${place}${to}\` now`);
}

/** Words what an import did, or would do. */
export function describeImport(
  { updated, created, vanished, unchanged, coherence }: ImportPlan,
  { prune, dryRun }: ImportFlags,
  partial: boolean,
  { toolsDirectory }: Project,
  io: Io,
): string[] {
  const paint = paintFor(io, "out");
  const near = (path: string): string => relative(toolsDirectory, path);
  const did = (role: Role, verb: string, path: string): string =>
    `${paint(role, dryRun ? verb : `${verb}d`)}  ${near(path)}`;
  const added = ({ recorded }: PlannedFile): string[] =>
    (recorded?.added ?? []).map((name) => `  ${paint("good", `+ scenario ${plain(name)}`)}`);
  const would = dryRun ? "would be " : "";
  return [
    ...updated.flatMap((file) => [
      did("notice", "update", file.path),
      ...file.differences.map(differenceText).map((line) => `  ${paint(roleOf(line), line)}`),
      ...aboutArguments(file).map((line) => `  ${line}`),
      ...added(file),
    ]),
    ...(coherence === undefined ? [] : [did("notice", "update", coherence.path)]),
    ...created.flatMap((file) => [did("good", "create", file.path), ...added(file)]),
    ...vanished.map(({ path }) =>
      prune ? did("bad", "delete", path) : `vanished  ${near(path)} (kept; --prune deletes it)`
    ),
    [
      `${updated.length} ${would}updated`,
      `${created.length} ${would}created`,
      ...(partial ? [] : [`${vanished.length} ${prune ? `${would}deleted` : "vanished"}`]),
      `${unchanged} unchanged`,
    ].join(", "),
  ];
}

function roleOf(difference: string): Role {
  return difference.startsWith("+") ? "good" : difference.startsWith("-") ? "bad" : "notice";
}

/** Says what became of a tool's arguments. */
function aboutArguments({ tool, renames, likely, causes }: PlannedFile): string[] {
  const dotted = ({ within }: Rename, name: string): string => plain([...within, name].join("."));
  const isLikely = (text: string): boolean =>
    likely.some((one) => text === `\`${dotted(one, one.from)}\` is gone`);
  return [
    ...renames.map((one) =>
      `= ${dotted(one, one.from)} is ${dotted(one, one.to)} now, in rules and placeholders, too`
    ),
    ...likely.map((one) => {
      const [from, to] = [dotted(one, one.from), dotted(one, one.to)];
      return `? ${from} seems to be ${to} now; to rewrite the scenarios: ` +
        `--rename ${tool}.${from}=${one.to}`;
    }),
    ...causes.filter(({ text }) => !isLikely(text)).map(({ text, scenarios }) => {
      const use = text.endsWith("required now") ? "do not ask for it" : "use it";
      return `! ${plain(text)}: ${count(scenarios, "scenario")} ${use}`;
    }),
  ];
}

/** Tells what became of the recorded calls. */
export function reportRecording(
  { recorded, unknown }: ImportPlan,
  errors: number,
  io: Io,
): void {
  const added = recorded.flatMap((one) => one.added).length;
  const known = recorded.reduce((sum, one) => sum + one.known, 0);
  io.err(
    `careem-mcp: ${count(added, "scenario")} recorded; ${count(known, "call")} answered so already`,
  );
  const left = new Map<string, number>();
  for (const [why, number] of recorded.flatMap((one) => [...one.left])) {
    left.set(why, (left.get(why) ?? 0) + number);
  }
  if (errors > 0) left.set("answered by a JSON-RPC error, which no scenario can be", errors);
  for (const [why, number] of left) io.err(`  ${count(number, "call")} ${why}`);
  for (const tool of unknown) {
    io.err(`  \`${plain(tool)}\` was called, but is not defined; record its tools/list, too`);
  }
}

/** Tells what breaks a rule of `check` in the tools that changed, a line for each cause. */
export function reportMisfits(plan: ImportPlan, io: Io): void {
  const findings = misfitsOf(plan);
  if (findings.length === 0) return;
  const causes = Map.groupBy(findings, causeOf);
  io.err(`careem-mcp: ${count(findings.length, "finding")} in what changed:`);
  for (const [first, ...more] of [...causes.values()].slice(0, MOST_CAUSES)) {
    const also = more.length === 0 ? "" : ` (and ${count(more.length, "scenario")} more)`;
    io.err(`  ${findingText(first!)}${also}`);
  }
  const rest = causes.size - MOST_CAUSES;
  if (rest > 0) io.err(`  and ${count(rest, "cause")} more; --json has all`);
}

const VALUES = "type|enum|const|pattern|format|multipleOf|uniqueItems|" +
  "minimum|maximum|exclusiveMinimum|exclusiveMaximum|minLength|maxLength|minItems|maxItems";
/** What the validator says of a value, which is another one in each scenario. */
const ABOUT_VALUE = new RegExp(`((?:validating \\S+: )+(?:${VALUES})): .*`, "s");

/** A text that findings of one cause share: what differs is the sample call and the value in it. */
function causeOf({ path, rule, message }: Finding): string {
  const cause = message.replace(/sample call .*? (?=does|is)/s, "")
    .replace(ABOUT_VALUE, "$1").replaceAll(/\/\d+\b/g, "/…");
  return JSON.stringify([path, rule, rule === "shadowed" ? "" : cause]);
}

function misfitsOf({ updated, created }: ImportPlan): Finding[] {
  return [...updated, ...created].flatMap(({ fixture }) =>
    checkFixture(fixture, systemEnvironment)
  );
}

/**
 * What an import did, for scripts; `saved` is the copy of the folder as it was, if there is one.
 */
export function importJson(plan: ImportPlan, saved: string | undefined): object {
  return {
    updated: plan.updated.map(({ tool, path, differences, renames, likely, causes }) => ({
      tool,
      file: path,
      differences,
      renames,
      likelyRenames: likely,
      causes,
    })),
    created: plan.created.map(({ tool, path }) => ({ tool, file: path })),
    vanished: plan.vanished.map(({ tool, path }) => ({ tool, file: path })),
    unchanged: plan.unchanged,
    before: saved ?? null,
    findings: misfitsOf(plan).map(findingJson),
  };
}
