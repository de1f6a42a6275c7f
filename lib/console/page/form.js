import { Segments } from "./parts.js";
import { html, useEffect, useRef, useState } from "./vendor.js";
import { isObject, visible } from "./words.js";

/** @import { Json, JsonObject } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/** @typedef {Event & { currentTarget: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement }} InputEvent_ */
/** @typedef {{ schema: JsonObject, value: Json | undefined, onChange: (value: Json) => void, id: string }} FieldProps */

/**
 * A tool's arguments, in a form that its schema makes, or as JSON.
 *
 * @param {{ schema: JsonObject, value: Json, onChange: (value: Json) => void }} props
 * @returns {View}
 */
export function ArgumentsForm({ schema, value, onChange }) {
  const [as, setAs] = useState("form");
  const isFormable = isObject(value) && isObject(schema.properties);
  return html`
    <form class="arguments" onSubmit="${(/** @type {Event} */ event) =>
      event.preventDefault()}" aria-label="Arguments">
      <div class="bar">
        <h4>Arguments</h4>
        <${Segments}
          label="Give the arguments as"
          value="${isFormable ? as : "json"}"
          onChange="${setAs}"
          choices="${[["form", "Form"], ["json", "JSON"]]}"
        />
      </div>
      ${isFormable && as === "form"
        ? html`
          <${Members}
            schema="${schema}"
            value="${value}"
            onChange="${onChange}"
            id="argument"
          />
        `
        : html`
          <label class="sr" for="argument">Arguments as JSON</label>
          <${JsonField}
            schema="${schema}"
            value="${value}"
            onChange="${onChange}"
            id="argument"
            rows="${12}"
          />
        `}
    </form>
  `;
}

/**
 * The members of an object.
 *
 * @param {FieldProps} props
 * @returns {View}
 */
function Members({ schema, value, onChange, id }) {
  const object = isObject(value) ? value : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties);
  if (names.length === 0) {
    return html`
      <p class="muted">It takes none.</p>
    `;
  }
  /** @param {string} name @param {Json | undefined} next */
  const set = (name, next) => {
    const { [name]: _before, ...others } = object;
    onChange(
      next === undefined ? others : inOrder({ ...others, [name]: next }, names),
    );
  };
  return html`
    <div class="fields">${names.map((name) => {
      const one = properties[name];
      const isRequired = required.includes(name);
      const isSent = Object.hasOwn(object, name);
      const field = isObject(one) ? one : {};
      const key = `${id}-${name}`;
      const about = typeof field.description === "string" ? field.description : "";
      const isGroup = kindOf(field) === "object" || kindOf(field) === "list";
      return html`
        <div
          class="field"
          key="${name}"
          role="${isGroup ? "group" : null}"
          aria-label="${isGroup ? name : null}"
        >
          <div class="field-head">
            ${!isRequired && html`
              <input
                type="checkbox"
                checked="${isSent}"
                aria-label="${`Send ${name}`}"
                title="Send it"
                onChange="${() => set(name, isSent ? undefined : emptyOf(field))}"
              />
            `} ${isGroup
              ? html`
                <b>${visible(name)}</b>
              `
              : html`
                <label for="${key}">${visible(name)}</label>
              `}
            <span class="muted">${typeText(field)}${isRequired ? ", required" : ""}</span>
          </div>
          ${(isSent || isRequired || !isGroup) &&
            html`
              <${Field}
                schema="${field}"
                value="${object[name]}"
                onChange="${(/** @type {Json} */ next) => set(name, next)}"
                id="${key}"
              />
            `} ${about !== "" && html`
            <p class="help" id="${`${key}-help`}">${visible(about)}</p>
          `}
        </div>
      `;
    })}</div>
  `;
}

/**
 * @param {FieldProps} props
 * @returns {View}
 */
function Field({ schema, value, onChange, id }) {
  const kind = kindOf(schema);
  const help = typeof schema.description === "string" ? `${id}-help` : null;
  if (kind === "object") {
    return html`
      <${Members}
        schema="${schema}"
        value="${value}"
        onChange="${onChange}"
        id="${id}"
      />
    `;
  }
  if (kind === "list") {
    return html`
      <${List}
        schema="${schema}"
        value="${value}"
        onChange="${onChange}"
        id="${id}"
      />
    `;
  }
  if (kind === "enum") {
    const choices = kindsOf(schema);
    const at = choices.findIndex((choice) => choice === value);
    return html`
      <select id="${id}" aria-describedby="${help}" onChange="${(
        /** @type {InputEvent_} */ event,
      ) => {
        const choice = choices[Number(event.currentTarget.value)];
        if (choice !== undefined) onChange(choice);
      }}">
        ${at < 0 && html`
          <option value="" selected disabled>${value === undefined
            ? "not sent"
            : visible(JSON.stringify(value))}</option>
        `} ${choices.map((choice, index) =>
          html`
            <option key="${index}" value="${index}" selected="${index === at}">
              ${visible(String(choice))}
            </option>
          `
        )}
      </select>
    `;
  }
  if (kind === "number" || kind === "text") {
    return html`
      <${TextField}
        schema="${schema}"
        value="${value}"
        onChange="${onChange}"
        id="${id}"
        isNumber="${kind === "number"}"
      />
    `;
  }
  return html`
    <${JsonField}
      schema="${schema}"
      value="${value}"
      onChange="${onChange}"
      id="${id}"
      rows="${3}"
    />
  `;
}

/**
 * @param {FieldProps & { isNumber: boolean }} props
 * @returns {View}
 */
function TextField({ schema, value, onChange, id, isNumber }) {
  const [text, setText] = useState(textOf(value));
  /** @param {string} written @returns {Json} What is no number goes as it is written, to see what becomes of it. */
  const read = (written) =>
    isNumber && written.trim() !== "" && !Number.isNaN(Number(written)) ? Number(written) : written;
  useEffect(() => {
    if (value === undefined || read(text) !== value) setText(textOf(value));
  }, [value]);
  const help = typeof schema.description === "string" ? `${id}-help` : null;
  const example = schema.default ??
    (Array.isArray(schema.examples) ? schema.examples[0] : undefined);
  return html`
    <input
      id="${id}"
      value="${text}"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${help}"
      dir="auto"
      inputmode="${isNumber ? "decimal" : null}"
      placeholder="${example === undefined || example === "" ? null : textOf(example)}"
      onInput="${(/** @type {InputEvent_} */ event) => {
        setText(event.currentTarget.value);
        onChange(read(event.currentTarget.value));
      }}"
    />
  `;
}

/**
 * @param {FieldProps} props
 * @returns {View}
 */
function List({ schema, value, onChange, id }) {
  const items = Array.isArray(value) ? value : [];
  const item = isObject(schema.items) ? schema.items : {};
  return html`
    <ol class="items">
      ${items.map((one, at) =>
        html`
          <li key="${at}">
            <${Field}
              schema="${item}"
              value="${one}"
              id="${`${id}-${at}`}"
              onChange="${(/** @type {Json} */ next) => onChange(items.with(at, next))}"
            />
            <button
              type="button"
              class="quiet"
              aria-label="${`Remove item ${at + 1}`}"
              onClick="${() => onChange(items.toSpliced(at, 1))}"
            >
              ✕
            </button>
          </li>
        `
      )}
      <li><button type="button" onClick="${() =>
        onChange([...items, emptyOf(item)])}">Add an item</button></li>
    </ol>
  `;
}

/**
 * What no simple field can hold, as JSON.
 *
 * @param {FieldProps & { rows: number }} props
 * @returns {View}
 */
function JsonField({ value, onChange, id, rows }) {
  const [text, setText] = useState(jsonText(value));
  const [error, setError] = useState("");
  const written = useRef(value);
  useEffect(() => {
    if (written.current === value) return;
    written.current = value;
    setText(jsonText(value));
    setError("");
  }, [value]);
  return html`
    <textarea
      id="${id}"
      rows="${rows}"
      spellcheck="false"
      autocomplete="off"
      value="${text}"
      aria-label="${id === "argument" ? null : "JSON"}"
      aria-invalid="${String(error !== "")}"
      onInput="${(/** @type {InputEvent_} */ event) => {
        const next = event.currentTarget.value;
        setText(next);
        try {
          written.current = JSON.parse(next);
          setError("");
          onChange(JSON.parse(next));
        } catch (reason) {
          setError(reason instanceof Error ? reason.message : String(reason));
        }
      }}"
    ></textarea>
    ${error !== "" && html`
      <p class="failure">Not JSON yet: ${visible(error)}</p>
    `}
  `;
}

/** @param {Json | undefined} value */
function jsonText(value) {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

/** @param {Json | undefined} value */
function textOf(value) {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** @param {JsonObject} schema */
function typesOf({ type }) {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  return types.filter((one) => one !== "null");
}

/**
 * What kind of field a schema makes.
 *
 * @param {JsonObject} schema
 * @returns {"object" | "list" | "enum" | "number" | "text" | "json"}
 */
function kindOf(schema) {
  if (Array.isArray(schema.enum)) return "enum";
  const [type, ...others] = typesOf(schema);
  if (others.length > 0) return "json";
  if (type === "boolean") return "enum";
  if (type === "object") return isObject(schema.properties) ? "object" : "json";
  if (type === "array") {
    return isObject(schema.items) && kindOf(schema.items) !== "json" ? "list" : "json";
  }
  if (type === "number" || type === "integer") return "number";
  return type === "string" ? "text" : "json";
}

/** @param {JsonObject} schema @returns {readonly Json[]} */
function kindsOf(schema) {
  return Array.isArray(schema.enum) ? schema.enum : [true, false];
}

/** @param {JsonObject} schema */
function typeText(schema) {
  const type = typesOf(schema).join(" or ") || "anything";
  return type === "array" && isObject(schema.items)
    ? `array of ${typesOf(schema.items).join(" or ") || "anything"}`
    : type;
}

/** @param {JsonObject} schema @returns {Json} What a member begins with when it is sent. */
function emptyOf(schema) {
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples[0] !== undefined) {
    return schema.examples[0];
  }
  switch (kindOf(schema)) {
    case "object":
      return {};
    case "list":
      return [];
    case "enum":
      return kindsOf(schema)[0] ?? null;
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 0;
    case "text":
      return "";
    default:
      return null;
  }
}

/** @param {JsonObject} object @param {readonly string[]} names @returns {JsonObject} Its members as the schema has them. */
function inOrder(object, names) {
  const place = (/** @type {string} */ name) =>
    names.includes(name) ? names.indexOf(name) : names.length;
  return Object.fromEntries(
    Object.entries(object).toSorted(([a], [b]) => place(a) - place(b)),
  );
}
