import { getCalls } from "./api.js";
import { Empty, useLoaded } from "./parts.js";
import { store, useStore } from "./store.js";
import { html, useEffect, useMemo, useRef, useState } from "./vendor.js";
import { clientText, clock, count, duration, failed, outcome, visible } from "./words.js";

/** @import { Summary } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

const LANE = 34;
/** From call to call, as there is room. */
const STEP = { least: 20, most: 34 };
const EDGE = 20;
/** The last so many calls of a session are drawn. */
const MOST = 400;

/**
 * What tells the calls of one session from those of others. A server over stdio has one session,
 * which has no id.
 *
 * @param {Pick<Summary, "session" | "transport" | "pid">} call
 * @returns {string} "" for a call without a session.
 */
export function sessionKey({ session, transport, pid }) {
  if (session !== undefined) return session;
  return transport === "stdio" && pid !== undefined ? `process ${pid}` : "";
}

/**
 * @param {readonly Summary[]} calls
 * @returns {{ key: string, text: string }[]} In the order of their last calls.
 */
export function sessionsOf(calls) {
  /** @type {Map<string, { first: Summary, count: number }>} */
  const sessions = new Map();
  for (const call of calls) {
    const key = sessionKey(call);
    if (key === "") continue;
    const known = sessions.get(key);
    sessions.delete(key);
    sessions.set(key, {
      first: known?.first ?? call,
      count: (known?.count ?? 0) + 1,
    });
  }
  return [...sessions].map(([key, { first, count: calls }]) => ({
    key,
    text: `${visible(clientText(first)) || "A client"}, since ${clock(first.time).slice(0, 8)}, ${
      count(calls, "call")
    }`,
  }));
}

/**
 * The calls of a session as a line through the tools.
 *
 * @param {object} props
 * @param {string} props.session
 * @param {string} props.open The id of the call that is open.
 * @param {(id: string, inPlace?: boolean) => void} props.onOpen
 * @param {(changes: Record<string, string>) => void} props.change
 * @returns {View}
 */
export function Journey({ session, open, onOpen, change }) {
  const version = useStore();
  const newest = store.calls.findLast((call) => sessionKey(call) !== "");
  useEffect(() => {
    if (session === "" && newest !== undefined) {
      change({ session: sessionKey(newest) });
    }
  }, [session, newest === undefined]);
  const isStored = session !== "" && !session.startsWith("process ");
  const { value } = useLoaded(
    isStored ? session : "",
    () => getCalls({ session }, { limit: MOST }),
  );
  const calls = useMemo(() => {
    const here = store.calls.filter((call) => sessionKey(call) === session);
    const known = new Set(here.map(({ id }) => id));
    const older = (value?.calls ?? []).filter((call) =>
      !known.has(call.id) && call.session === session
    );
    return [...older.toReversed(), ...here].slice(-MOST);
  }, [version, session, value]);

  const scroll = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [room, setRoom] = useState(0);
  const hasCalls = calls.length > 0;
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    if (scroll.current !== null) observer.observe(scroll.current);
    return () => observer.disconnect();
  }, [hasCalls]);
  useEffect(() => {
    if (scroll.current !== null) {
      scroll.current.scrollLeft = scroll.current.scrollWidth;
    }
  }, [calls.length, session, room]);

  if (calls.length === 0) {
    return html`
      <${Empty} title="No journey yet." content="${html`
        <p>It begins with the first call of a client that opens a session.</p>
      `}" />
    `;
  }
  const lanes = [...new Set(calls.map(({ tool }) => tool))];
  const errors = calls.filter(failed).length;
  const fitting = (room - EDGE * 2) / Math.max(1, calls.length - 1);
  const step = Math.max(STEP.least, Math.min(STEP.most, fitting));
  const points = calls.map((call, index) => ({
    call,
    x: EDGE + index * step,
    y: LANE / 2 + lanes.indexOf(call.tool) * LANE,
  }));
  const width = EDGE * 2 + (calls.length - 1) * step;
  const height = lanes.length * LANE;
  const label = `${count(calls.length, "call")} through ${count(lanes.length, "tool")}, ${
    errors === 0 ? "no errors" : count(errors, "error")
  }`;
  return html`
    <div class="scroll journey">
      <p class="muted">${label}, ${count(
        returnsIn(calls),
        "return",
      )} to a tool used before</p>
      <div class="map">
        <ul class="lanes" aria-hidden="true">${lanes.map((tool) =>
          html`
            <li key="${tool}" title="${tool}">${visible(tool)}</li>
          `
        )}</ul>
        <div
          class="line"
          ref="${scroll}"
          tabindex="0"
          role="region"
          aria-label="Line through the tools"
        >
          <svg
            width="${width}"
            height="${height}"
            role="img"
            aria-label="${`${label}; the list below says the same`}"
          >
            ${lanes.map((tool, lane) =>
              html`
                <line
                  key="${tool}"
                  class="lane"
                  x1="0"
                  x2="${width}"
                  y1="${LANE / 2 + lane * LANE}"
                  y2="${LANE / 2 + lane * LANE}"
                />
              `
            )}
            <polyline class="way" points="${points.map(({ x, y }) => `${x},${y}`).join(" ")}" />
            ${points.map(({ call, x, y }) =>
              html`
                <${Point}
                  key="${call.id}"
                  call="${call}"
                  x="${x}"
                  y="${y}"
                  isOpen="${call.id === open}"
                  onOpen="${onOpen}"
                />
              `
            )}
          </svg>
        </div>
      </div>
      <ol class="stops">
        ${calls.map((call) =>
          html`
            <li key="${call.id}" class="${failed(call) ? "is-failed" : ""}">
              <button
                type="button"
                class="row"
                aria-current="${call.id === open ? "true" : null}"
                onClick="${() => onOpen(call.id)}"
              >
                <time datetime="${call.time}">${clock(call.time)}</time>
                <b>${visible(call.tool)}</b> <span>${visible(
                  outcome(call),
                )}</span>
                ${failed(call) && html`
                  <span class="bad">failed</span>
                `}
                <span class="muted">${duration(call.ms)}</span>
              </button>
            </li>
          `
        )}
      </ol>
    </div>
  `;
}

/**
 * @param {{ call: Summary, x: number, y: number, isOpen: boolean, onOpen: (id: string) => void }} props
 * @returns {View}
 */
function Point({ call, x, y, isOpen, onOpen }) {
  const classes = `point ${failed(call) ? "is-failed" : ""} ${
    call.why === "forced" ? "is-forced" : ""
  } ${isOpen ? "is-open" : ""}`;
  return html`
    <g class="${classes}" transform="${`translate(${x} ${y})`}" onClick="${() => onOpen(call.id)}">
      <title>${visible(
        `${clock(call.time)} ${call.tool}: ${outcome(call)}`,
      )}</title>
      <rect
        class="hit"
        x="${-STEP.least / 2}"
        y="${-LANE / 2}"
        width="${STEP.least}"
        height="${LANE}"
      />
      <circle r="6" />
      ${failed(call) && html`
        <path d="M-3 -3 3 3M3 -3 -3 3" />
      `}
    </g>
  `;
}

/** @param {readonly Summary[]} calls How often a tool was left and called again. */
function returnsIn(calls) {
  /** @type {Set<string>} */
  const seen = new Set();
  let returns = 0;
  calls.forEach(({ tool }, index) => {
    if (seen.has(tool) && calls[index - 1]?.tool !== tool) returns++;
    seen.add(tool);
  });
  return returns;
}
