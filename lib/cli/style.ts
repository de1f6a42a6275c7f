import { styleText } from "node:util";
import type { Io } from "./io.ts";

/** What a piece of output is, so that one place decides how it looks. */
export type Role = "title" | "name" | "quiet" | "good" | "notice" | "bad";

/** Dresses a piece of text for a stream, or leaves it bare. */
export type Paint = (role: Role, text: string) => string;

const FORMATS = {
  title: "bold",
  name: "cyan",
  quiet: "dim",
  good: "green",
  notice: "yellow",
  bad: "red",
} as const satisfies Record<Role, Parameters<typeof styleText>[0]>;

/** Text as it is: for pipes, files and people who asked for no colour. */
const barePaint: Paint = (_role, text) => text;

const colourPaint: Paint = (role, text) =>
  styleText(FORMATS[role], text, { validateStream: false });

/**
 * Whether a stream gets colours: a terminal does. `NO_COLOR` turns them off for good, `FORCE_COLOR`
 * and `CLICOLOR_FORCE` ask for them in a pipe, too.
 *
 * Source: https://no-color.org, https://bixense.com/clicolors/
 */
export function hasColours(io: Io, stream: "out" | "err"): boolean {
  const force = io.env("FORCE_COLOR") ?? "";
  if (io.env("NO_COLOR") || force === "0" || force === "false") return false;
  if (force !== "" || !["", "0"].includes(io.env("CLICOLOR_FORCE") ?? "")) return true;
  return stream === "out" ? io.outIsTerminal : io.errIsTerminal;
}

/** The paint for a stream. */
export function paintFor(io: Io, stream: "out" | "err"): Paint {
  return hasColours(io, stream) ? colourPaint : barePaint;
}
