import { applyEdits, type Edit, findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { Fixture, ToolDefinition } from "../fixture/fixture.ts";
import { outlineOf } from "../fixture/outline.ts";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { canonical } from "../schema/canonical.ts";
import { listOf, mapOf } from "../schema/document.ts";
import { argumentPath } from "../template/template.ts";

/** An argument that has another name now. */
export interface Rename {
  readonly tool: string;
  /** The old names of the objects that it is in; lists are passed over. */
  readonly within: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** A rename as it is asked for: of one tool, or of all that have it. */
export interface Wanted {
  readonly tool?: string;
  /** The old name, behind those of the objects that it is in. */
  readonly path: readonly string[];
  readonly to: string;
  /** As it was written. */
  readonly text: string;
}

/** The properties of an object of the arguments, before and after. */
interface Level {
  readonly within: readonly string[];
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly required: readonly string[];
  readonly wasRequired: (key: string) => boolean;
}

/**
 * Finds arguments that seem to have another name: one is gone, another came with an equal schema, or
 * with one of the same type where nothing else came.
 */
export function findRenames(before: ToolDefinition, after: ToolDefinition): Rename[] {
  return levelsOf(before.inputSchema, after.inputSchema).flatMap((level) => {
    const gone = goneFrom(level);
    const added = Object.keys(level.after).filter((key) => !Object.hasOwn(level.before, key));
    const likeness = (from: string, to: string): number =>
      (letters(from) === letters(to) ? 4 : 0) +
      (essence(level.before[from]!) === essence(level.after[to]!) ? 2 : 0) +
      (isOfType(level.before[from]!, level.after[to]!) ? 1 : 0);
    const pairs = gone.flatMap((from) => added.map((to) => ({ from, to, by: likeness(from, to) })))
      .filter(({ by }) => by > 0);
    return pairs.filter((pair) =>
      pairs.every((other) =>
        other === pair || other.by < pair.by || (other.from !== pair.from && other.to !== pair.to)
      )
    ).map(({ from, to }) => ({ tool: after.name, within: level.within, from, to }));
  });
}

/**
 * Finds what a rename that was asked for comes to in one tool: nothing where it has no such argument,
 * or no new one of that name.
 */
export function renamesFor(
  { tool, path, to }: Wanted,
  before: ToolDefinition,
  after: ToolDefinition,
): Rename[] {
  if (tool !== undefined && tool !== before.name) return [];
  const from = path.at(-1)!;
  const parents = path.slice(0, -1);
  return levelsOf(before.inputSchema, after.inputSchema).filter((level) =>
    Object.hasOwn(level.before, from) && !Object.hasOwn(level.after, from) &&
    Object.hasOwn(level.after, to) &&
    parents.every((name, at) => level.within.at(at - parents.length) === name)
  ).map(({ within }) => ({ tool: before.name, within, from, to }));
}

/** A change of the arguments that a person has to look at. */
export interface Cause {
  readonly text: string;
  /** How many scenarios ask for the argument or insert it; of a new one, how many rules do not. */
  readonly scenarios: number;
}

/** Says what became of the arguments beyond renames: gone, required from now on, of another type. */
export function causesOf(
  fixture: Fixture,
  after: ToolDefinition,
  renames: readonly Rename[],
): Cause[] {
  const { definition, scenarios } = fixture;
  const ruled = scenarios.filter(({ match }) => match !== undefined).length;
  return levelsOf(definition.inputSchema, after.inputSchema).flatMap((level) => {
    const uses = (key: string): number =>
      scenarios.filter((scenario) => isUsed(scenario, [...level.within, key])).length;
    const cause = (key: string, what: string, scenarios = uses(key)): Cause => ({
      text: `\`${[...level.within, key].join(".")}\` ${what}`,
      scenarios,
    });
    const here = renames.filter(({ within }) => within.join(".") === level.within.join("."));
    const oldName = (key: string): string => here.find(({ to }) => to === key)?.from ?? key;
    const newName = (key: string): string => here.find(({ from }) => from === key)?.to ?? key;
    const gone = goneFrom(level).filter((key) => newName(key) === key);
    const retyped = Object.keys(level.before).filter((key) => {
      const now = own(level.after, newName(key));
      return now !== undefined && !isOfType(level.before[key]!, now);
    });
    return [
      ...gone.map((key) => cause(key, "is gone")),
      ...level.required.filter((key) => !level.wasRequired(oldName(key)))
        .map((key) => cause(key, "is required now", ruled - uses(key))),
      ...retyped.map((key) => cause(key, "has another type")),
    ];
  });
}

function isUsed(
  { match, template }: Fixture["scenarios"][number],
  path: readonly string[],
): boolean {
  const asks = path.reduce<JsonValue | undefined>(
    (rule, key) =>
      [rule].flat().filter((one) => isJsonObject(one)).map((one) => own(one, key))
        .find((one) => one !== undefined),
    match,
  );
  return asks !== undefined || template.segments.some((segment) => {
    const named = argumentPath(segment)?.filter((key) => !/^\d+$/.test(key));
    return named !== undefined && path.every((key, at) => named[at] === key);
  });
}

/** Renames arguments in the rules and the placeholders of a tool file; nothing else in it changes. */
export function renameArguments(text: string, renames: readonly Rename[]): string {
  if (renames.length === 0) return text;
  const lines = text.split(/(?<=\n)/);
  for (const { kind, line, text: block, scenario } of outlineOf(text).blocks) {
    if (scenario === undefined) continue;
    const rename = kind === "match" ? inRule : inAnswer;
    const renamed = rename(block, renames);
    if (renamed === block) continue;
    // A block keeps its number of lines, and each line its end.
    renamed.split("\n").forEach((now, index) => {
      lines[line + index] = now + (/\r?\n$/.exec(lines[line + index]!)?.[0] ?? "");
    });
  }
  return lines.join("");
}

/** Renames arguments in `coherence.json`, where it says which tools take an id. */
export function renameInCoherence(text: string, renames: readonly Rename[]): string {
  const root = parseTree(text);
  const entities = root && findNodeAtLocation(root, ["entities"]);
  const takes =
    entities?.children?.flatMap(({ children }) =>
      findNodeAtLocation(children![1]!, ["taken"])?.children ?? []
    ) ?? [];
  const edits = takes.flatMap((take) => {
    const own = renames.filter(({ tool }) => tool === findNodeAtLocation(take, ["by"])?.value);
    const as = findNodeAtLocation(take, ["as"]);
    const more = findNodeAtLocation(take, ["with"]);
    const dotted = renamedPath(String(as?.value), own);
    return [
      ...(as === undefined || dotted === as.value ? [] : [editOf(as, dotted)]),
      ...(more === undefined ? [] : keyEdits(more, [], own)),
    ];
  });
  return applyEdits(text, edits);
}

function newName(path: readonly string[], renames: readonly Rename[]): string | undefined {
  const place = path.slice(0, -1).join(".");
  return renames.find(({ within, from }) => from === path.at(-1) && within.join(".") === place)?.to;
}

function inRule(block: string, renames: readonly Rename[]): string {
  const root = parseTree(block);
  return root === undefined ? block : applyEdits(block, keyEdits(root, [], renames));
}

function editOf({ offset, length }: Node, value: string): Edit {
  return { offset, length, content: JSON.stringify(value) };
}

/** The edits that give the keys of an object, and of all in it, their new names. */
function keyEdits(node: Node, path: readonly string[], renames: readonly Rename[]): Edit[] {
  if (node.type !== "property") {
    return (node.children ?? []).flatMap((child) => keyEdits(child, path, renames));
  }
  const [key, value] = node.children!;
  const inner = [...path, String(key!.value)];
  const name = newName(inner, renames);
  return [
    ...(name === undefined ? [] : [editOf(key!, name)]),
    ...(value === undefined ? [] : keyEdits(value, inner, renames)),
  ];
}

function inAnswer(block: string, renames: readonly Rename[]): string {
  return block.replaceAll(
    /(\{\{\s*args\.)([^{}]*?)(\s*\}\})/g,
    (_all, open, dotted, close) => open + renamedPath(dotted, renames) + close,
  );
}

/** A dotted path with the new names in it; the indices of lists are passed over. */
function renamedPath(dotted: string, renames: readonly Rename[]): string {
  const named: string[] = [];
  return dotted.split(".").map((key) => {
    if (/^\d+$/.test(key)) return key;
    named.push(key);
    return newName(named, renames) ?? key;
  }).join(".");
}

/** The objects of the arguments that are there before and after; of renamed ones nothing is known. */
function levelsOf(
  before: JsonObject,
  after: JsonObject,
  within: readonly string[] = [],
): Level[] {
  const [old, now] = [mapOf(before.properties), mapOf(after.properties)];
  const level = {
    within,
    before: old,
    after: now,
    required: listOf(after.required).map(String),
    wasRequired: (key: string) => listOf(before.required).includes(key),
  };
  const inner = Object.keys(old).filter((key) => Object.hasOwn(now, key)).flatMap((key) =>
    levelsOf(objectOf(old[key]!), objectOf(now[key]!), [...within, key])
  );
  return Object.keys(old).length + Object.keys(now).length === 0 ? inner : [level, ...inner];
}

/** The schema of an object, or of the objects in a list. */
function objectOf(schema: JsonValue): JsonObject {
  const { items } = mapOf(schema);
  return isJsonObject(items) ? objectOf(items) : mapOf(schema);
}

function goneFrom({ before, after }: Level): string[] {
  return Object.keys(before).filter((key) => !Object.hasOwn(after, key));
}

/** What a schema asks for, without what it says. */
function essence(schema: JsonValue): string {
  const { description: _d, title: _t, default: _f, examples: _e, ...rest } = mapOf(schema);
  return canonical(rest);
}

function isOfType(a: JsonValue, b: JsonValue): boolean {
  const [one, other] = [a, b].map((schema) => canonical(mapOf(schema).type ?? null));
  return one === other;
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
