import { getCall, getTool } from "./api.js";
import { LongText, Tree } from "./json.js";
import { Copy, Failure, Place, Segments, useLoaded } from "./parts.js";
import { address } from "./route.js";
import { SaveDialog } from "./save.js";
import { sessionKey } from "./journey.js";
import { force, store } from "./store.js";
import { html, useEffect, useRef, useState } from "./vendor.js";
import {
  clientText,
  clock,
  condition,
  count,
  duration,
  failed,
  isObject,
  outcome,
  reason,
  resultText,
  ruleText,
  shown,
  visible,
} from "./words.js";

/** @import { Call, CallDetail, Json, Summary, TriedRule } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/** The forms in which a result can be looked at. */
export const FORMS =
  /** @type {const} */ ([["tree", "Tree"], ["text", "Text"], ["whole", "Whole"]]);

/** More rules than this that did not match are folded away. */
const MANY_RULES = 4;

/**
 * One call, whole.
 *
 * @param {{ id: string, onClose: () => void }} props
 * @returns {View}
 */
export function CallPanel({ id, onClose }) {
  const summary = store.calls.find((call) => call.id === id);
  const key = `${id} ${summary?.pending ?? false}`;
  const { value: loaded, error } = useLoaded(key, () => getCall(id));
  const value = loaded?.call.id === id ? loaded : undefined;
  const call = value?.call ?? summary;
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    // Where the call takes the list's place, the list cannot keep the focus.
    const list = document.querySelector(".list-pane");
    if (list instanceof HTMLElement && list.offsetParent === null) {
      ref.current?.focus();
    }
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (
        event.key === "Escape" &&
        document.querySelector("dialog[open]") === null
      ) onClose();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return html`
    <section
      class="pane side-pane"
      aria-label="The call"
      ref="${ref}"
      tabindex="-1"
    >
      <header class="bar">
        <h2>${call === undefined ? "Call" : html`
          <a href="${address("tools", call.tool)}">${visible(call.tool)}</a>
        `}</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close the call"
          title="Close (Esc)"
          onClick="${onClose}"
        >
          ✕
        </button>
      </header>
      <div class="scroll body">
        ${error !== "" && html`
          <${Failure} error="${error}" />
        `} ${call !== undefined && html`
          <${Facts} call="${call}" />
        `} ${value !== undefined && html`
          <${Detail} detail="${value}" />
        `}
      </div>
    </section>
  `;
}

/**
 * @param {{ call: Call | Summary }} props
 * @returns {View}
 */
function Facts({ call }) {
  const { client, session, transport, pid, delayMs, ms, pending } = call;
  const key = sessionKey(call);
  return html`
    <dl class="facts">
      <div>
        <dt>Answered by</dt>
        <dd class="${failed(call) ? "bad" : ""}">${visible(outcome(call))}</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>${clock(call.time)}</dd>
      </div>
      <div>
        <dt>Took</dt>
        <dd>${pending ? "not over yet" : duration(ms)}${delayMs === undefined
          ? ""
          : `, of which ${duration(delayMs)} by force`}</dd>
      </div>
      <div>
        <dt>Client</dt>
        <dd>${visible(clientText(call))} ${visible(client?.version ?? "")}</dd>
      </div>
      <div>
        <dt>Transport</dt>
        <dd>${transport ?? "unknown"}${pid === undefined ? "" : `, process ${pid}`}</dd>
      </div>
      ${key !== "" && html`
        <div>
          <dt>Session</dt>
          <dd>
            <a href="${address("calls", call.id, {
              as: "journey",
              session: key,
            })}">Journey</a> <span class="muted">${visible(
              (session ?? "").slice(0, 8),
            )}</span>
          </dd>
        </div>
      `}
    </dl>
  `;
}

/**
 * @param {{ detail: CallDetail }} props
 * @returns {View}
 */
function Detail({ detail }) {
  const { call, scenario, rules, commands } = detail;
  return html`
    <${Actions} call="${call}" />
    ${call.problem !== undefined && html`
      <section>
        <h3>What was wrong</h3>
        <p class="failure"><${LongText} text="${call.problem}" /></p>
      </section>
    `}
    <section>
      <h3>Why this answer</h3>
      <p>${visible(reason(call))}</p>
      ${scenario !== undefined && html`
        <${Place} file="${scenario.file}" line="${scenario.line}" />
        ${scenario.prose !== "" && html`
          <p class="prose">${visible(scenario.prose)}</p>
        `}
      `}
      <${Rules} call="${call}" rules="${rules}" />
    </section>
    <section>
      <h3>Arguments</h3>
      <${Part} value="${call.arguments}" cutFrom="${call.argumentsCutFrom}" />
    </section>
    <${Answer} call="${call}" />
    ${commands.call !== undefined && commands.verify !== undefined && html`
      <section>
        <h3>Do it again</h3>
        <${Command} command="${commands
          .call}" label="Copy call" what="the command that makes this call" />
        <${Command}
          command="${commands.verify}"
          label="Copy verify"
          what="the command that checks for this call"
        />
      </section>
    `}
  `;
}

/**
 * @param {{ command: string, label: string, what: string }} props
 * @returns {View}
 */
function Command({ command, label, what }) {
  return html`
    <div class="command">
      <code><${LongText} text="${command}" most="${400}" /></code>
      <${Copy} text="${command}" label="${label}" what="${what}" />
    </div>
  `;
}

/**
 * The rules that were asked, or would have been.
 *
 * @param {{ call: Call, rules: readonly TriedRule[] }} props
 * @returns {View | null}
 */
function Rules({ call: { scenario, why }, rules }) {
  if (scenario === undefined || rules.length === 0) return null;
  const missed = rules.filter(({ matched }) => !matched);
  const matched = rules.filter(({ matched }) => matched);
  const list = (/** @type {readonly TriedRule[]} */ some) =>
    html`
      <ol class="rules">${some.map((one) =>
        html`
          <${Rule} key="${one.scenario}" tried="${one}" />
        `
      )}</ol>
    `;
  return html`
    ${why === "forced" && html`
      <p>By its arguments it would have been ${matched[0] === undefined
        ? "the default"
        : `“${visible(matched[0].scenario)}”`}.</p>
    `} ${missed.length > MANY_RULES
      ? html`
        <details class="fold">
          <summary>${count(missed.length, "rule")} did not match</summary>
          ${list(missed)}
        </details>
        ${list(matched)}
      `
      : list(rules)}
  `;
}

/**
 * @param {{ tried: TriedRule }} props
 * @returns {View}
 */
function Rule({ tried: { scenario, rule, matched, differences } }) {
  return html`
    <li class="${matched ? "is-match" : ""}">
      <span class="mark" role="img" aria-label="${matched ? "Matched" : "Did not match"}">${matched
        ? "✓"
        : "✕"}</span>
      <b>${visible(scenario)}</b> <code>${ruleText(rule) || "no rule"}</code>
      ${differences.length > 0 && html`
        <ul>${differences.map(({ path, want, got }) =>
          html`
            <li key="${path}">
              <code>${visible(path)} ${condition(want)}</code>, but came ${shown(
                got,
              ).slice(0, 200)}
            </li>
          `
        )}</ul>
      `}
    </li>
  `;
}

/**
 * A part of a call, of which the journal may have the beginning only.
 *
 * @param {{ value: Json | undefined, cutFrom: number | undefined }} props
 * @returns {View}
 */
function Part({ value, cutFrom }) {
  if (cutFrom === undefined) {
    return html`
      <${Tree} value="${value}" />
    `;
  }
  if (value === undefined) {
    return html`
      <p class="muted">Left out: too much came at once (${cutFrom
        .toLocaleString("en")} bytes).</p>
    `;
  }
  return html`
    <p class="muted">The journal has the beginning of ${cutFrom.toLocaleString(
      "en",
    )} characters.</p>
    <pre class="text"><${LongText} text=${String(value)} /></pre>
  `;
}

/**
 * @param {{ call: Call }} props
 * @returns {View | null}
 */
function Answer({ call }) {
  const [as, setAs] = useState("tree");
  const { result, resultCutFrom } = call;
  if (result === undefined && resultCutFrom === undefined) {
    return html`
      <section>
        <h3>Answer</h3>
        <p class="muted">${call.pending
          ? "None yet."
          : call.fault === undefined
          ? "An error in place of a result."
          : `None: ${call.fault} came in its place.`}</p>
      </section>
    `;
  }
  return html`
    <section>
      <div class="bar">
        <h3>Answer</h3>
        ${resultCutFrom === undefined && html`
          <${Segments}
            label="Show the answer as"
            value="${as}"
            onChange="${setAs}"
            choices="${FORMS}"
          />
          <${Copy} text="${JSON.stringify(
            result,
            null,
            2,
          )}" what="the answer" />
        `}
      </div>
      ${resultCutFrom !== undefined
        ? html`
          <${Part} value="${result}" cutFrom="${resultCutFrom}" />
        `
        : html`
          <${Result} result="${result}" as="${as}" />
        `}
    </section>
  `;
}

/**
 * A tool's result: what it says as a tree, as the text that a model reads, or all of it.
 *
 * @param {{ result: Json | undefined, as: string }} props
 * @returns {View}
 */
export function Result({ result, as }) {
  if (as === "whole") {
    return html`
      <pre class="text"><${LongText} text=${JSON.stringify(
        result,
        null,
        2,
      )} most=${20_000} /></pre>
    `;
  }
  const structured = isObject(result) ? result.structuredContent : undefined;
  if (as === "text" || structured === undefined) {
    return html`
      <pre class="text"><${LongText} text=${resultText(
        result,
      )} most=${20_000} /></pre>
    `;
  }
  return html`
    <${Tree} value="${structured}" />
  `;
}

/**
 * @param {{ call: Call }} props
 * @returns {View}
 */
function Actions({ call }) {
  const [isSaving, setSaving] = useState(false);
  const { value: tool } = useLoaded(
    call.why === "unknown-tool" ? "" : call.tool,
    () => getTool(call.tool),
  );
  const others = tool?.scenarios.filter(({ name }) => name !== call.scenario) ??
    [];
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const forceOther = (event) => {
    const { value } = event.currentTarget;
    event.currentTarget.value = "";
    if (value !== "") force(call.tool, [{ scenario: value }]);
  };
  const { scenario } = call;
  return html`
    <div class="actions">
      ${scenario !== undefined && html`
        <button type="button" class="primary" onClick="${() => force(call.tool, [{ scenario }])}">
          Force “${visible(scenario)}”
        </button>
      `} ${others.length > 0 && html`
        <label><span class="sr">Force another scenario</span>
          <select onChange="${forceOther}">
            <option value="">Force another…</option>
            ${others.map(({ name }) =>
              html`
                <option key="${name}" value="${name}">${name}</option>
              `
            )}
          </select></label>
      `} ${scenario !== undefined && call.result !== undefined &&
        call.resultCutFrom === undefined &&
        html`
          <button type="button" onClick="${() => setSaving(true)}">Save as scenario</button>
          <a class="button" href="${address("widget", "", {
            call: call.id,
          })}">Show widget</a>
        `} ${isSaving && html`
        <${SaveDialog} call="${call}" onClose="${() => setSaving(false)}" />
      `}
    </div>
  `;
}
