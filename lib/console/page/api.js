/**
 * @import { About, CallDetail, Filter, Forced, Found, Json, Preview, Problem, Saved, Step, Summary, Tool, ToolSummary, Widget } from "./types.d.ts"
 */

const token = document.querySelector("meta[name=console-token]")?.getAttribute("content") ??
  "";

/**
 * Asks the console's API.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<unknown>} The answer; it rejects with the sentence that says what was wrong.
 */
async function ask(method, path, body) {
  const headers = new Headers();
  if (method !== "GET") headers.set("X-Console-Token", token);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const text = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(path, { method, headers, body: text }).catch(
    () => undefined,
  );
  if (response === undefined) {
    throw new Error("The console does not answer. Is it still running?");
  }
  const value = await response.json().catch(() => undefined);
  if (response.ok) return value;
  throw new Error(
    value?.error ?? `The console answered with ${response.status}.`,
  );
}

/**
 * @param {Partial<Filter>} filter
 * @param {{ before?: string, limit?: number }} page
 */
export function getCalls(filter, { before = "", limit = 500 }) {
  const { errors, ...texts } = filter;
  const asked = {
    ...texts,
    errors: errors ? "1" : "",
    before,
    limit: String(limit),
  };
  const params = Object.entries(asked).filter(([, value]) => value !== "");
  const answer = ask("GET", `/api/calls?${new URLSearchParams(params)}`);
  return /** @type {Promise<{ calls: Summary[], more: boolean }>} */ (answer);
}

/** @param {string} id */
export function getCall(id) {
  return /** @type {Promise<CallDetail>} */ (ask(
    "GET",
    `/api/calls/${encodeURIComponent(id)}`,
  ));
}

export function clearCalls() {
  return ask("DELETE", "/api/calls");
}

export function getAbout() {
  return /** @type {Promise<About>} */ (ask("GET", "/api/about"));
}

export function getTools() {
  return /** @type {Promise<{ tools: ToolSummary[] }>} */ (ask(
    "GET",
    "/api/tools",
  ));
}

/** @param {string} name */
export function getTool(name) {
  return /** @type {Promise<Tool>} */ (ask(
    "GET",
    `/api/tools/${encodeURIComponent(name)}`,
  ));
}

/** @param {string} word */
export function find(word) {
  const answer = ask("GET", `/api/find?${new URLSearchParams({ q: word })}`);
  return /** @type {Promise<{ found: Found[] }>} */ (answer);
}

/** @param {{ tool: string, arguments: Json, scenario?: string }} asked */
export function preview(asked) {
  return /** @type {Promise<Preview>} */ (ask("POST", "/api/preview", asked));
}

export function getForced() {
  return /** @type {Promise<Forced>} */ (ask("GET", "/api/forced"));
}

/**
 * @param {string} key A tool, `*` or `/`.
 * @param {readonly Step[]} steps
 */
export function putForced(key, steps) {
  const answer = ask("PUT", `/api/forced/${encodeURIComponent(key)}`, {
    steps,
  });
  return /** @type {Promise<Forced>} */ (answer);
}

/** @param {string} [key] Everything without it. */
export function deleteForced(key) {
  const path = key === undefined ? "/api/forced" : `/api/forced/${encodeURIComponent(key)}`;
  return /** @type {Promise<Forced>} */ (ask("DELETE", path));
}

/**
 * @param {{ tool: string, name: string, call: string, match?: string, literal?: boolean, dryRun?: boolean }} asked
 */
export function saveScenario(asked) {
  return /** @type {Promise<Saved>} */ (ask("POST", "/api/scenarios", asked));
}

export function getWidget() {
  return /** @type {Promise<Widget>} */ (ask("GET", "/api/widget"));
}

/**
 * What the console tells by itself, and again after a break.
 *
 * @param {object} listener
 * @param {(calls: Summary[], skipped: number) => void} listener.calls
 * @param {() => void} listener.cleared
 * @param {(forced: Forced) => void} listener.forced
 * @param {(problems: Problem[]) => void} listener.problems
 * @param {(isOpen: boolean) => void} listener.open
 */
export function listen(listener) {
  const events = new EventSource("/api/events");
  /** @param {Event} event */
  const data = (event) => JSON.parse(/** @type {MessageEvent<string>} */ (event).data);
  events.addEventListener("open", () => listener.open(true));
  events.addEventListener("error", () => listener.open(false));
  events.addEventListener("calls", (event) => {
    const { calls, skipped = 0 } = data(event);
    listener.calls(calls, skipped);
  });
  events.addEventListener("cleared", () => listener.cleared());
  events.addEventListener("forced", (event) => listener.forced(data(event)));
  events.addEventListener(
    "problems",
    (event) => listener.problems(data(event).problems),
  );
}
