import { saveScenario } from "./api.js";
import { Dialog, Failure, Place } from "./parts.js";
import { say } from "./store.js";
import { html, useState } from "./vendor.js";
import { isObject, visible } from "./words.js";

/** @import { Call, Saved } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/**
 * Makes a scenario of a call: first shows what would be written, then writes it.
 *
 * @param {{ call: Call, onClose: () => void }} props
 * @returns {View}
 */
export function SaveDialog({ call, onClose }) {
  const [name, setName] = useState("");
  const [match, setMatch] = useState("");
  const [isLiteral, setLiteral] = useState(false);
  const [state, setState] = useState(
    /** @type {{ error: string, draft: Saved | undefined, isBusy: boolean }} */ ({
      error: "",
      draft: undefined,
      isBusy: false,
    }),
  );

  /** @param {boolean} dryRun */
  const send = async (dryRun) => {
    setState({ ...state, error: "", isBusy: true });
    try {
      const saved = await saveScenario({
        ...{
          tool: call.tool,
          name: name.trim(),
          call: call.id,
          literal: isLiteral,
          dryRun,
        },
        ...(match.trim() !== "" && { match: match.trim() }),
      });
      setState({ error: "", draft: saved, isBusy: false });
      if (dryRun) return;
      say(`Saved “${name.trim()}” in ${saved.file}:${saved.line}.`);
      onClose();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      setState({ error: text, draft: undefined, isBusy: false });
    }
  };
  const changed = () => setState({ error: "", draft: undefined, isBusy: false });
  /** @param {Event} event */
  const onSubmit = (event) => {
    event.preventDefault();
    send(state.draft === undefined);
  };
  const { draft, error, isBusy } = state;
  const form = html`
    <form class="form" onSubmit="${onSubmit}">
      <p class="muted">
        From now on a call of <code>${visible(
          call.tool,
        )}</code> like this one is answered as this one was. It
        becomes a part of the tool's file.
      </p>
      <label for="save-name">Name</label>
      <input
        id="save-name"
        required
        autocomplete="off"
        spellcheck="false"
        placeholder="sushi-near-the-marina"
        pattern="[^\\s]+"
        title="A name without spaces"
        value="${name}"
        onInput="${(
          /** @type {Event & { currentTarget: HTMLInputElement }} */ event,
        ) => {
          setName(event.currentTarget.value);
          changed();
        }}"
      />
      <label for="save-match">Arguments that have to be the same</label>
      <input
        id="save-match"
        autocomplete="off"
        spellcheck="false"
        value="${match}"
        aria-describedby="save-match-help"
        placeholder="${keysOf(call).join(",")}"
        onInput="${(
          /** @type {Event & { currentTarget: HTMLInputElement }} */ event,
        ) => {
          setMatch(event.currentTarget.value);
          changed();
        }}"
      />
      <p class="help" id="save-match-help">
        Names between commas, or a whole rule as JSON. Left empty, those that most rules of the file ask
        for.
      </p>
      <label class="check"><input
          type="checkbox"
          checked="${isLiteral}"
          onChange="${() => {
            setLiteral(!isLiteral);
            changed();
          }}"
        /> Keep the answer as it is, with its times and what it repeats of the arguments</label>
      ${error !== "" && html`
        <${Failure} error="${error}" />
      `} ${draft !== undefined && html`
        <${Draft} draft="${draft}" />
      `}
      <div class="actions">
        <button type="submit" class="primary" disabled="${isBusy ||
          name.trim() === ""}">
          ${draft === undefined ? "Preview" : "Save"}
        </button>
        <button type="button" onClick="${onClose}">Cancel</button>
      </div>
    </form>
  `;
  return html`
    <${Dialog}
      title="Save as scenario"
      onClose="${onClose}"
      content="${form}"
    />
  `;
}

/**
 * @param {{ draft: Saved }} props
 * @returns {View}
 */
function Draft({ draft }) {
  const notes = [...(draft.changes ?? []), ...(draft.findings ?? [])].map(
    noteText,
  );
  return html`
    <div aria-live="polite">
      <h3>What will be written</h3>
      ${draft.how !== undefined && html`
        <p>${visible(draft.how)}</p>
      `}
      <${Place} file="${draft.file}" line="${draft.line}" />
      ${notes.length > 0 && html`
        <ul class="notes">${notes.map((note) =>
          html`
            <li key="${note}">${visible(note)}</li>
          `
        )}</ul>
      `}
      <pre
        class="text draft"
        tabindex="0"
        aria-label="The scenario"
      >${visible(draft.text)}</pre>
    </div>
  `;
}

/** @param {unknown} note */
function noteText(note) {
  if (typeof note === "string") return note;
  if (isObject(note) && typeof note.message === "string") return note.message;
  return JSON.stringify(note);
}

/** @param {Call} call */
function keysOf({ arguments: args }) {
  return isObject(args) ? Object.keys(args) : [];
}
