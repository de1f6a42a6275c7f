import type { JsonObject } from "../json.ts";

/** The URI that tools' `_meta.ui.resourceUri` points at. */
export const WIDGET_URI = "ui://careem-mcp-app";

/** An MCP Apps HTML resource: how it is listed and what it holds. */
export interface WidgetResource {
  /** The entry of `resources/list`. */
  readonly listed: JsonObject;
  /** The content of `resources/read`. */
  readonly content: JsonObject;
}

const MIME_TYPE = "text/html;profile=mcp-app";
const TITLE = "Careem";
const DESCRIPTION =
  "Shows Careem results inside the conversation: restaurants and menus, baskets, orders, rides " +
  "and payment methods.";

/**
 * The widget that hosts render beside a tool's result. The page loads the app from the widget
 * domain in the host's own frame; this server fetches nothing.
 *
 * Source: the MCP Apps specification (`ui` metadata) and the Apps SDK reference (`openai/widget…`
 * metadata), which say the same things under different names.
 *
 * @param domain The widget's origin, without a slash at the end.
 */
export function widgetResource(domain: string): WidgetResource {
  const meta: JsonObject = {
    ui: {
      csp: { connectDomains: [domain], resourceDomains: [domain] },
      domain,
      prefersBorder: true,
    },
    "openai/widgetDomain": domain,
    "openai/widgetCSP": { connect_domains: [domain], resource_domains: [domain] },
    "openai/widgetDescription": DESCRIPTION,
    "openai/widgetPrefersBorder": true,
  };
  return {
    listed: {
      uri: WIDGET_URI,
      name: "careem-mcp-app",
      title: TITLE,
      description: DESCRIPTION,
      mimeType: MIME_TYPE,
      _meta: meta,
    },
    content: { uri: WIDGET_URI, mimeType: MIME_TYPE, text: page(domain), _meta: meta },
  };
}

function page(domain: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="stylesheet" href="${domain}/assets/app.css">
</head>
<body>
<div id="root"></div>
<script type="module" src="${domain}/assets/app.js"></script>
</body>
</html>
`;
}
