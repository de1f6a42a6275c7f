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

/**
 * The environment variable of an option.
 *
 * @param name The option's name, without dashes in front.
 * @returns The variable's name.
 */
export function variableOf(name: string): string {
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
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError(
    "Give an origin such as https://my-app.test, and nothing after it.",
  );
}

/** Reads an address to listen on, with or without the brackets of IPv6. */
export function listenAddress(text: string): string {
  const address = text.trim().replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const colons = address.split(":").length - 1;
  if (/^[\w.:%-]+$/.test(address) && colons !== 1) return address;
  throw new InvalidArgumentError("Give an address such as 127.0.0.1 or ::1, without a port.");
}

/**
 * Adds `Host` names to a list. Of an address that a tunnel prints (`https://name.test/`) the name is
 * taken; a port is dropped, since a name is served with any.
 */
export function hostNames(text: string, before: readonly string[]): string[] {
  return [...before, ...itemsOf(text, "a name such as my-own.trycloudflare.com").map(hostName)];
}

function hostName(text: string): string {
  if (text === "*") return text;
  const address = text.includes("://") ? text : `http://${bracketed(text)}`;
  // A URL without a name takes the first part of its path for one.
  const name = address.includes(":///")
    ? ""
    : URL.parse(address)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  if (/^[\w.:-]+$/.test(name)) return name;
  throw new InvalidArgumentError(
    text.includes("*")
      ? "A name has no wildcards. Give it whole, such as my-own.trycloudflare.com, or * for any."
      : "Give a name such as my-own.trycloudflare.com.",
  );
}

/** An IPv6 address without brackets has more colons than a name with a port. */
function bracketed(text: string): string {
  return /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(text) ? `[${text}]` : text;
}

/** Adds web origins to a list. */
export function webOrigins(text: string, before: readonly string[]): string[] {
  return [...before, ...itemsOf(text, "an origin such as https://my-app.test").map(allowedOrigin)];
}

/** `null` is the origin of pages without one: files, sandboxed frames. */
function allowedOrigin(text: string): string {
  if (text === "*" || text === "null") return text;
  if (!text.includes("*")) return webOrigin(text);
  throw new InvalidArgumentError(
    "An origin has no wildcards. Give it whole, such as https://my-app.test, or * for any.",
  );
}

/** What stands between the commas of an option that takes several; at least one thing. */
function itemsOf(text: string, what: string): string[] {
  const items = text.split(",").map((item) => item.trim()).filter((item) => item !== "");
  if (items.length === 0) throw new InvalidArgumentError(`Give ${what}.`);
  return items;
}

/** Reads a path: nothing would mean the current folder, which nobody means by it. */
export function somePath(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Give a path; . is the current folder.");
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
