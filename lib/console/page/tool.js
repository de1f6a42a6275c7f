import { getTool, preview } from "./api.js";
import { FORMS, Result } from "./call.js";
import { StepsForm } from "./steps.js";
import { ArgumentsForm } from "./form.js";
import { Tree } from "./json.js";
import { Failure, Place, Segments, useLoaded, useSettled } from "./parts.js";
import { force, keyText, letGo, store } from "./store.js";
import { html, useEffect, useRef, useState } from "./vendor.js";
import { isObject, reason, ruleText, visible } from "./words.js";

/** @import { Json, Scenario, Tool } from "./types.d.ts" */
/** @import { Route } from "./route.js" */
/** @import { View } from "./vendor.d.ts" */

/**
 * A tool, or what stands for several: `*`, `/`.
 *
 * @param {{ name: string, route: Route, onClose: () => void }} props
 * @returns {View}
 */
export function ToolPanel({ name, route, onClose }) {
  const isKey = name === "*" || name === "/";
  const problems = store.problems.filter(({ file }) => file.endsWith(`/${name}.md`)).map((
    { message },
  ) => message);
  const { value: tool, error } = useLoaded(
    isKey ? "" : `${name} ${problems}`,
    () => getTool(name),
  );
  const title = isKey ? keyText(name) : tool?.title ?? name;
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const list = document.querySelector(".list-pane");
    if (list instanceof HTMLElement && list.offsetParent === null) {
      ref.current?.focus();
    }
  }, []);
  return html`
    <section
      class="pane side-pane"
      aria-label="Tool"
      ref="${ref}"
      tabindex="-1"
    >
      <header class="bar">
        <h2>${visible(title)} ${!isKey && html`
          <code class="muted">${visible(name)}</code>
        `}</h2>
        <button
          type="button"
          class="quiet back"
          aria-label="Back to the list"
          onClick="${onClose}"
        >
          ✕
        </button>
      </header>
      <div class="scroll body">
        ${error !== "" && html`
          <${Failure} error="${error}" />
        `} ${isKey && html`
          <${AllTools} name="${name}" />
        `} ${tool !== undefined && html`
          <${Whole} tool="${tool}" route="${route}" />
        `}
      </div>
    </section>
  `;
}

/**
 * @param {{ name: string }} props
 * @returns {View}
 */
function AllTools({ name }) {
  return html`
    <p>${name === "*"
      ? "What is set here holds for each tool that has no setting of its own: a delay, a failure, or a scenario that several tools have, such as upstream-unavailable."
      : "What is set here holds for every request of a client, the first one included: a deploy, a gateway that fails, a slow start."}</p>
    <${Force} name="${name}" scenarios="${[]}" />
  `;
}

/**
 * @param {{ tool: Tool, route: Route }} props
 * @returns {View}
 */
function Whole({ tool, route }) {
  const { name, definition, file, scenarios } = tool;
  const description = typeof definition.description === "string" ? definition.description : "";
  return html`
    <p class="prose">${visible(description)}</p>
    <${Place} file="${file}" line="${undefined}" />
    <details class="fold">
      <summary>Definition, as clients get it</summary>
      <${Tree} value="${definition}" />
    </details>
    <${Force} name="${name}" scenarios="${scenarios}" />
    <${Try} tool="${tool}" />
    <${Scenarios} tool="${tool}" route="${route}" />
  `;
}

/**
 * What is forced, and what to force.
 *
 * @param {{ name: string, scenarios: readonly Scenario[] }} props
 * @returns {View}
 */
function Force({ name, scenarios }) {
  const entry = store.forced.entries.find(({ key }) => key === name);
  return html`
    <section>
      <h3>What the next calls get</h3>
      <p class="actions">${entry === undefined ? "Nothing is forced: the arguments decide." : html`
        <span class="why why-forced">forced</span> ${visible(
          entry.text,
        )} ${entry.progress !== undefined && html`
          <span class="muted">${visible(entry.progress)}</span>
        `}
        <button type="button" onClick="${() => letGo(name)}">Let go</button>
      `}</p>
      <${StepsForm}
        key="${entry?.text ?? ""}"
        name="${name}"
        scenarios="${scenarios}"
        steps="${entry?.steps ?? []}"
      />
    </section>
  `;
}

/** From so many scenarios on they can be narrowed. */
const MANY = 12;

/**
 * @param {{ tool: Tool, route: Route }} props
 * @returns {View}
 */
function Scenarios({ tool, route }) {
  const [chosen, setChosen] = useState("");
  const [word, setWord] = useState("");
  const wanted = route.params.get("scenario") ?? "";
  const forced = store.forced.entries.find(({ key }) => key === tool.name)?.steps ?? [];
  const kept = tool.scenarios.filter(({ name, about, match }) =>
    `${name} ${about} ${JSON.stringify(match)}`.toLowerCase().includes(word.trim().toLowerCase())
  );
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const narrow = (event) => setWord(event.currentTarget.value);
  return html`
    <section>
      <div class="bar">
        <h3>
          Scenarios <span class="muted">${tool.scenarios
            .length}, the first whose rule matches answers</span>
        </h3>
        ${tool.scenarios.length >= MANY && html`
          <input
            type="search"
            placeholder="Narrow"
            aria-label="Narrow the scenarios"
            value="${word}"
            onInput="${narrow}"
          />
        `}
      </div>
      <ul class="scenarios">
        ${kept.map((scenario) =>
          html`
            <${ScenarioRow}
              key="${scenario.name}"
              scenario="${scenario}"
              tool="${tool}"
              isWanted="${scenario.name === wanted}"
              isChosen="${scenario.name === chosen}"
              onChoose="${setChosen}"
              isForced="${forced.some((step) => step.scenario === scenario.name)}"
            />
          `
        )}
      </ul>
      ${kept.length === 0 && html`
        <p class="muted">No scenario is like that.</p>
      `}
    </section>
  `;
}

/**
 * @param {object} props
 * @param {Scenario} props.scenario
 * @param {Tool} props.tool
 * @param {boolean} props.isWanted
 * @param {boolean} props.isChosen
 * @param {boolean} props.isForced
 * @param {(name: string) => void} props.onChoose
 * @returns {View}
 */
function ScenarioRow(
  { scenario, tool, isWanted, isChosen, isForced, onChoose },
) {
  const { name, about, prose, match, line, isError, byForce } = scenario;
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (isWanted) ref.current?.scrollIntoView({ block: "center" });
  }, [isWanted]);
  const rule = scenario.default ? "the default" : byForce ? "only when forced" : ruleText(match);
  return html`
    <li ref="${ref}" class="${`${isForced ? "is-forced" : ""} ${isWanted ? "is-wanted" : ""}`}">
      <div class="scenario-head">
        <b>${visible(name)}</b>
        ${isError && html`
          <span class="why why-error">error</span>
        `} ${isForced && html`
          <span class="why why-forced">forced</span>
        `}
        <code class="rule">${rule}</code>
        <span class="end">
          <button
            type="button"
            aria-pressed="${String(isChosen)}"
            aria-label="${`Show the answer of ${name}`}"
            onClick="${() => onChoose(isChosen ? "" : name)}"
          >
            Answer
          </button>
          <button type="button" aria-label="${`Force ${name}`}" onClick="${() =>
            force(tool.name, [{ scenario: name }])}">
            Force
          </button>
        </span>
      </div>
      ${about !== "" && html`
        <p class="about">${visible(about)}</p>
      `} ${isWanted && prose !== about && prose !== "" && html`
        <p class="prose">${visible(prose)}</p>
      `} ${isWanted && html`
        <${Place} file="${tool.file}" line="${line}" />
      `} ${isChosen && html`
        <${AnswerOf} tool="${tool}" scenario="${name}" />
      `}
    </li>
  `;
}

/**
 * The answer of a scenario to the arguments that are being tried.
 *
 * @param {{ tool: Tool, scenario: string }} props
 * @returns {View}
 */
function AnswerOf({ tool, scenario }) {
  const args = tried.get(tool.name) ?? fitting(tool, scenario);
  const key = JSON.stringify([tool.name, scenario, args]);
  const { value, error } = useLoaded(
    key,
    () => preview({ tool: tool.name, arguments: args, scenario }),
  );
  return html`
    <div class="answer">
      ${error !== "" && html`
        <${Failure} error="${error}" />
      `} ${value?.problem !== undefined && html`
        <${Failure} error="${value.problem}" />
      `} ${value?.result !== undefined && html`
        <${Result} result="${value.result}" as="tree" />
      `}
    </div>
  `;
}

/**
 * Sample arguments that a scenario's rule lets through, as far as it names values.
 *
 * @param {Tool} tool
 * @param {string} scenario
 * @returns {Json}
 */
function fitting({ sample, scenarios }, scenario) {
  const rule = scenarios.find(({ name }) => name === scenario)?.match;
  if (!isObject(rule) || !isObject(sample)) return sample;
  const named = Object.entries(rule).flatMap(([key, want]) => {
    if (want === "*" || typeof want === "object") return [];
    return [[key, typeof want === "string" && want.startsWith("~") ? want.slice(1) : want]];
  });
  return { ...sample, ...Object.fromEntries(named) };
}

/** The arguments that are being tried, by tool: they stay while one looks elsewhere. @type {Map<string, Json>} */
const tried = new Map();

/**
 * Arguments in a form, and what they would be answered with.
 *
 * @param {{ tool: Tool }} props
 * @returns {View}
 */
function Try({ tool }) {
  const [args, setArgs] = useState(() => tried.get(tool.name) ?? tool.sample);
  const [as, setAs] = useState("tree");
  /** @param {Json} next */
  const change = (next) => {
    tried.set(tool.name, next);
    setArgs(next);
  };
  const settled = useSettled(JSON.stringify(args), 250);
  const { value, error } = useLoaded(
    `${tool.name} ${settled}`,
    () => preview({ tool: tool.name, arguments: JSON.parse(settled) }),
  );
  const { inputSchema } = tool.definition;
  return html`
    <section>
      <h3>
        Try arguments <span class="muted">nothing is called, forced or written down</span>
      </h3>
      <div class="try">
        <${ArgumentsForm}
          schema="${isObject(inputSchema) ? inputSchema : {}}"
          value="${args}"
          onChange="${change}"
        />
        <div class="answer" aria-live="polite">
          <div class="bar">
            <h4>The answer</h4>
            <${Segments}
              label="Show the answer as"
              value="${as}"
              onChange="${setAs}"
              choices="${FORMS}"
            />
          </div>
          ${error !== "" && html`
            <${Failure} error="${error}" />
          `} ${value !== undefined && html`
            <p>${visible(
              reason(value),
            )} ${value.rule !== undefined && html`
              <code>${ruleText(value.rule)}</code>
            `}</p>
            ${value.problem !== undefined && html`
              <${Failure} error="${value.problem}" />
            `} ${value.result !== undefined && html`
              <${Result} result="${value.result}" as="${as}" />
            `}
          `}
        </div>
      </div>
    </section>
  `;
}
