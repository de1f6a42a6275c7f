import { clearCalls, getCalls } from "./api.js";
import { CallPanel } from "./call.js";
import { Journey, sessionKey, sessionsOf } from "./journey.js";
import { Empty, Segments, useSettled } from "./parts.js";
import { changed, go } from "./route.js";
import {
  complain,
  loadAnew,
  loadOlder,
  MOST_CALLS,
  store,
  togglePause,
  useStore,
} from "./store.js";
import { html, useEffect, useMemo, useRef, useState } from "./vendor.js";
import { CallList } from "./call_list.js";
import { clientText, count, failed } from "./words.js";

/** @import { Filter, Summary } from "./types.d.ts" */
/** @import { Route } from "./route.js" */
/** @import { View } from "./vendor.d.ts" */

/**
 * The calls as they come: a list, or the journey of one session, and the call that is open.
 *
 * @param {{ route: Route }} props
 * @returns {View}
 */
export function Calls({ route }) {
  const version = useStore();
  const filter = filterOf(route.params);
  const isJourney = route.params.get("as") === "journey";
  const { calls, isComplete, more } = useFiltered(filter, version);
  const open = route.name;

  /** @param {Record<string, string>} changes */
  const change = (changes) => go(changed(route, changes), true);
  /** @param {string} id @param {boolean} [inPlace] */
  const show = (id, inPlace = false) => go(changed(route, {}, id), inPlace);
  const close = () => show("");

  return html`
    <div class="${`split ${open === "" ? "" : "is-open"}`}">
      <section class="pane list-pane" aria-label="Calls">
        <${Toolbar}
          filter="${filter}"
          change="${change}"
          isJourney="${isJourney}"
        />
        ${isJourney
          ? html`
            <${Journey}
              session="${filter.session}"
              open="${open}"
              onOpen="${show}"
              change="${change}"
            />
          `
          : calls.length === 0 && isComplete
          ? html`
            <${NoCalls} isFiltered="${isFiltering(filter)}" clear="${() => change(NO_FILTER)}" />
          `
          : html`
            <${CallList}
              calls="${calls}"
              open="${open}"
              onOpen="${show}"
              onEnd="${more}"
              resetKey="${JSON.stringify(filter)}"
            />
          `}
        <${Status}
          shown="${calls.length}"
          filter="${filter}"
          change="${change}"
          isJourney="${isJourney}"
        />
      </section>
      ${open !== "" && html`
        <${CallPanel} id="${open}" onClose="${close}" />
      `}
    </div>
  `;
}

const NO_FILTER = { tool: "", client: "", q: "", errors: "", session: "" };

/**
 * @param {URLSearchParams} params
 * @returns {Filter}
 */
function filterOf(params) {
  return {
    tool: params.get("tool") ?? "",
    client: params.get("client") ?? "",
    q: params.get("q") ?? "",
    errors: params.get("errors") === "1",
    session: params.get("session") ?? "",
  };
}

/** @param {Filter} filter */
function isFiltering({ tool, client, q, errors, session }) {
  return `${tool}${client}${q}${session}` !== "" || errors;
}

/**
 * The calls that a filter lets through, the newest last: those that are here, and what the console
 * finds in the journal beside them.
 *
 * @param {Filter} filter
 * @param {number} version
 * @returns {{ calls: readonly Summary[], isComplete: boolean, more: () => void }}
 */
function useFiltered(filter, version) {
  const key = JSON.stringify([filter, store.epoch]);
  const asked = useSettled(key, 200);
  const none = { key: "", calls: /** @type {Summary[]} */ ([]), more: true };
  const [found, setFound] = useState(none);
  const isFiltered = isFiltering(filter);
  const wanted = useRef("");

  /** @param {Summary[]} before */
  const ask = async (before) => {
    const oldest = before[0]?.id ?? "";
    const page = `${key} ${oldest}`;
    if (wanted.current === page) return;
    wanted.current = page;
    /** @param {Summary[]} calls @param {boolean} more */
    const take = (calls, more) => {
      // Meanwhile something else may have been asked for.
      if (wanted.current === page) setFound({ key, calls: [...calls, ...before], more });
    };
    try {
      const { calls, more } = await getCalls(filter, { before: oldest, limit: 500 });
      take(calls.toReversed(), more);
    } catch (error) {
      take([], false);
      complain(error);
    }
  };
  useEffect(() => {
    if (isFiltered && asked === key) ask([]);
  }, [asked, key]);

  const calls = useMemo(() => {
    if (!isFiltered) return [...store.calls];
    const fits = fitsOf(filter);
    const word = filter.q.toLowerCase();
    const here = (found.key === key ? found.calls : []).filter(fits);
    // The console searches arguments to their end; here only their beginning is known.
    const ids = new Set(here.map(({ id }) => id));
    const kept = new Set(store.calls.map(({ id }) => id));
    return [
      ...here.filter(({ id }) => !kept.has(id)),
      ...store.calls.filter((call) =>
        fits(call) && (word === "" || ids.has(call.id) || textOf(call).includes(word))
      ),
    ];
  }, [key, found, version]);

  if (!isFiltered) return { calls, isComplete: store.isLoaded, more: loadOlder };
  const more = () => {
    if (found.key === key && found.more && calls.length < MOST_CALLS) ask(found.calls);
  };
  return { calls, isComplete: found.key === key, more };
}

/**
 * @param {Filter} filter
 * @returns {(call: Summary) => boolean} Whether a call is meant, whatever its words.
 */
function fitsOf({ tool, client, errors, session }) {
  return (call) =>
    (tool === "" || call.tool === tool) &&
    (client === "" || clientText(call) === client) &&
    (session === "" || sessionKey(call) === session) &&
    (!errors || failed(call));
}

/** @type {WeakMap<Summary, string>} */
const texts = new WeakMap();

/** @param {Summary} call */
function textOf(call) {
  const known = texts.get(call);
  if (known !== undefined) return known;
  const text = [call.tool, call.scenario, clientText(call), call.problem, call.arguments]
    .join("\n").toLowerCase();
  if (!call.pending) texts.set(call, text);
  return text;
}

/**
 * @param {{ filter: Filter, change: (changes: Record<string, string>) => void, isJourney: boolean }} props
 * @returns {View}
 */
function Toolbar({ filter, change, isJourney }) {
  const { tools, clients, sessions } = useMemo(namesOf, [
    Math.floor(store.calls.length / 50),
    store.calls.at(-1)?.session,
    store.calls.at(-1)?.tool,
  ]);
  /** @param {string} name */
  const changing = (name) =>
  /** @param {Event & { currentTarget: HTMLInputElement | HTMLSelectElement }} event */
  (event) => change({ [name]: event.currentTarget.value });
  const toJourney = (/** @type {string} */ as) => {
    const session = filter.session === "" ? sessions.at(-1)?.key ?? "" : filter.session;
    change({
      as: as === "list" ? "" : as,
      session: as === "list" ? "" : session,
    });
  };
  const held = store.held.length;
  return html`
    <div class="toolbar" role="search" aria-label="Calls">
      <${Segments}
        label="Show calls as"
        value="${isJourney ? "journey" : "list"}"
        onChange="${toJourney}"
        choices="${[["list", "List"], ["journey", "Journey"]]}"
      />
      ${isJourney
        ? html`
          <label class="grow"><span class="sr">Session</span>
            <select value="${filter.session}" onChange="${changing("session")}">
              ${sessions.length === 0 && html`
                <option value="">No session yet</option>
              `} ${sessions.toReversed().map(({ key, text }) =>
                html`
                  <option key="${key}" value="${key}" selected="${key ===
                    filter.session}">
                    ${text}
                  </option>
                `
              )}
            </select></label>
        `
        : html`
          <input
            type="search"
            class="grow"
            id="search"
            placeholder="Search calls"
            aria-label="Search calls"
            value="${filter.q}"
            onInput="${changing("q")}"
          />
          <${Choice}
            label="Tool"
            all="All tools"
            values="${tools}"
            value="${filter.tool}"
            onChange="${changing("tool")}"
          />
          <${Choice}
            label="Client"
            all="All clients"
            values="${clients}"
            value="${filter.client}"
            onChange="${changing("client")}"
          />
          <label class="check"><input
              type="checkbox"
              checked="${filter.errors}"
              onChange="${() => change({ errors: filter.errors ? "" : "1" })}"
            /> Errors only</label>
        `}
      <button type="button" aria-pressed="${String(
        store.isPaused,
      )}" onClick="${togglePause}">
        ${store.isPaused
          ? held === 0 ? "Resume" : `Resume (${held.toLocaleString("en")} new)`
          : "Pause"}
      </button>
    </div>
  `;
}

/**
 * @param {{ shown: number, filter: Filter, change: (changes: Record<string, string>) => void, isJourney: boolean }} props
 * @returns {View}
 */
function Status({ shown, filter, change, isJourney }) {
  const clear = () => {
    if (confirm("Delete all calls of the journal? It cannot be undone.")) {
      clearCalls().catch(complain);
    }
  };
  const isFiltered = isFiltering(filter);
  return html`
    <div class="status muted">
      <span>${isJourney ? "" : count(shown, "call")}${!isJourney && !isFiltered && store.hasOlder
        ? ", older ones below"
        : ""}</span>
      ${!isJourney && filter.session !== "" &&
        html`
          <button type="button" class="link" onClick="${() => change({ session: "" })}">
            of one session: show all
          </button>
        `} ${store.skipped > 0 && html`
        <span>${store.skipped.toLocaleString("en")} came too fast to be shown
          <button type="button" class="link" onClick="${loadAnew}">
            Load them
          </button></span>
      `} ${store.calls.length > 0 &&
        html`
          <button type="button" class="link end" onClick="${clear}">
            Clear the journal
          </button>
        `}
    </div>
  `;
}

/**
 * @param {{ label: string, all: string, values: readonly string[], value: string, onChange: unknown }} props
 * @returns {View}
 */
function Choice({ label, all, values, value, onChange }) {
  const options = value === "" || values.includes(value) ? values : [...values, value];
  return html`
    <label><span class="sr">${label}</span><select
        value="${value}"
        onChange="${onChange}"
      >
        <option value="" selected="${value === ""}">${all}</option>
        ${options.map((one) =>
          html`
            <option key="${one}" value="${one}" selected="${one === value}">
              ${one}
            </option>
          `
        )}
      </select></label>
  `;
}

function namesOf() {
  return {
    tools: [...new Set(store.calls.map(({ tool }) => tool))].toSorted(),
    clients: [...new Set(store.calls.map(clientText))].filter((name) => name !== "").toSorted(),
    sessions: sessionsOf(store.calls),
  };
}

/**
 * @param {{ isFiltered: boolean, clear: () => void }} props
 * @returns {View}
 */
function NoCalls({ isFiltered, clear }) {
  if (isFiltered) {
    return html`
      <${Empty} title="No call is like that." content="${html`
        <button type="button" onClick="${clear}">Show all calls</button>
      `}" />
    `;
  }
  return html`
    <${Empty} title="No calls yet." content="${html`
      <p>They appear here as your agent makes them. To make one by hand:</p>
      <pre>careem-mcp call reverse_geocode latitude=25.0866 longitude=55.1474 --url http://127.0.0.1:8787/mcp</pre>
    `}" />
  `;
}
