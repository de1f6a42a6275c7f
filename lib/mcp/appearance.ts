/** What of the server's appearance can be configured (BUILD.md §3). */
export interface Appearance {
  /** `serverInfo.name`. */
  readonly name: string;
  /** `serverInfo.version`. */
  readonly version: string;
  /** Origin the widget page is loaded from, such as `https://careem-mcp-app.pages.dev`. */
  readonly widgetDomain: string;
  /** Whether tools are listed with their `outputSchema`. */
  readonly outputSchema: boolean;
  /** Whether tools are listed with their `_meta`, and the widget resource exists. */
  readonly meta: boolean;
}

/** Production's own appearance. */
export const PRODUCTION: Appearance = {
  name: "careem-mcp-service",
  version: "v1.0.0",
  widgetDomain: "https://careem-mcp-app.pages.dev",
  outputSchema: true,
  meta: true,
};
