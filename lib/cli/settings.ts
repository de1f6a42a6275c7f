import { LONGEST_DELAY_MS } from "../control/overrides.ts";
import { parseDuration } from "../template/duration.ts";
import type { Io } from "./io.ts";

/** Something that a flag sets, or its environment variable; the flag wins. */
export interface Setting<T> {
  /** The flag, without dashes in front. */
  readonly flag: string;
  /** What the help calls the value, such as `<dir>`; a setting without one is a switch. */
  readonly value?: string;
  /** `undefined` where there is none, and the help says nothing of one. */
  readonly default: T;
  /** What the help says of the default, where that is not the value itself. */
  readonly defaultText?: string;
  /** Reads the value, unless it is one of `choices`; `before` is the default, or what the same flag said before. */
  parse?(text: string, before: T): T;
  readonly choices?: readonly string[];
  readonly help: string;
}

/** A value that a setting cannot have; the message says what it can. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** The environment variable of a setting, by its flag without dashes in front. */
export function variableOf(flag: string): string {
  return `CAREEM_MCP_${flag.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * Tells whether the environment sets a setting. A variable that is set to nothing counts as not set;
 * a switch is not set by `0` and `false` either.
 */
export function isInEnvironment(io: Io, { flag, value }: Setting<unknown>): boolean {
  const text = io.env(variableOf(flag)) ?? "";
  return value === undefined ? !["", "0", "false"].includes(text.toLowerCase()) : text !== "";
}

/** Reads a port to listen on; 0 is any free one. */
export const portNumber = integer(0, 65_535, "a number from 0 (any free port) to 65535");

/** Reads a port to connect to. */
export const knownPort = integer(1, 65_535, "a number from 1 to 65535");

/** Reads a whole number. */
export const wholeNumber = integer(0, Infinity, "a whole number");

/** Reads a whole number above zero. */
export const positiveInteger = integer(1, Infinity, "a whole number above zero");

function integer(least: number, most: number, what: string): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new SettingError(`Give ${what}.`);
  };
}

/** Reads a duration in Go's syntax as milliseconds; more than none. */
export function milliseconds(text: string): number {
  const nanoseconds = parseDuration(text);
  if (!nanoseconds) throw new SettingError("Give a duration such as 30m or 1h30m.");
  return Number(nanoseconds) / 1e6;
}

/** Reads how long a call is to wait, and keeps it as it is written. */
export function durationText(text: string): string {
  const nanoseconds = parseDuration(text);
  if (nanoseconds && Number(nanoseconds) / 1e6 <= LONGEST_DELAY_MS) return text;
  throw new SettingError("Give a duration such as 800ms or 3s, of 24h at most.");
}

/** Reads an origin; a slash at its end is dropped. */
export function webOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new SettingError(
    "Give an origin such as https://my-app.test, and nothing after it.",
  );
}

/** Reads an address to listen on, with or without the brackets of IPv6. */
export function listenAddress(text: string): string {
  const address = text.trim().replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const colons = address.split(":").length - 1;
  if (/^[\w.:%-]+$/.test(address) && colons !== 1) return address;
  throw new SettingError("Give an address such as 127.0.0.1 or ::1, without a port.");
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
  throw new SettingError(
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
  throw new SettingError(
    "An origin has no wildcards. Give it whole, such as https://my-app.test, or * for any.",
  );
}

/** What stands between the commas of an option that takes several; at least one thing. */
function itemsOf(text: string, what: string): string[] {
  const items = text.split(",").map((item) => item.trim()).filter((item) => item !== "");
  if (items.length === 0) throw new SettingError(`Give ${what}.`);
  return items;
}

/** Reads a path. An empty one would mean the current folder, which nobody intends. */
export function somePath(text: string): string {
  if (text !== "") return text;
  throw new SettingError("Give a path; . is the current folder.");
}
