import { getCall, getWidget } from "./api.js";
import { Tree } from "./json.js";
import { Empty, Failure, useLoaded } from "./parts.js";
import { changed, go } from "./route.js";
import { store, useStore } from "./store.js";
import { html, useEffect, useRef, useState } from "./vendor.js";
import { clock, isObject, outcome, visible } from "./words.js";

/** @import { Call, Json, JsonObject, Summary } from "./types.d.ts" */
/** @import { Route } from "./route.js" */
/** @import { View } from "./vendor.d.ts" */

/** The MCP Apps protocol that a widget is spoken to in. */
const PROTOCOL = "2026-01-26";
/** So many calls can be chosen, and so many messages are kept. */
const MOST = 50;
const MOST_MESSAGES = 200;
/** After so long a widget that has said nothing is not there. */
const PATIENCE_MS = 4000;
const TALLEST = 2000;

/** @typedef {{ id: number, at: string, isFromWidget: boolean, message: JsonObject }} Message */

/**
 * The widget beside a call's result, as a host shows it.
 *
 * @param {{ route: Route }} props
 * @returns {View}
 */
export function Widget({ route }) {
  useStore();
  const { value: widget, error } = useLoaded("widget", getWidget);
  const usable = store.calls.filter(({ isError, why, pending }) =>
    !pending && !isError &&
    (why === "forced" || why === "rule" || why === "default")
  ).slice(-MOST).toReversed();
  const id = route.params.get("call") ?? "";
  // The newest when this was opened: those that come later must not take its place.
  const [newest, setNewest] = useState("");
  const first = usable[0]?.id ?? "";
  useEffect(() => setNewest((now) => now === "" ? first : now), [first]);
  const chosen = id === "" ? newest : id;
  const { value: detail, error: callError } = useLoaded(
    chosen,
    () => getCall(chosen),
  );
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const choose = (event) => go(changed(route, { call: event.currentTarget.value }), true);
  const known = usable.some((call) => call.id === chosen);
  return html`
    <div class="split split-widget">
      <section class="pane" aria-label="The widget">
        <div class="toolbar">
          <label class="grow"><span class="sr">Call whose result the widget gets</span>
            <select value="${chosen}" onChange="${choose}">
              ${chosen === "" && html`
                <option value="">No call yet</option>
              `} ${!known && chosen !== "" && html`
                <option value="${chosen}" selected>${detail === undefined
                  ? chosen
                  : callText(detail.call)}</option>
              `} ${usable.map((call) =>
                html`
                  <option key="${call.id}" value="${call
                    .id}" selected="${call.id === chosen}">
                    ${callText(call)}
                  </option>
                `
              )}
            </select></label>
        </div>
        ${error !== "" && html`
          <${Failure} error="${error}" />
        `} ${callError !== "" && html`
          <${Failure} error="${callError}" />
        `} ${chosen === "" && html`
          <${Empty} title="No call to show yet." content="${html`
            <p>Make a call, then the widget gets its result here.</p>
          `}" />
        `} ${widget !== undefined && detail !== undefined &&
          detail.call.id === chosen &&
          html`
            <${Frame}
              key="${chosen}"
              call="${detail.call}"
              hasBorder="${widget.prefersBorder !== false}"
              csp="${widget.csp}"
            />
          `}
      </section>
    </div>
  `;
}

/** @param {Pick<Call | Summary, "time" | "tool" | "scenario" | "why" | "fault" | "pending">} call */
function callText(call) {
  return visible(
    `${clock(call.time).slice(0, 8)}  ${call.tool}  ${outcome(call)}`,
  );
}

/**
 * The frame and the messages between it and this page, which plays the host.
 *
 * @param {{ call: Call, hasBorder: boolean, csp: Json }} props
 * @returns {View}
 */
function Frame({ call, hasBorder, csp }) {
  const frame = useRef(/** @type {HTMLIFrameElement | null} */ (null));
  const [messages, setMessages] = useState(/** @type {Message[]} */ ([]));
  const [isSilent, setSilent] = useState(false);
  const [height, setHeight] = useState(420);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    let count = 0;
    /** @param {JsonObject} message @param {boolean} isFromWidget */
    const note = (message, isFromWidget) => {
      const one = {
        id: ++count,
        at: new Date().toISOString(),
        isFromWidget,
        message,
      };
      setMessages((now) => [...now, one].slice(-MOST_MESSAGES));
    };
    /** @param {JsonObject} message */
    const send = (message) => {
      note(message, false);
      // The frame's origin is opaque, so no other target can be named.
      frame.current?.contentWindow?.postMessage(
        { jsonrpc: "2.0", ...message },
        "*",
      );
    };
    /** @param {MessageEvent<unknown>} event */
    const onMessage = ({ source, data }) => {
      if (
        source === null || source !== frame.current?.contentWindow ||
        !isObject(data) || data.jsonrpc !== "2.0"
      ) return;
      setSilent(false);
      note(data, true);
      const { id, method, params } = data;
      if (method === "ui/notifications/initialized") {
        const { arguments: args = {}, result = {} } = call;
        send({
          method: "ui/notifications/tool-input",
          params: { arguments: args },
        });
        send({ method: "ui/notifications/tool-result", params: result });
      } else if (method === "ui/notifications/size-changed") {
        const wanted = isObject(params) ? Number(params.height) : NaN;
        if (wanted > 0) setHeight(Math.min(TALLEST, Math.ceil(wanted)));
      } else if (id !== undefined && typeof method === "string") {
        const result = method === "ui/initialize"
          ? welcome(call)
          : method === "ping"
          ? {}
          : undefined;
        if (result !== undefined) send({ id, result });
        else {send({
            id,
            error: {
              code: -32601,
              message: `The console does not do ${method}.`,
            },
          });}
      }
    };
    addEventListener("message", onMessage);
    const timer = setTimeout(() => setSilent(count === 0), PATIENCE_MS);
    return () => {
      removeEventListener("message", onMessage);
      clearTimeout(timer);
    };
  }, [turn]);

  const reload = () => {
    setMessages([]);
    setSilent(false);
    setTurn(turn + 1);
  };
  const domains = domainsOf(csp);
  return html`
    <div class="scroll body widget">
      <p class="${isSilent ? "note" : "muted"}" role="status">
        ${isSilent
          ? "The widget has said nothing, so what you see below may be blank. "
          : ""}Its script and its style come from ${domains}, as in production: without a network,
        or while that cannot be reached, the frame stays blank.${" "}
        <button type="button" class="link" onClick="${reload}">Load again</button>
      </p>
      <div class="beside">
        <iframe
          key="${turn}"
          ref="${frame}"
          class="${hasBorder ? "has-border" : ""}"
          sandbox="allow-scripts"
          src="/api/widget/frame"
          title="The widget"
          style="${{ height: `${height}px` }}"
        ></iframe>
        <div class="body-part">
          <section>
            <h3>Messages</h3>
            ${messages.length === 0 && html`
              <p class="muted">None yet. A widget begins with ui/initialize.</p>
            `}
            <ol
              class="messages"
              aria-label="Messages between the widget and the console"
            >
              ${messages.map(({ id, at, isFromWidget, message }) =>
                html`
                  <li key="${`${turn} ${id}`}">
                    <details>
                      <summary>
                        <time>${clock(at)}</time> <b>${isFromWidget ? "widget →" : "→ widget"}</b>
                        <code>${visible(messageText(message))}</code>
                      </summary>
                      <${Tree} value="${message}" />
                    </details>
                  </li>
                `
              )}
            </ol>
          </section>
          <section>
            <h3>What it may load</h3>
            <${Tree} value="${csp}" />
          </section>
        </div>
      </div>
    </div>
  `;
}

/** @param {Call} call @returns {JsonObject} What a host says of itself. */
function welcome(call) {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    protocolVersion: PROTOCOL,
    hostInfo: { name: "careem-mcp console", version: "1" },
    hostCapabilities: { logging: {} },
    hostContext: {
      theme: isDark ? "dark" : "light",
      displayMode: "inline",
      availableDisplayModes: ["inline"],
      containerDimensions: { maxHeight: TALLEST },
      locale: navigator.language,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      platform: "web",
      toolInfo: {
        id: call.id,
        tool: { name: call.tool, inputSchema: { type: "object" } },
      },
    },
  };
}

/** @param {JsonObject} message */
function messageText({ method, id, error }) {
  if (typeof method === "string") return method;
  return `${error === undefined ? "answer" : "refusal"} to ${JSON.stringify(id ?? null)}`;
}

/** @param {Json} csp */
function domainsOf(csp) {
  const domains = isObject(csp) ? csp.resourceDomains : undefined;
  return Array.isArray(domains) && domains.length > 0
    ? domains.map((one) => visible(String(one))).join(", ")
    : "the network";
}
