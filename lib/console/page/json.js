import { html, useState } from "./vendor.js";
import { isObject, visible } from "./words.js";

/** @import { Json } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/** So many members are shown at once, and so many characters. */
const MOST_MEMBERS = 100;
const MOST_TEXT = 1000;
/** A value with no more members than this is opened by itself. */
const SMALL = 12;

/**
 * JSON as a tree whose branches open and close.
 *
 * @param {{ value: Json | undefined, name?: string, depth?: number }} props
 * @returns {View}
 */
export function Tree({ value }) {
  if (value === undefined) {
    return html`
      <p class="muted">Nothing.</p>
    `;
  }
  if (!isBranch(value)) {
    return html`
      <div class="tree"><${Leaf} value="${value}" /></div>
    `;
  }
  return html`
    <div class="tree"><${Members} value="${value}" depth="${0}" /></div>
  `;
}

/**
 * @param {{ value: Json, name: string, depth: number }} props
 * @returns {View}
 */
function Node({ value, name, depth }) {
  if (!isBranch(value)) {
    return html`
      <${Name} name="${name}" /><${Leaf} value="${value}" />
    `;
  }
  return html`
    <${Branch} value="${value}" name="${name}" depth="${depth}" />
  `;
}

/**
 * @param {{ value: Json, name: string, depth: number }} props
 * @returns {View}
 */
function Branch({ value, name, depth }) {
  const size = membersOf(value).length;
  const [isOpen, setOpen] = useState(depth < 2 || (depth < 4 && size <= SMALL));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  /** @param {Event & { currentTarget: HTMLDetailsElement }} event */
  const toggle = (event) => setOpen(event.currentTarget.open);
  if (size === 0) {
    return html`
      <${Name} name="${name}" /><span class="muted">${open}${close}</span>
    `;
  }
  return html`
    <details open="${isOpen}" onToggle="${toggle}">
      <summary>
        <${Name} name="${name}" /><span class="muted">${isOpen
          ? open
          : `${open}${size}${close}`}</span>
      </summary>
      ${isOpen && html`
        <${Members} value="${value}" depth="${depth + 1}" />
      `}
    </details>
  `;
}

/**
 * @param {{ value: Json, depth: number }} props
 * @returns {View}
 */
function Members({ value, depth }) {
  const [most, setMost] = useState(MOST_MEMBERS);
  const members = membersOf(value);
  if (members.length === 0) {
    return html`
      <p class="muted">${Array.isArray(value) ? "[]" : "{}"}</p>
    `;
  }
  const rest = members.length - most;
  return html`
    <ul>
      ${members.slice(0, most).map(([name, one]) =>
        html`
          <li key="${name}">
            <${Node} value="${one}" name="${name}" depth="${depth}" />
          </li>
        `
      )} ${rest > 0 && html`
        <li key="">
          <button type="button" class="link" onClick="${() => setMost(most + 10 * MOST_MEMBERS)}">
            Show ${rest} more
          </button>
        </li>
      `}
    </ul>
  `;
}

/**
 * @param {{ name: string }} props
 * @returns {View}
 */
function Name({ name }) {
  return html`
    <span class="name"><bdi>${visible(name)}</bdi>: </span>
  `;
}

/**
 * @param {{ value: Json }} props
 * @returns {View}
 */
function Leaf({ value }) {
  if (typeof value !== "string") {
    return html`
      <span class="value-other">${String(value)}</span>
    `;
  }
  return html`
    <span class="value-text">"<${LongText} text="${value}" />"</span>
  `;
}

/**
 * A text, of what is long the beginning.
 *
 * @param {{ text: string, most?: number }} props
 * @returns {View}
 */
export function LongText({ text, most = MOST_TEXT }) {
  const [isWhole, setWhole] = useState(false);
  const rest = text.length - most;
  if (isWhole || rest <= 0) {
    return html`
      <bdi>${visible(text)}</bdi>
    `;
  }
  return html`
    <bdi>${visible(text.slice(0, most))}</bdi>… <button
      type="button"
      class="link"
      onClick="${() => setWhole(true)}"
    >
      Show ${rest.toLocaleString("en")} more characters
    </button>
  `;
}

/** @param {Json} value */
function isBranch(value) {
  return Array.isArray(value) || isObject(value);
}

/**
 * @param {Json} value
 * @returns {[string, Json][]}
 */
function membersOf(value) {
  if (Array.isArray(value)) {
    return value.map((one, index) => [String(index), one]);
  }
  return isObject(value) ? Object.entries(value) : [];
}
