import vendor from "htm/preact/standalone" with { type: "text" };
import index from "./page/index.html" with { type: "text" };
import main from "./page/main.js" with { type: "text" };
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
  ["/page/main.js", script(main)],
  // The file in the folder is for the type checker; what is served is the package's own.
  ["/page/vendor.js", script(vendor)],
]);
