import { type Call, newestCalls } from "../control/calls.ts";
import { countedSince } from "../control/entry_text.ts";
import { type Follower, followJournal } from "../control/follow_calls.ts";
import { ANY_TOOL } from "../control/overrides.ts";
import { readOverrides } from "../control/overrides_file.ts";
import { type EventStream, openEventStream, serverSentEvent } from "../http/event_stream.ts";
import { reasonOf } from "../reason.ts";
import type { Folder } from "../store/folder.ts";
import { isTrusted, sameStamp, type Stamp, stampOf } from "../store/stamp.ts";
import { writeJson } from "../wire_json.ts";
import type { Context } from "./context.ts";
import { showForced } from "./forced_api.ts";
import { problemOf, summaryOf } from "./views.ts";

/** How often is looked for calls. */
const TICK_MS = 250;
/** How often is looked at the tool files and at what is forced. */
const FILES_MS = 1_000;
/** What of a tick's calls is shown at most: the rest is only counted. */
const MOST_NEWS = { lines: 250, bytes: 512 * 1024 };
/** How many calls a page is shown at first. */
const FIRST_CALLS = 200;
/** How often a stream says that it is still there. */
const PULSE_MS = 15_000;

/** Tells pages what happens, and does nothing as long as there is none. */
export interface Events {
  /** Opens the stream of one page. */
  open(): Response;
  /** Ends all streams. */
  close(): void;
}

/** Makes what tells all pages of a console; it looks once for all of them. */
export function createEvents(context: Context): Events {
  const pages = new Set<EventStream>();
  let follower: Follower | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  /** When the files were looked at last; `Infinity` while that is going on. */
  let looked = -Infinity;
  /** What pages know of what is forced comes from this folder and this state of the file. */
  let forcedBy: { folder: Folder; stamp: Stamp | undefined } | undefined;
  /** Tells of calls whether an entry that counts is further by them. */
  let counted: ((call: Call) => boolean) | undefined;
  let isMoved = false;
  /** What pages were told last, by event. */
  const told = new Map<string, string>();
  let trouble = "";

  const complain = (error: unknown): void => {
    const message = `the console cannot look: ${reasonOf(error)}`;
    if (message !== trouble) context.note(message);
    trouble = message;
  };
  const event = (name: string, data: unknown) => serverSentEvent(name, writeJson(data));
  const tell = (name: string, data: unknown): void => {
    for (const page of pages) page.write(event(name, data));
  };
  const tellIfNew = (name: string, data: unknown): void => {
    const text = JSON.stringify(data);
    if (pages.size === 0 || told.get(name) === text) return;
    told.set(name, text);
    tell(name, data);
  };

  const tellCalls = (): void => {
    const { lines, skipped, cleared } = follower!.look(MOST_NEWS);
    if (cleared) tell("cleared", {});
    isMoved ||= lines.some((call) => counted?.(call));
    if (lines.length + skipped > 0) {
      tell("calls", { calls: lines.reverse().map(summaryOf), skipped });
    }
  };
  const tellFiles = async (): Promise<void> => {
    const folder = await context.library.folder();
    const stamp = stampOf(context.files.overridesPath);
    const isSame = folder === forcedBy?.folder && sameStamp(stamp, forcedBy.stamp) &&
      (stamp === undefined || isTrusted(stamp, Date.now()));
    if (!isSame || isMoved) {
      isMoved = false;
      if (!isSame) counted = countingOf(context.files.overridesPath);
      forcedBy = { folder, stamp };
      tellIfNew("forced", await showForced(undefined, context));
    }
    tellIfNew("problems", { problems: (await context.library.findings()).map(problemOf) });
  };
  const tick = (): void => {
    try {
      tellCalls();
    } catch (error) {
      complain(error);
    }
    if (performance.now() - looked < FILES_MS) return;
    looked = Infinity;
    tellFiles().catch(complain).finally(() => looked = performance.now());
  };
  const stop = (): void => {
    clearInterval(timer);
    follower?.close();
    follower = forcedBy = undefined;
    told.clear();
  };
  const newest = (): Call[] => {
    try {
      return [...newestCalls(context.files.callsPath).take(FIRST_CALLS)];
    } catch (error) {
      complain(error);
      return [];
    }
  };

  return {
    open() {
      const page = openEventStream(() => {
        pages.delete(page);
        if (pages.size === 0) stop();
      }, PULSE_MS);
      if (pages.size === 0) {
        follower = followJournal(context.files.callsPath, "end");
        timer = setInterval(tick, TICK_MS);
      }
      pages.add(page);
      page.write(event("calls", { calls: newest().map(summaryOf), skipped: 0 }));
      for (const [name, text] of told) page.write(event(name, JSON.parse(text)));
      tick();
      return new Response(page.body, { headers: { "content-type": "text/event-stream" } });
    },
    close() {
      for (const page of [...pages]) page.close();
    },
  };
}

/**
 * Makes what tells whether a call moves an entry of the overrides file that counts. Only as many do
 * as the entry has places, so that a list that came to its end costs nothing.
 */
function countingOf(overridesPath: string): (call: Call) => boolean {
  const { entries } = readOverrides(overridesPath);
  const left = new Map(
    [...entries].filter(([key, entry]) => countedSince(key, entry) !== undefined)
      .map(([key, { steps }]) => [key, steps.reduce((sum, { times = 1 }) => sum + times, 0)]),
  );
  return ({ tool }) => {
    const key = entries.has(tool) ? tool : ANY_TOOL;
    const places = left.get(key) ?? 0;
    left.set(key, places - 1);
    return places > 0;
  };
}
