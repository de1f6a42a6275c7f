import type { JsonObject, JsonValue } from "../json.ts";
import { Refusal } from "../refusal.ts";
import type { Folder } from "../store/folder.ts";
import { requireAnywhere, requireScenario, requireTool } from "../store/lookup.ts";
import {
  ANY_REQUEST,
  ANY_TOOL,
  type Entry,
  parseOverrides,
  parseOverridesObject,
} from "./overrides.ts";
import { changeOverrides } from "./overrides_file.ts";

/** A step as the overrides file has it: of `scenario` or `fault`, `delay` and `times` what there is. */
export type WrittenStep = JsonObject;

/** Tells the developer of something that need not stop a change. */
type Warn = (message: string) => void;

/**
 * Forces a tool, or what `*` and `/` stand for. A running server obeys from its next call on.
 *
 * @param path The overrides file.
 * @param key The tool, `*` or `/`.
 * @param steps One a call; at least one. Names of scenarios are written as the tool's file has them.
 * @param folder What tools and scenarios there are.
 * @returns The entry.
 * @throws {Refusal} When there is no such tool or scenario, or a step cannot be understood.
 * @throws {OverridesFileError} When the file cannot be written.
 */
export async function force(
  path: string,
  key: string,
  steps: readonly WrittenStep[],
  folder: Folder,
  warn: Warn,
): Promise<Entry> {
  const fixture = [ANY_TOOL, ANY_REQUEST].includes(key) ? undefined : requireTool(folder, key);
  const isCounted = steps.length > 1 || steps.some(({ times }) => times !== undefined);
  const whole = steps.map((step, index) => {
    // A new time makes it a new entry, so that servers begin to count again.
    const at = isCounted && index === 0 ? { at: new Date().toISOString() } : {};
    const { scenario } = step;
    if (typeof scenario !== "string" || key === ANY_REQUEST) return shortest({ ...step, ...at });
    const name = fixture === undefined
      ? requireAnywhere(folder, scenario)
      : requireScenario(fixture, scenario).name;
    return shortest({ ...step, scenario: name, ...at });
  });
  const value = whole.length === 1 ? whole[0]! : whole;
  const { entries, problems } = parseOverrides(JSON.stringify({ [key]: value }));
  const entry = entries.get(key);
  if (problems.length > 0 || entry === undefined) {
    throw new Refusal("usage", problems[0]?.message ?? "name what is to be forced");
  }
  refuseNoFile(path);
  await changeOverrides(path, (entries) => {
    entries[key] = value;
  }, warn);
  return entry;
}

/** A step as people write it. */
function shortest(step: JsonObject): JsonValue {
  const names = Object.keys(step);
  if (names.length === 0) return null;
  return names.length === 1 && typeof step.scenario === "string" ? step.scenario : step;
}

/**
 * Lets go what is forced for a key, or all. An entry may outlive its tool. Where there is nothing to
 * let go, nothing is written.
 *
 * @returns How many entries went.
 * @throws {OverridesFileError} When the file cannot be written.
 */
export async function letGo(path: string, key: string | undefined, warn: Warn): Promise<number> {
  const chosen = (entries: JsonObject): string[] =>
    Object.keys(entries).filter((name) => key === undefined || name === key);
  refuseNoFile(path);
  const now = entriesOf(path);
  if (now !== undefined && chosen(now).length === 0) return 0;
  let removed = 0;
  await changeOverrides(path, (entries) => {
    const names = chosen(entries);
    removed = names.length;
    for (const name of names) delete entries[name];
  }, warn);
  return removed;
}

/** The entries of an overrides file; `undefined` when it cannot be used, which changing it tells. */
function entriesOf(path: string): JsonObject | undefined {
  try {
    const text = Deno.readTextFileSync(path);
    return text.trim() === "" ? {} : parseOverridesObject(text);
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? {} : undefined;
  }
}

/** Refuses a path that leads to no file, before a lock is written beside it. */
function refuseNoFile(path: string): void {
  let what: string;
  try {
    const { isFile, isDirectory } = Deno.statSync(path);
    if (isFile) return;
    what = isDirectory ? "a folder" : "a pipe or a device";
  } catch {
    // There is none yet; writing makes it, or says why it cannot.
    return;
  }
  throw new Refusal(
    "conflict",
    `${path} is ${what}, where the file of what is forced should be.\n` +
      "Name a file with --overrides.",
  );
}
