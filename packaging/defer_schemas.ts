/** The module of the MCP SDK that declares its schemas, as the bundler names it in a comment. */
const SDK_TYPES = /@modelcontextprotocol\/sdk\/[^/]+\/dist\/esm\/types\.js$/;

/** A declaration up to its last line, the first that is not indented and ends with a semicolon. */
const SCHEMA = /^var (\w+Schema\d*) = (.*|.*\n(?:.*\n)*?\S.*);$/gm;

/**
 * Has the schemas of the MCP SDK made when they are first used. It declares some 160 of them, each
 * made by calls as the SDK is loaded, of which a server uses a dozen. The bundler then leaves out
 * those that nothing refers to, which is most; it could not tell by itself.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { deferSchemas } from "./defer_schemas.ts";
 *
 * const path = "// npm/@modelcontextprotocol/sdk/1.0.0/dist/esm/types.js";
 * const use = "var isTask = (value) => TaskSchema.safeParse(value).success;";
 * const { source, count } = deferSchemas(`${path}\nvar TaskSchema = object({});\n${use}`);
 * assert.equal(count, 1);
 * assert(source.includes("= /* @__PURE__ *\/ ((made) => () => made ??= object({}))();"));
 * assert(source.endsWith("TaskSchema().safeParse(value).success;"));
 * ```
 *
 * @param bundle A file that the bundler wrote, not minified.
 * @returns The file with functions in place of the schemas, and how many there are.
 * @throws {Error} When another file of the bundle uses one of them.
 */
export function deferSchemas(bundle: string): { readonly source: string; readonly count: number } {
  const sections = bundle.split(/^(?=\/\/ \S+$)/m);
  const names = sections.flatMap((section) =>
    isSdkTypes(section) ? [...section.matchAll(SCHEMA)].map(([, name]) => name!) : []
  );
  if (names.length === 0) return { source: bundle, count: 0 };
  const shared = exportedNames(bundle).find((name) => names.includes(name));
  if (shared !== undefined) throw new Error(`${shared} is used by another file of the bundle`);
  // What follows a dot is a property, unless it is the last of three, which spread.
  const use = new RegExp(
    `(?<!var |[\\w$]|(?<!\\.\\.)\\.)(?:${names.join("|")})(?![\\w$])`,
    "g",
  );
  const source = sections.map((section) => {
    const code = section.replace(use, "$&()");
    return isSdkTypes(section) ? code.replace(SCHEMA, deferred) : code;
  }).join("");
  return { source, count: names.length };
}

function isSdkTypes(section: string): boolean {
  return SDK_TYPES.test(section.slice(0, section.indexOf("\n")));
}

function deferred(_declaration: string, name: string, value: string): string {
  return `var ${name} = /* @__PURE__ */ ((made) => () => made ??= ${value})();`;
}

/** What a file exports, by the names that things have in it. */
function exportedNames(bundle: string): string[] {
  const [, list = ""] = /^export \{([^}]*)\};$/m.exec(bundle) ?? [];
  return list.split(",").map((entry) => entry.trim().replace(/ as .*/, ""));
}
