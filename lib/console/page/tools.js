import { find, getTools } from "./api.js";
import { Empty, Failure, useLoaded, useSettled } from "./parts.js";
import { address, changed, go } from "./route.js";
import { store, useStore } from "./store.js";
import { ToolPanel } from "./tool.js";
import { html } from "./vendor.js";
import { visible } from "./words.js";

/** @import { Found, ToolSummary } from "./types.d.ts" */
/** @import { Route } from "./route.js" */
/** @import { View } from "./vendor.d.ts" */

/**
 * All tools, found by any word in them, and the one that is open.
 *
 * @param {{ route: Route }} props
 * @returns {View}
 */
export function Tools({ route }) {
  useStore();
  const word = route.params.get("q") ?? "";
  const settled = useSettled(word.trim(), 200);
  const { value, error } = useLoaded(
    `tools ${store.problems.length}`,
    getTools,
  );
  const { value: found } = useLoaded(settled, () => find(settled));
  const open = route.name;
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const onInput = (event) => go(changed(route, { q: event.currentTarget.value }), true);
  const tools = (value?.tools ?? []).filter((tool) =>
    `${tool.name} ${tool.title ?? ""} ${tool.domain}`.toLowerCase().includes(
      word.trim().toLowerCase(),
    )
  );
  return html`
    <div class="${`split split-tools ${open === "" ? "" : "is-open"}`}">
      <nav class="pane list-pane" aria-label="Tools">
        <div class="toolbar" role="search" aria-label="Tools">
          <input
            type="search"
            id="search"
            class="grow"
            placeholder="Search tools, scenarios, rules, answers"
            aria-label="Search tools, scenarios, rules and answers"
            value="${word}"
            onInput="${onInput}"
          />
        </div>
        <div class="scroll">
          ${error !== "" && html`
            <${Failure} error="${error}" />
          `} ${word === "" && html`
            <ul class="entries">
              <${Key}
                route="${route}"
                name="*"
                title="All other tools"
                about="That have no setting of their own"
              />
              <${Key}
                route="${route}"
                name="/"
                title="Every request"
                about="Whatever its method, initialize included"
              />
            </ul>
          `} ${domainsOf(tools).map(([domain, members]) =>
            html`
              <section key="${domain}">
                <h2 class="domain">${visible(domain) || "No domain"}</h2>
                <ul class="entries">${members.map((tool) =>
                  html`
                    <${Entry} key="${tool
                      .name}" route="${route}" tool="${tool}" />
                  `
                )}</ul>
              </section>
            `
          )} ${settled !== "" && found !== undefined && html`
            <${Hits}
              route="${route}"
              found="${found.found}"
              word="${settled}"
              isAll="${tools.length === 0}"
            />
          `}
        </div>
      </nav>
      ${open === ""
        ? html`
          <section class="pane side-pane" aria-label="Tool">
            <${Empty} title="Choose a tool." content="${html`
              <p>
                See what it answers and why, try arguments, and force what its next calls get.
              </p>
            `}" />
          </section>
        `
        : html`
          <${ToolPanel}
            key="${open}"
            name="${open}"
            route="${route}"
            onClose="${() => go(changed(route, {}, ""))}"
          />
        `}
    </div>
  `;
}

/** @param {readonly ToolSummary[]} tools */
function domainsOf(tools) {
  /** @type {Map<string, ToolSummary[]>} */
  const domains = new Map();
  for (const tool of tools) {
    domains.set(tool.domain, [...(domains.get(tool.domain) ?? []), tool]);
  }
  return [...domains];
}

/**
 * @param {{ route: Route, name: string, title: string, about: string }} props
 * @returns {View}
 */
function Key({ route, name, title, about }) {
  return html`
    <li>
      <a href="${changed(route, {}, name)}" aria-current="${route.name === name ? "page" : null}">
        <b>${title}</b> ${isForced(name) && html`
          <span class="why why-forced">forced</span>
        `}
        <span class="about">${about}</span></a>
    </li>
  `;
}

/**
 * @param {{ route: Route, tool: ToolSummary }} props
 * @returns {View}
 */
function Entry({ route, tool }) {
  const { name, title, scenarios, isBroken } = tool;
  return html`
    <li>
      <a href="${changed(
        route,
        { scenario: "" },
        name,
      )}" aria-current="${route.name === name ? "page" : null}">
        <b>${visible(name)}</b>
        ${isForced(name) && html`
          <span class="why why-forced">forced</span>
        `} ${isBroken !== undefined && html`
          <span class="why why-error">broken</span>
        `}
        <span class="number" title="Scenarios"><span class="sr">Scenarios:
          </span>${scenarios}</span>
        <span class="about">${visible(isBroken ?? title ?? "")}</span></a>
    </li>
  `;
}

/** @param {string} key */
function isForced(key) {
  return store.forced.entries.some((entry) => entry.key === key);
}

/**
 * @param {{ route: Route, found: readonly Found[], word: string, isAll: boolean }} props
 * @returns {View}
 */
function Hits({ route, found, word, isAll }) {
  if (found.length === 0) {
    if (!isAll) {
      return html`
        <p class="muted pad">No scenario has “${visible(word)}”.</p>
      `;
    }
    return html`
      <${Empty} title="${`Nothing has “${visible(word)}”.`}" />
    `;
  }
  return html`
    <section>
      <h2 class="domain">Scenarios with “${visible(word)}”</h2>
      <ul class="entries">
        ${found.map(({ tool, scenario, about, in: where }) =>
          html`
            <li key="${`${tool} ${scenario}`}">
              <a href="${address("tools", tool, {
                q: route.params.get("q") ?? "",
                scenario,
              })}" aria-current="${route.name === tool &&
                  route.params.get("scenario") === scenario
                ? "page"
                : null}">
                <b>${visible(
                  scenario,
                )}</b> <span class="number">in its ${where}</span>
                <span class="about">${visible(tool)}${about === ""
                  ? ""
                  : ` · ${visible(about)}`}</span></a>
            </li>
          `
        )}
      </ul>
    </section>
  `;
}
