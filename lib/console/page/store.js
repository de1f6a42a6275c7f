import { deleteForced, getAbout, getCalls, getForced, listen, putForced } from "./api.js";
import { useEffect, useState } from "./vendor.js";

/** @import { Forced, Problem, Step, Summary } from "./types.d.ts" */

/** So many calls are kept; older ones stay in the journal. */
export const MOST_CALLS = 10_000;

/**
 * What the whole page knows. Calls are in the order of the journal, the newest last; when they are
 * forgotten, another epoch begins.
 *
 * @type {{
 *   epoch: number, calls: Summary[], hasOlder: boolean, skipped: number, isPaused: boolean, held: Summary[],
 *   isLoaded: boolean, isOpen: boolean, isForcedKnown: boolean, forced: Forced, problems: Problem[],
 *   said: { text: string, isError: boolean, at: number },
 * }}
 */
export const store = {
  epoch: 0,
  calls: [],
  hasOlder: false,
  skipped: 0,
  isPaused: false,
  held: [],
  isLoaded: false,
  isOpen: false,
  isForcedKnown: false,
  forced: { entries: [], problems: [] },
  problems: [],
  said: { text: "", isError: false, at: 0 },
};

/** @type {Set<() => void>} */
const watchers = new Set();
let isTelling = false;

/** Lets what is shown be shown anew, once for all that changed before the next frame. */
function tell() {
  if (isTelling) return;
  isTelling = true;
  const run = () => {
    isTelling = false;
    watchers.forEach((watch) => watch());
  };
  // A page in the background has no frames, and nobody who looks.
  requestAnimationFrame(run);
}

let version = 0;

/**
 * Shows a view anew whenever the store changes.
 *
 * @returns {number} Another one each time.
 */
export function useStore() {
  const [, setVersion] = useState(0);
  useEffect(() => {
    const watch = () => setVersion(++version);
    watchers.add(watch);
    return () => {
      watchers.delete(watch);
    };
  }, []);
  return version;
}

/** Where each call is, by its id. @type {Map<string, Summary>} */
const known = new Map();

/**
 * @param {Summary[]} calls Newest first.
 * @returns {Summary[]} Those that were not known, oldest first; the others are brought up to date.
 */
function takeNew(calls) {
  const added = [];
  for (const call of calls.toReversed()) {
    const before = known.get(call.id);
    if (before !== undefined && before.pending && !call.pending) {
      Object.assign(before, call, { pending: false });
    }
    if (before !== undefined) continue;
    known.set(call.id, call);
    added.push(call);
  }
  return added;
}

function forgetOldest() {
  // Some more than needed at a time: each time moves all the others.
  if (store.calls.length < MOST_CALLS * 1.1) return;
  for (const { id } of store.calls.splice(0, store.calls.length - MOST_CALLS)) {
    known.delete(id);
  }
  store.hasOlder = true;
}

/** The folder that holds `tools/`, with the separator behind it. */
let folder = "";

/**
 * A path as people of the project name it.
 *
 * @param {string} path
 */
export function shortPath(path) {
  return folder !== "" && path.startsWith(folder) ? path.slice(folder.length) : path;
}

/** @param {Forced} forced */
function takeForced(forced) {
  Object.assign(store, { forced, isForcedKnown: true });
  tell();
}

/** Connects the store with the console. */
export function start() {
  getAbout().then(({ tools }) => {
    folder = tools === null ? "" : tools.replace(/[^/\\]+[/\\]?$/, "");
    tell();
  }, complain);
  getForced().then(takeForced, complain);
  let isFirst = true;
  listen({
    open: (isOpen) => {
      // What is told first after a break is the newest 200, which may not join what is here.
      isFirst = true;
      store.isOpen = isOpen;
      tell();
    },
    calls: (calls, skipped) => {
      if (isFirst && !calls.some(({ id }) => known.has(id))) forgetAll();
      if (isFirst && store.calls.length === 0) {
        store.hasOlder = calls.length >= 200;
      }
      isFirst = false;
      store.isLoaded = true;
      store.skipped += skipped;
      const added = takeNew(calls);
      if (store.isPaused) {
        store.held = [...store.held, ...added].slice(-MOST_CALLS);
      } else store.calls.push(...added);
      forgetOldest();
      tell();
    },
    cleared: () => {
      forgetAll();
      tell();
    },
    forced: takeForced,
    problems: (problems) => {
      store.problems = problems;
      tell();
    },
  });
}

function forgetAll() {
  known.clear();
  store.epoch++;
  Object.assign(store, { calls: [], held: [], skipped: 0, hasOlder: false });
}

/** Shows the list as it is, or goes on with what came meanwhile. */
export function togglePause() {
  store.isPaused = !store.isPaused;
  store.calls.push(...store.held);
  store.held = [];
  forgetOldest();
  tell();
}

let isLoading = false;

/** Loads older calls from the journal, as long as there is room for them. */
export async function loadOlder() {
  const oldest = store.calls[0];
  if (
    isLoading || !store.hasOlder || oldest === undefined ||
    store.calls.length >= MOST_CALLS
  ) return;
  isLoading = true;
  try {
    const { calls, more } = await getCalls({}, {
      before: oldest.id,
      limit: 1000,
    });
    if (store.calls[0] !== oldest) return;
    store.calls = [...takeNew(calls), ...store.calls];
    store.hasOlder = more;
    tell();
  } catch (error) {
    complain(error);
  } finally {
    isLoading = false;
  }
}

/** Loads the newest calls anew, those that came too fast included. */
export async function loadAnew() {
  try {
    const { calls, more } = await getCalls({}, { limit: 1000 });
    forgetAll();
    store.calls = takeNew(calls);
    store.hasOlder = more;
    tell();
  } catch (error) {
    complain(error);
  }
}

/**
 * Tells the person something, for some seconds.
 *
 * @param {string} text
 * @param {boolean} [isError]
 */
export function say(text, isError = false) {
  store.said = { text, isError, at: Date.now() };
  tell();
}

/** @param {unknown} error */
export function complain(error) {
  say(error instanceof Error ? error.message : String(error), true);
}

/** Takes away what was said. */
export function unsay() {
  store.said = { text: "", isError: false, at: 0 };
  tell();
}

/**
 * Forces steps for a tool, `*` or `/`.
 *
 * @param {string} key
 * @param {readonly Step[]} steps
 */
export async function force(key, steps) {
  try {
    store.forced = await putForced(key, steps);
    say(
      `${keyText(key)} now ${key === "*" ? "get" : "gets"} ${
        store.forced.entries.find((entry) => entry.key === key)?.text ??
          "what was chosen"
      }.`,
    );
  } catch (error) {
    complain(error);
  }
}

/** @param {string} [key] Everything without it. */
export async function letGo(key) {
  try {
    store.forced = await deleteForced(key);
    say(
      key === undefined ? "Nothing is forced any more." : `${keyText(key)} let go.`,
    );
  } catch (error) {
    complain(error);
  }
}

/**
 * Names a key of the overrides file.
 *
 * @param {string} key
 */
export function keyText(key) {
  return key === "*" ? "All other tools" : key === "/" ? "Every request" : key;
}
