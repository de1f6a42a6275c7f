import { type Call, newestCalls } from "../control/calls.ts";
import { type Follower, followJournal } from "../control/follow_calls.ts";
import { type EventStream, openEventStream, serverSentEvent } from "../http/event_stream.ts";
import { reasonOf } from "../reason.ts";
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
  const pages = new Map<EventStream, "new" | "served">();
  let follower: Follower | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looked = 0;
  /** What pages were told last, by event. */
  const told = new Map<string, string>();

  const event = (name: string, data: unknown) => serverSentEvent(name, writeJson(data));
  const tell = (name: string, data: unknown): void => {
    for (const page of pages.keys()) page.write(event(name, data));
  };
  const tellIfNew = (name: string, data: unknown): void => {
    const text = JSON.stringify(data);
    if (told.get(name) === text) return;
    told.set(name, text);
    tell(name, data);
  };

  const tellCalls = (): void => {
    const { lines, skipped, cleared } = follower!.look(MOST_NEWS);
    if (cleared) tell("cleared", {});
    if (lines.length + skipped > 0) {
      tell("calls", { calls: lines.reverse().map(summaryOf), skipped });
    }
  };
  const tellFiles = async (): Promise<void> => {
    tellIfNew("forced", await showForced(undefined, context));
    tellIfNew("problems", { problems: (await context.library.findings()).map(problemOf) });
  };
  const tick = (): void => {
    try {
      tellCalls();
    } catch (error) {
      context.note(`the console cannot read the journal: ${reasonOf(error)}`);
    }
    if (performance.now() - looked >= FILES_MS) {
      looked = Infinity;
      tellFiles().catch((error) => context.note(`the console cannot look: ${reasonOf(error)}`))
        .finally(() => looked = performance.now());
    }
  };
  const start = (): void => {
    follower = followJournal(context.files.callsPath, "end");
    timer = setInterval(tick, TICK_MS);
    looked = 0;
  };
  const stop = (): void => {
    clearInterval(timer);
    follower?.close();
    timer = follower = undefined;
    told.clear();
  };

  return {
    open() {
      const page = openEventStream(() => {
        pages.delete(page);
        if (pages.size === 0) stop();
      }, PULSE_MS);
      if (pages.size === 0) start();
      pages.set(page, "new");
      const calls: Call[] = [];
      for (const call of newestCalls(context.files.callsPath)) {
        if (calls.push(call) === FIRST_CALLS) break;
      }
      page.write(event("calls", { calls: calls.map(summaryOf), skipped: 0 }));
      for (const [name, text] of told) page.write(event(name, JSON.parse(text)));
      return new Response(page.body, { headers: { "content-type": "text/event-stream" } });
    },
    close() {
      for (const page of [...pages.keys()]) page.close();
    },
  };
}
