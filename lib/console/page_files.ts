import vendor from "htm/preact/standalone" with { type: "text" };
import index from "./page/index.html" with { type: "text" };
import api from "./page/api.js" with { type: "text" };
import call from "./page/call.js" with { type: "text" };
import callList from "./page/call_list.js" with { type: "text" };
import calls from "./page/calls.js" with { type: "text" };
import form from "./page/form.js" with { type: "text" };
import journey from "./page/journey.js" with { type: "text" };
import json from "./page/json.js" with { type: "text" };
import main from "./page/main.js" with { type: "text" };
import parts from "./page/parts.js" with { type: "text" };
import problems from "./page/problems.js" with { type: "text" };
import route from "./page/route.js" with { type: "text" };
import save from "./page/save.js" with { type: "text" };
import steps from "./page/steps.js" with { type: "text" };
import store from "./page/store.js" with { type: "text" };
import tool from "./page/tool.js" with { type: "text" };
import tools from "./page/tools.js" with { type: "text" };
import widget from "./page/widget.js" with { type: "text" };
import words from "./page/words.js" with { type: "text" };
import style from "./page/style.css" with { type: "text" };

/** A file of the page. */
export interface PageFile {
  readonly text: string;
  readonly type: string;
}

const script = (text: string): PageFile => ({ text, type: "text/javascript; charset=utf-8" });

/** Stands in the page for the token of this start. */
export const TOKEN = "%TOKEN%";

/** All of the page, by path; nothing else of it is read. */
export const PAGE_FILES: ReadonlyMap<string, PageFile> = new Map([
  ["/", { text: index, type: "text/html; charset=utf-8" }],
  ["/page/style.css", { text: style, type: "text/css; charset=utf-8" }],
  ["/page/api.js", script(api)],
  ["/page/call.js", script(call)],
  ["/page/call_list.js", script(callList)],
  ["/page/calls.js", script(calls)],
  ["/page/form.js", script(form)],
  ["/page/journey.js", script(journey)],
  ["/page/json.js", script(json)],
  ["/page/main.js", script(main)],
  ["/page/parts.js", script(parts)],
  ["/page/problems.js", script(problems)],
  ["/page/route.js", script(route)],
  ["/page/save.js", script(save)],
  ["/page/steps.js", script(steps)],
  ["/page/store.js", script(store)],
  ["/page/tool.js", script(tool)],
  ["/page/tools.js", script(tools)],
  ["/page/widget.js", script(widget)],
  ["/page/words.js", script(words)],
  // The file in the folder is for the type checker; what is served is the package's own.
  ["/page/vendor.js", script(vendor)],
]);
