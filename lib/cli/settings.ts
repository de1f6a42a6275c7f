import { InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../template/duration.ts";
import type { Io } from "./io.ts";

/**
 * An option that can also be set by its environment variable; the flag wins. A variable that is
 * set to nothing counts as not set.
 *
 * @param io The environment.
 * @param name The option's name, without dashes in front.
 * @param value What the help calls its value, such as `<dir>`.
 * @param description What it does.
 * @returns The option.
 */
export function setting(io: Io, name: string, value: string, description: string): Option {
  const variable = variableOf(name);
  const option = new Option(`--${name} ${value}`, description);
  return io.env(variable) === "" ? option : option.env(variable);
}

/**
 * A switch that can also be set by its environment variable.
 *
 * @param name Its name, without dashes in front.
 * @param description What it does.
 * @returns The option, whose variable {@linkcode isSwitchedOn} reads.
 */
export function toggle(name: string, description: string): Option {
  return new Option(`--${name}`, `${description} (env: ${variableOf(name)})`);
}

/**
 * Tells whether the environment sets a switch: any value but an empty one, `0` or `false` does.
 *
 * @param io The environment.
 * @param name The switch's name, without dashes in front.
 * @returns Whether it is on.
 */
export function isSwitchedOn(io: Io, name: string): boolean {
  return !["", "0", "false"].includes(io.env(variableOf(name))?.toLowerCase() ?? "");
}

function variableOf(name: string): string {
  return `CAREEM_MCP_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Reads a port to listen on; 0 is any free one. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port === undefined || port > 65_535) {
    throw new InvalidArgumentError("Give a number from 0 (any free port) to 65535.");
  }
  return port;
}

/** Reads a port to connect to. */
export function knownPort(text: string): number {
  const port = wholeNumber(text);
  if (!port || port > 65_535) throw new InvalidArgumentError("Give a number from 1 to 65535.");
  return port;
}

/** Reads a whole number above zero. */
export function positiveInteger(text: string): number {
  const number = wholeNumber(text);
  if (!number) throw new InvalidArgumentError("Give a whole number above zero.");
  return number;
}

/** Reads a duration in Go's syntax as milliseconds. */
export function milliseconds(text: string): number {
  const nanoseconds = parseDuration(text);
  if (!nanoseconds) throw new InvalidArgumentError("Give a duration such as 30m or 1h30m.");
  return Number(nanoseconds) / 1e6;
}

/** Reads an origin; a slash at its end is dropped. */
export function webOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search) {
    return url.origin;
  }
  throw new InvalidArgumentError("Give an origin such as https://careem-mcp-app.pages.dev.");
}

/** Adds to a list: options that take one repeat, or name several between commas. */
export function listItem(text: string, before: readonly string[]): string[] {
  return [...before, ...text.split(",").map((item) => item.trim()).filter((item) => item !== "")];
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
