import { force } from "./store.js";
import { html, useState } from "./vendor.js";

/** @import { Scenario, Step } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/** The failures that can be forced, and what a client sees of each. */
const FAULTS = /** @type {const} */ ([
  ["hang", "no answer until the client gives up"],
  ["drop", "the connection closed without an answer"],
  ["lost-session", "session not found"],
  ["unauthorized", "401 Unauthorized"],
  ["404", "404, as from a gateway without a route"],
  ["429", "429 Too Many Requests"],
  ["500", "500 Internal Server Error"],
  ["502", "502 Bad Gateway"],
  ["503", "503 Service Unavailable"],
  ["504", "504 Gateway Timeout"],
  ["cut", "half an answer, then the end"],
]);

/** A step as the form has it: what, such as `scenario:sushi`, and two texts. */
/** @typedef {{ what: string, delay: string, times: string }} Row */

/** @param {Step} step @returns {Row} */
function rowOf({ scenario, fault, delay, times }) {
  const what = scenario !== undefined
    ? `scenario:${scenario}`
    : fault !== undefined
    ? `fault:${fault}`
    : "";
  return {
    what,
    delay: delay ?? "",
    times: times === undefined ? "" : String(times),
  };
}

/** @param {Row} row @returns {Step} */
function stepOf({ what, delay, times }) {
  const colon = what.indexOf(":");
  const name = what.slice(colon + 1);
  return {
    ...(what.startsWith("scenario:") && name !== "" && { scenario: name }),
    ...(what.startsWith("fault:") && { fault: name }),
    ...(delay.trim() !== "" && { delay: withUnit(delay.trim()) }),
    ...(times.trim() !== "" && { times: Number(times) }),
  };
}

/** @param {string} delay A bare number is seconds. */
function withUnit(delay) {
  return /^\d+(\.\d+)?$/.test(delay) ? `${delay}s` : delay;
}

/**
 * What the next calls get, a step a call.
 *
 * @param {{ name: string, scenarios: readonly Scenario[], steps: readonly Step[] }} props
 * @returns {View}
 */
export function StepsForm({ name, scenarios, steps }) {
  const [rows, setRows] = useState(() => steps.length === 0 ? [rowOf({})] : steps.map(rowOf));
  /** @param {number} at @param {Partial<Row>} change */
  const change = (at, change) =>
    setRows(
      rows.map((row, index) => index === at ? { ...row, ...change } : row),
    );
  /** @param {number} at @param {number} by */
  const move = (at, by) => {
    const moved = rows.toSpliced(at, 1);
    const row = rows[at];
    if (row !== undefined) setRows(moved.toSpliced(at + by, 0, row));
  };
  /** @param {Event} event */
  const onSubmit = (event) => {
    event.preventDefault();
    force(name, rows.map(stepOf));
  };
  const isEmpty = rows.every(({ what, delay }) => what === "" && delay.trim() === "");
  const noun = name === "/" ? "requests" : "calls";
  return html`
    <form class="steps" onSubmit="${onSubmit}" aria-label="${`Force ${noun}`}">
      <ol>${rows.map((row, at) =>
        html`
          <li key="${at}">
            <${What}
              name="${name}"
              scenarios="${scenarios}"
              label="${`Step ${at + 1}`}"
              value="${row.what}"
              onChange="${(/** @type {string} */ what) => change(at, { what })}"
            />
            <label>after <input
                size="6"
                placeholder="no delay"
                aria-label="${`Delay of step ${at + 1}, such as 800ms or 3s`}"
                pattern="\\d+(\\.\\d+)?|((\\d+(\\.\\d+)?)(ms|s|m|h))+"
                title="Such as 800ms, 3s or 1m30s"
                value="${row.delay}"
                onInput="${(
                  /** @type {Event & { currentTarget: HTMLInputElement }} */ event,
                ) => change(at, { delay: event.currentTarget.value })}"
              /></label>
            <label>for <input
                size="6"
                inputmode="numeric"
                pattern="[1-9]\\d*"
                title="A whole number above zero"
                placeholder="${at === rows.length - 1 ? "all" : "1"}"
                aria-label="${`How many ${noun} step ${at + 1} is for`}"
                value="${row.times}"
                onInput="${(
                  /** @type {Event & { currentTarget: HTMLInputElement }} */ event,
                ) => change(at, { times: event.currentTarget.value })}"
              /> ${noun}</label>
            ${rows.length > 1 && html`
              <span class="end">
                <button
                  type="button"
                  class="quiet"
                  disabled="${at === 0}"
                  aria-label="${`Move step ${at + 1} up`}"
                  onClick="${() => move(at, -1)}"
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="quiet"
                  disabled="${at === rows.length - 1}"
                  aria-label="${`Move step ${at + 1} down`}"
                  onClick="${() => move(at, 1)}"
                >
                  ↓
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label="${`Remove step ${at + 1}`}"
                  onClick="${() => setRows(rows.toSpliced(at, 1))}"
                >
                  ✕
                </button>
              </span>
            `}
          </li>
        `
      )}</ol>
      <div class="actions">
        <button type="submit" class="primary" disabled="${isEmpty}">Force</button>
        <button type="button" onClick="${() => setRows([...rows, rowOf({})])}">Add a step</button>
        ${rows.length > 1 && html`
          <span class="muted">A step a call; the last one stays, unless it has a number.</span>
        `}
      </div>
    </form>
  `;
}

/**
 * @param {{ name: string, scenarios: readonly Scenario[], label: string, value: string, onChange: (what: string) => void }} props
 * @returns {View}
 */
function What({ name, scenarios, label, value, onChange }) {
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const choose = (event) => onChange(event.currentTarget.value);
  const isNamed = value.startsWith("scenario:");
  const names = name === "*"
    ? ["upstream-unavailable", "unauthorized"]
    : scenarios.map((one) => one.name);
  const given = value.slice("scenario:".length);
  const all = isNamed && !names.includes(given) ? [...names, given] : names;
  return html`
    <select class="what" aria-label="${label}" value="${value}" onChange="${choose}">
      <option value="" selected="${value === ""}">${name === "/"
        ? "as it comes"
        : "by its arguments"}</option>
      ${all.length > 0 && html`
        <optgroup label="Scenario">${all.map((one) =>
          html`
            <option key="${one}" value="${`scenario:${one}`}" selected="${value ===
              `scenario:${one}`}">
              ${one}
            </option>
          `
        )}</optgroup>
      `}
      <optgroup label="Failure">${FAULTS.map(([fault, means]) =>
        html`
          <option key="${fault}" value="${`fault:${fault}`}" selected="${value ===
            `fault:${fault}`}">
            ${fault}: ${means}
          </option>
        `
      )}</optgroup>
    </select>
  `;
}
