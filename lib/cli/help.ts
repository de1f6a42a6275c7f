import {
  type Command,
  Help,
  type HelpConfiguration,
  type Option,
  type OutputConfiguration,
} from "commander";
import { programName } from "./installation.ts";
import type { Io } from "./io.ts";
import { hasColours, paintFor } from "./style.ts";

/** Where commander writes, how wide, and whether in colour. Errors are told by `report`. */
export function outputFor(io: Io): OutputConfiguration {
  return {
    writeOut: (text) => io.out(text.replace(/\n$/, "")),
    writeErr: (text) => io.err(text.replace(/\n$/, "")),
    outputError: () => {},
    getOutHelpWidth: () => io.outIsTerminal ? io.columns : 80,
    getErrHelpWidth: () => io.errIsTerminal ? io.columns : 80,
    getOutHasColors: () => hasColours(io, "out"),
    getErrHasColors: () => hasColours(io, "err"),
  };
}

/** How help looks. Commander strips the colours where the stream wants none. */
export function helpStyle(io: Io): HelpConfiguration {
  const paint = paintFor(io, "out");
  return {
    styleTitle: (text) => paint("title", text),
    styleCommandText: (text) => paint("name", text),
    styleSubcommandText: (text) => paint("name", text),
    styleOptionText: (text) => paint("name", text),
    styleArgumentText: (text) => paint("name", text),
    groupItems: ownFirst,
  };
}

/** A command's own options come first, also where --help, which commander adds last, is the only one. */
function ownFirst<T extends Command | Option>(
  items: T[],
  visible: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = new Help().groupItems(items, visible, groupOf);
  const own = groups.get("Options:");
  if (own === undefined) return groups;
  groups.delete("Options:");
  return new Map([["Options:", own], ...groups]);
}

/** A line of a help's examples: what to type and what it does. */
export type Example = readonly [command: string, effect: string];

/** Adds examples below a command's help. */
export function withExamples(command: Command, io: Io, examples: readonly Example[]): Command {
  const paint = paintFor(io, "out");
  const lines = examples.flatMap(([line, effect]) => [
    `  ${paint("quiet", `# ${effect}`)}`,
    `  ${programName()} ${line}`.trimEnd(),
  ]);
  return command.addHelpText("after", ["", paint("title", "Examples:"), ...lines].join("\n"));
}
