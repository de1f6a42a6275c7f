import { Empty, Place } from "./parts.js";
import { store, useStore } from "./store.js";
import { html } from "./vendor.js";
import { visible } from "./words.js";

/** @import { Problem } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/**
 * What is wrong with the fixtures and with what is forced.
 *
 * @returns {View}
 */
export function Problems() {
  useStore();
  const { problems } = store;
  if (problems.length === 0) {
    return html`
      <section class="pane" aria-label="Problems">
        <${Empty} title="No problems." content="${html`
          <p>
            What is wrong with the fixtures, or with what is forced, appears here as you edit the files.
          </p>
        `}" />
      </section>
    `;
  }
  return html`
    <section class="pane" aria-label="Problems">
      <div class="scroll">
        <ul class="problems" aria-live="polite">
          ${problems.map((one, index) =>
            html`
              <${Row} key="${index}" problem="${one}" />
            `
          )}
        </ul>
      </div>
    </section>
  `;
}

/**
 * @param {{ problem: Problem }} props
 * @returns {View}
 */
function Row({ problem: { severity, file, line, message } }) {
  return html`
    <li>
      <span class="${`why why-${severity === "error" ? "error" : "warning"}`}">${severity}</span>
      <div>
        <p><bdi>${visible(message)}</bdi></p>
        <${Place} file="${file}" line="${line}" />
      </div>
    </li>
  `;
}
