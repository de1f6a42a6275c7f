import { Calls } from "./calls.js";
import { address, readRoute } from "./route.js";
import { keyText, letGo, start, store, unsay, useStore } from "./store.js";
import { Empty } from "./parts.js";
import { Problems } from "./problems.js";
import { Tools } from "./tools.js";
import { html, render, useEffect, useErrorBoundary, useState } from "./vendor.js";
import { visible } from "./words.js";
import { Widget } from "./widget.js";

/** @import { Route } from "./route.js" */
/** @import { ForcedEntry } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/** @returns {View} */
function App() {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const onHash = () => setRoute(readRoute(location.hash));
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (
        event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)
      ) return;
      event.preventDefault();
      document.getElementById("search")?.focus();
    };
    addEventListener("hashchange", onHash);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("hashchange", onHash);
      removeEventListener("keydown", onKey);
    };
  }, []);
  const { view } = route;
  return html`
    <div class="app">
      <a class="skip" href="#main" onClick="${(/** @type {Event} */ event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}">Skip to the view</a>
      <${Head} view="${view}" />
      <${ForcedNow} />
      <main id="main" tabindex="-1">
        <${Main} key="${view}" route="${route}" />
      </main>
      <${Said} />
    </div>
  `;
}

/** @type {Record<string, (props: { route: Route }) => View>} */
const MAIN = { calls: Calls, tools: Tools, widget: Widget, problems: Problems };

/**
 * The view that is open. If it fails, the rest of the page goes on.
 *
 * @param {{ route: Route }} props
 * @returns {View}
 */
function Main({ route }) {
  const [error, again] = useErrorBoundary();
  const title = "This could not be shown.";
  if (error !== undefined) {
    const content = html`
      <p>${visible(error.message)}</p>
      <button type="button" onClick="${again}">Try again</button>
    `;
    return html`
      <${Empty} title="${title}" content="${content}" />
    `;
  }
  return html`
    <${MAIN[route.view]} route="${route}" />
  `;
}

/**
 * @param {{ view: string }} props
 * @returns {View}
 */
function Head({ view }) {
  useStore();
  const problems = store.problems.length;
  const tabs = [["calls", "Calls"], ["tools", "Tools"], ["widget", "Widget"], [
    "problems",
    "Problems",
  ]];
  return html`
    <header class="head">
      <h1>careem-mcp</h1>
      <nav aria-label="Views">
        <ul>
          ${tabs.map(([key = "", text]) =>
            html`
              <li key="${key}">
                <a href="${address(key)}" aria-current="${view === key
                  ? "page"
                  : null}">${text}${key === "problems" && problems > 0
                  ? html`
                    <span class="badge">${problems}</span>
                  `
                  : ""}</a>
              </li>
            `
          )}
        </ul>
      </nav>
      <p class="${`live ${store.isOpen ? "is-open" : ""}`}" role="status">${store.isOpen
        ? store.isPaused ? "Paused" : "Live"
        : store.isLoaded
        ? "Connection lost, trying again…"
        : "Connecting…"}</p>
    </header>
  `;
}

/** @returns {View} */
function ForcedNow() {
  useStore();
  const { entries, problems } = store.forced;
  const isNone = entries.length === 0;
  return html`
    <section class="${`forced ${isNone ? "" : "is-forcing"}`}" aria-label="Forced now">
      ${isNone
        ? html`
          <p class="muted">${store.isForcedKnown
            ? "Nothing is forced: each call is answered by its arguments."
            : "…"}</p>
        `
        : html`
          <h2>Forced</h2><ul>${entries.map((entry) =>
            html`
              <${Entry} key="${entry.key}" entry="${entry}" />
            `
          )}</ul>
        `} ${problems.length > 0 && html`
        <a class="bad" href="${address("problems")}">${problems.length === 1
          ? "1 cannot be used"
          : `${problems.length} cannot be used`}</a>
      `} ${!isNone && html`
        <button type="button" class="primary" onClick="${() => letGo()}">Let all go</button>
      `}
    </section>
  `;
}

/**
 * @param {{ entry: ForcedEntry }} props
 * @returns {View}
 */
function Entry({ entry: { key, text, progress } }) {
  return html`
    <li>
      <a href="${address("tools", key)}">${visible(keyText(key))}</a>
      <span>${visible(text)}</span>
      ${progress !== undefined && progress !== "" && html`
        <span class="muted">${visible(progress)}</span>
      `}
      <button
        type="button"
        class="quiet"
        aria-label="${`Let go of ${keyText(key)}`}"
        title="Let go"
        onClick="${() => letGo(key)}"
      >
        ✕
      </button>
    </li>
  `;
}

/** What the page has to say, for some seconds. @returns {View} */
function Said() {
  useStore();
  const { text, isError, at } = store.said;
  useEffect(() => {
    if (text === "" || isError) return;
    const timer = setTimeout(unsay, 5000);
    return () => clearTimeout(timer);
  }, [at]);
  return html`
    <div class="${`said ${
      isError ? "is-error" : ""
    }`}" role="status" aria-live="polite">${text !== "" && html`
      <p>${visible(text)}</p><button
        type="button"
        class="quiet"
        aria-label="Dismiss"
        onClick="${unsay}"
      >
        ✕
      </button>
    `}</div>
  `;
}

start();
const root = document.getElementById("app");
if (root !== null) {
  render(
    html`
      <${App} />
    `,
    root,
  );
}
