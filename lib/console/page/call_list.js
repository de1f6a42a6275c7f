import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor.js";
import { clientText, clock, duration, failed, outcome, visible } from "./words.js";

/** @import { Summary } from "./types.d.ts" */
/** @import { View } from "./vendor.d.ts" */

/** Below this many pixels a row has two lines. */
const NARROW = 560;
const HEAD = 30;
/** Rows beyond both ends of what is seen. */
const MARGIN = 12;

/**
 * The newest call first, in a table of which only what is seen is built.
 *
 * @param {object} props
 * @param {readonly Summary[]} props.calls The newest last.
 * @param {string} props.open The id of the call that is open.
 * @param {(id: string, inPlace?: boolean) => void} props.onOpen
 * @param {() => void} props.onEnd Is told when the oldest are near.
 * @param {string} props.resetKey Another one begins at the top.
 * @returns {View}
 */
export function CallList({ calls, open, onOpen, onEnd, resetKey }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [{ top, height, width }, setView] = useState({
    top: 0,
    height: 600,
    width: 1000,
  });
  const [active, setActive] = useState("");
  const anchor = useRef({ id: "", offset: 0 });

  const rowHeight = width < NARROW ? 46 : 28;
  const total = calls.length;
  /** @param {number} row */
  const at = (row) => calls[total - 1 - row];
  /** @param {string} id */
  const rowOf = (id) => {
    for (let row = 0; row < total; row++) if (at(row)?.id === id) return row;
    return -1;
  };

  const measure = () => {
    const { current } = box;
    if (current === null) return;
    const next = {
      top: current.scrollTop,
      height: current.clientHeight,
      width: current.clientWidth,
    };
    setView((now) =>
      now.top === next.top && now.height === next.height &&
        now.width === next.width
        ? now
        : next
    );
  };
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0;
    anchor.current = { id: "", offset: 0 };
    measure();
  }, [resetKey]);

  // What someone reads stays where it is while calls come in above it.
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || anchor.current.id === "") return;
    const row = rowOf(anchor.current.id);
    if (row >= 0) current.scrollTop = row * rowHeight + anchor.current.offset;
    measure();
  }, [calls]);

  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const last = Math.min(total, Math.ceil((top + height) / rowHeight) + MARGIN);

  const onScroll = () => {
    const { current } = box;
    if (current === null) return;
    keepPlace(current);
    measure();
  };
  useEffect(() => {
    if (last >= total - MARGIN) onEnd();
  }, [last, total]);

  /** @param {HTMLElement} current */
  const keepPlace = (current) => {
    const row = Math.floor(current.scrollTop / rowHeight);
    const isFollowing = current.scrollTop < 2 &&
      !current.contains(document.activeElement);
    anchor.current = isFollowing
      ? { id: "", offset: 0 }
      : { id: at(row)?.id ?? "", offset: current.scrollTop - row * rowHeight };
  };

  /** @param {number} row */
  const goTo = (row) => {
    const { current } = box;
    const call = at(Math.max(0, Math.min(total - 1, row)));
    if (current === null || call === undefined) return;
    const place = rowOf(call.id) * rowHeight;
    const room = current.clientHeight - HEAD - rowHeight;
    if (place < current.scrollTop) current.scrollTop = place;
    if (place > current.scrollTop + room) current.scrollTop = place - room;
    setActive(call.id);
    keepPlace(current);
    measure();
    if (open !== "") onOpen(call.id, true);
    requestAnimationFrame(() => {
      const link = current.querySelector(`[data-id="${CSS.escape(call.id)}"]`);
      if (link instanceof HTMLElement) link.focus({ preventScroll: true });
    });
  };

  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const row = rowOf(active);
    const page = Math.max(1, Math.floor((height - HEAD) / rowHeight) - 1);
    const moves = new Map([
      ["ArrowDown", row + 1],
      ["ArrowUp", row - 1],
      ["PageDown", row + page],
      ["PageUp", row - page],
      ["Home", 0],
      ["End", total - 1],
    ]);
    const next = moves.get(event.key);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    goTo(next);
  };

  /** @param {MouseEvent} event @param {string} id */
  const onClick = (event, id) => {
    if (
      event.ctrlKey || event.metaKey || event.shiftKey ||
      getSelection()?.type === "Range"
    ) return;
    event.preventDefault();
    setActive(id);
    onOpen(id, open !== "");
  };

  const rows = [];
  const tabStop = rowOf(active) >= first && rowOf(active) < last ? active : at(first)?.id;
  for (let row = first; row < last; row++) {
    const call = at(row);
    if (call === undefined) continue;
    rows.push(html`
      <${Row}
        key="${call.id}"
        call="${call}"
        row="${row}"
        isOpen="${call.id === open}"
        isTabStop="${call.id === tabStop}"
        onClick="${onClick}"
        onFocus="${setActive}"
      />
    `);
  }
  const isAway = anchor.current.id !== "" && top > rowHeight;
  return html`
    <div class="list">
      <div
        class="scroll"
        ref="${box}"
        onScroll="${onScroll}"
        onFocusin="${onScroll}"
        onKeyDown="${onKeyDown}"
      >
        <table
          class="calls"
          aria-rowcount="${total + 1}"
          aria-label="Calls, the newest first"
        >
          <thead>
            <tr aria-rowindex="1">
              <th class="c-time" scope="col">Time</th>
              <th class="c-client" scope="col">Client</th>
              <th class="c-tool" scope="col">Tool</th>
              <th class="c-outcome" scope="col">Scenario</th>
              <th class="c-why" scope="col">Why</th>
              <th class="c-ms" scope="col">Took</th>
              <th class="c-arguments" scope="col">Arguments</th>
            </tr>
          </thead>
          <tbody>
            <tr class="space" aria-hidden="true">
              <td style="${{
                height: `${first * rowHeight}px`,
              }}"></td>
            </tr>
            ${rows}
            <tr class="space" aria-hidden="true">
              <td style="${{
                height: `${(total - last) * rowHeight}px`,
              }}"></td>
            </tr>
          </tbody>
        </table>
      </div>
      ${isAway && html`
        <button type="button" class="to-top" onClick="${() => {
          if (box.current !== null) box.current.scrollTop = 0;
        }}">
          ↑ To the newest
        </button>
      `}
    </div>
  `;
}

/**
 * @param {object} props
 * @param {Summary} props.call
 * @param {number} props.row
 * @param {boolean} props.isOpen
 * @param {boolean} props.isTabStop
 * @param {(event: MouseEvent, id: string) => void} props.onClick
 * @param {(id: string) => void} props.onFocus
 * @returns {View}
 */
function Row({ call, row, isOpen, isTabStop, onClick, onFocus }) {
  const isFailed = failed(call);
  const answer = outcome(call);
  const why = call.why ?? (call.pending ? "waits" : "");
  const classes = [
    isFailed ? "is-failed" : "",
    isOpen ? "is-open" : "",
    call.pending ? "is-pending" : "",
  ];
  return html`
    <tr class="${classes.join(" ")}" aria-rowindex="${row + 2}" onClick="${(
      /** @type {MouseEvent} */ event,
    ) => onClick(event, call.id)}">
      <td class="c-time">
        <time datetime="${call.time}" title="${call.time}">${clock(
          call.time,
        )}</time>
      </td>
      <td class="c-client">${visible(clientText(call))}</td>
      <td class="c-tool">
        <a
          href="${`#/calls/${encodeURIComponent(call.id)}`}"
          data-id="${call.id}"
          tabindex="${isTabStop ? 0 : -1}"
          aria-current="${isOpen ? "true" : null}"
          onFocus="${() => onFocus(call.id)}"
        >${isFailed && html`
          <span class="mark" role="img" aria-label="Failed">✕</span>
        `}${visible(call.tool)}</a><span class="under">${visible(answer)} · ${why}</span>
      </td>
      <td class="c-outcome">${visible(answer)}</td>
      <td class="c-why"><span class="${`why why-${why}`}">${why}</span></td>
      <td class="c-ms">${call.pending ? "…" : duration(call.ms)}</td>
      <td class="c-arguments"><bdi>${visible(call.arguments ?? "")}</bdi></td>
    </tr>
  `;
}
