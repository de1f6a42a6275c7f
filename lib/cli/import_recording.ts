import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/parse.ts";
import { plain } from "../plain.ts";
import { type Recorded, recordScenarios, type Writing } from "../produce/record.ts";
import type { Exchange, Recording } from "../produce/recording.ts";
import type { ImportPlan, PlannedFile } from "./import_plan.ts";
import { count, type Io } from "./io.ts";
import { readToolsList, type ToolsList } from "./tools_list.ts";

/** The calls of a recording that tell which tool they are of. */
export type RecordedCall = Exchange & { readonly tool: string };

/** Takes those calls out of a recording. */
export function callsOf({ exchanges }: Recording): RecordedCall[] {
  return exchanges.filter((one): one is RecordedCall => one.tool !== undefined);
}

/**
 * The definitions of a recording: a journal has none, and neither has one that began too late.
 *
 * @returns The tools; `undefined` where none were listed.
 */
export function listedTools({ lists }: Recording, source: string): ToolsList | undefined {
  return lists.length === 0 ? undefined : readToolsList(JSON.stringify(lists), source);
}

/** A plan with the recorded calls as scenarios, and what became of these. */
export interface RecordingPlan {
  readonly plan: ImportPlan;
  readonly tools: ReadonlyMap<string, Recorded>;
  /** The tools that were called and are defined neither in the recording nor in the folder. */
  readonly unknown: readonly string[];
}

/**
 * Puts recorded calls into the files that an import is to write, and into those it would not touch.
 */
export function planRecording(
  plan: ImportPlan,
  fixtures: ReadonlyMap<string, Fixture>,
  calls: readonly RecordedCall[],
  writing: Writing,
): RecordingPlan {
  const files = new Map<string, PlannedFile>(
    [...plan.updated, ...plan.created].map((file) => [file.tool, file]),
  );
  const byTool = Map.groupBy(calls, ({ tool }) => tool);
  const tools = new Map<string, Recorded>();
  const unknown: string[] = [];
  for (const [tool, own] of byTool) {
    const fixture = fixtures.get(tool);
    const file = files.get(tool) ?? (fixture && untouched(fixture));
    if (file === undefined) {
      unknown.push(tool);
      continue;
    }
    const recorded = recordScenarios(file.text, file.path, own, writing);
    tools.set(tool, recorded);
    if (recorded.added.length === 0) continue;
    const { text } = recorded;
    files.set(tool, { ...file, text, fixture: parseFixture(text, file.path) });
  }
  const created = new Set(plan.created.map(({ tool }) => tool));
  const updated = [...files.values()].filter(({ tool }) => !created.has(tool));
  return {
    plan: {
      ...plan,
      updated,
      created: plan.created.map(({ tool }) => files.get(tool)!),
      unchanged: plan.unchanged + plan.updated.length - updated.length,
    },
    tools,
    unknown,
  };
}

function untouched(fixture: Fixture): PlannedFile {
  const { tool, path } = fixture;
  const text = Deno.readTextFileSync(path);
  return { tool, path, text, fixture, differences: [], renames: [], likely: [], causes: [] };
}

/** Tells what became of the recorded calls. */
export function reportRecording({ tools, unknown }: RecordingPlan, errors: number, io: Io): void {
  const all = [...tools.values()];
  const total = (number: (one: Recorded) => number): number =>
    all.reduce((sum, one) => sum + number(one), 0);
  io.err(
    `careem-mcp: ${count(total(({ added }) => added.length), "scenario")} recorded; ` +
      `${count(total(({ known }) => known), "call")} answered so already`,
  );
  const reasons = new Map<string, number>();
  for (const [why, number] of all.flatMap(({ left }) => [...left])) {
    reasons.set(why, (reasons.get(why) ?? 0) + number);
  }
  if (errors > 0) reasons.set("answered by a JSON-RPC error, which no scenario can be", errors);
  for (const [why, number] of reasons) io.err(`  ${count(number, "call")} ${why}`);
  for (const tool of unknown) {
    io.err(`  \`${plain(tool)}\` was called, but is not defined; record its tools/list, too`);
  }
}
