/** How RE2 names a group, beside JavaScript's way. */
const NAMED_GROUP = /\(\?P</g;

/** Flags that Go's regular expressions carry inside the pattern: `(?i)^abc`. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/;

/**
 * Compiles a schema's `pattern`. Production compiles it with Go's RE2, whose dialect is close to
 * JavaScript's: what the strict Unicode mode refuses (`\-`, say) is compiled without it, and
 * leading flags become the expression's own, and groups are named as JavaScript names them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compilePattern } from "./_pattern.ts";
 *
 * assert(compilePattern("(?i)^abc").test("ABCD"));
 * ```
 *
 * @param source The pattern as the schema has it.
 * @returns The compiled expression.
 * @throws {SyntaxError} When JavaScript cannot read the pattern.
 */
export function compilePattern(source: string): RegExp {
  const flags = LEADING_FLAGS.exec(source)?.[1] ?? "";
  const body = source.replace(LEADING_FLAGS, "").replace(NAMED_GROUP, "(?<");
  try {
    return new RegExp(body, `u${flags}`);
  } catch {
    return new RegExp(body, flags);
  }
}
