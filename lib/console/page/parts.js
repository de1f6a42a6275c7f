import { complain, say, shortPath } from "./store.js";
import { html, useEffect, useRef, useState } from "./vendor.js";
import { visible } from "./words.js";

/** @import { Content, View } from "./vendor.d.ts" */

/**
 * Something that has to be asked for. What was there before stays until the next has come.
 *
 * @template T
 * @param {string} key Another one asks anew; "" for nothing.
 * @param {() => Promise<T>} load
 * @returns {{ value: T | undefined, error: string, isLoading: boolean }}
 */
export function useLoaded(key, load) {
  const [state, setState] = useState(
    /** @type {{ key: string, value: T | undefined, error: string }} */ ({
      key: "",
      value: undefined,
      error: "",
    }),
  );
  useEffect(() => {
    let isWanted = key !== "";
    if (isWanted) {
      load().then(
        (value) => isWanted && setState({ key, value, error: "" }),
        (error) => isWanted && setState({ key, value: undefined, error: error.message }),
      );
    }
    return () => {
      isWanted = false;
    };
  }, [key]);
  return {
    value: state.value,
    error: state.error,
    isLoading: key !== state.key,
  };
}

/**
 * A value that changes once it has not changed for some time.
 *
 * @template T
 * @param {T} value
 * @param {number} ms
 */
export function useSettled(value, ms) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/**
 * @param {{ text: string, label?: string, what: string }} props `what` is copied, in words.
 * @returns {View}
 */
export function Copy({ text, label = "Copy", what }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say(`Copied ${what}.`),
      complain,
    );
  return html`
    <button type="button" onClick="${copy}" aria-label="${`${label} ${what}`}">
      ${label}
    </button>
  `;
}

/**
 * A file and a line, to be opened elsewhere.
 *
 * @param {{ file: string | null | undefined, line: number | undefined }} props
 * @returns {View}
 */
export function Place({ file, line }) {
  if (file === null || file === undefined) {
    return html`
      <p class="place">In the program's own files${line === undefined ? "" : `, line ${line}`}</p>
    `;
  }
  const end = line === undefined ? "" : `:${line}`;
  return html`
    <p class="place">
      <code title="${file}">${visible(shortPath(file))}${end}</code>
      <${Copy} text="${file}${end}" what="the place in the file" />
    </p>
  `;
}

/**
 * @param {{ title: string, content?: Content }} props
 * @returns {View}
 */
export function Empty({ title, content }) {
  return html`
    <div class="empty"><p class="empty-title">${title}</p>${content}</div>
  `;
}

/**
 * @param {{ error: string }} props
 * @returns {View}
 */
export function Failure({ error }) {
  return html`
    <p class="failure" role="alert">${visible(error)}</p>
  `;
}

/**
 * A choice of few that are all in sight.
 *
 * @param {{ label: string, value: string, choices: readonly (readonly [string, string])[], onChange: (value: string) => void }} props
 * @returns {View}
 */
export function Segments({ label, value, choices, onChange }) {
  return html`
    <div class="segments" role="group" aria-label="${label}">
      ${choices.map(([key, text]) =>
        html`
          <button
            type="button"
            key="${key}"
            aria-pressed="${String(key === value)}"
            onClick="${() => onChange(key)}"
          >
            ${text}
          </button>
        `
      )}
    </div>
  `;
}

/**
 * A window over the page that has to be answered or closed.
 *
 * @param {{ title: string, onClose: () => void, content: Content }} props
 * @returns {View}
 */
export function Dialog({ title, onClose, content }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    ref.current?.querySelector("input")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return html`
    <dialog ref="${ref}" aria-labelledby="dialog-title" onClose="${onClose}">
      <header class="bar">
        <h2 id="dialog-title">${title}</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close"
          onClick="${onClose}"
        >
          ✕
        </button>
      </header>
      ${content}
    </dialog>
  `;
}
