import { PRODUCTION } from "../mcp/twin.ts";
import type { LogFormat } from "../mcp/log.ts";

/** The flags of `start`, defaults filled in. */
export interface StartOptions {
  readonly stdio: boolean;
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly serverVersion: string;
  readonly widgetDomain: string;
  readonly outputSchema: boolean;
  readonly meta: boolean;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly exposeFixtureErrors: boolean;
  /** Milliseconds. */
  readonly sessionIdle: number;
  readonly maxSessions: number;
  readonly log: LogFormat;
  readonly quiet: boolean;
}

/** What `start` does when no flag and no environment variable says otherwise. */
export const START_DEFAULTS: StartOptions = {
  stdio: false,
  host: "127.0.0.1",
  port: 8787,
  name: PRODUCTION.name,
  serverVersion: PRODUCTION.version,
  widgetDomain: PRODUCTION.widgetDomain,
  outputSchema: PRODUCTION.outputSchema,
  meta: PRODUCTION.meta,
  allowHost: [],
  allowOrigin: [],
  exposeFixtureErrors: false,
  sessionIdle: 30 * 60_000,
  maxSessions: 1000,
  log: "text",
  quiet: false,
};
