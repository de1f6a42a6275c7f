/** The module of the MCP SDK that declares its schemas, as the bundler names it in a comment. */
const SDK_TYPES = /@modelcontextprotocol\/sdk\/[^/]+\/dist\/esm\/types\.js$/;

/** A declaration up to its last line, the first that is not indented and ends with a semicolon. */
const SCHEMA = /^var (\w+Schema\d*) = (.*|.*\n(?:.*\n)*?\S.*);$/gm;

/**
 * Marks the schemas of the MCP SDK as free of side effects, so that the bundler leaves out those
 * that nothing uses, which is two in three. It could not tell by itself: each is made by calls.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { markSchemas } from "./mark_schemas.ts";
 *
 * const path = "// npm/@modelcontextprotocol/sdk/1.0.0/dist/esm/types.js";
 * const { source, count } = markSchemas(`${path}\nvar TaskSchema = object({\n  id: string()\n});`);
 * assert.equal(count, 1);
 * assert(source.endsWith("= /* @__PURE__ *\/ (() => object({\n  id: string()\n}))();"));
 * ```
 *
 * @param bundle A file that the bundler wrote, not minified.
 * @returns The file with the marks, and how many there are.
 */
export function markSchemas(bundle: string): { readonly source: string; readonly count: number } {
  let count = 0;
  const mark = (_: string, name: string, value: string): string => {
    count++;
    return `var ${name} = /* @__PURE__ */ (() => ${value})();`;
  };
  const sections = bundle.split(/^(?=\/\/ \S+$)/m).map((section) => {
    const path = section.slice(0, section.indexOf("\n"));
    return SDK_TYPES.test(path) ? section.replace(SCHEMA, mark) : section;
  });
  return { source: sections.join(""), count };
}
