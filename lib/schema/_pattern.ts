/** How RE2 names a group, beside JavaScript's way; and what may hold the same letters. */
const NAMED_GROUP = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?P</gs;

/** Flags that Go's regular expressions carry inside the pattern: `(?i)^abc`. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/;

/**
 * Compiles a schema's `pattern`. Production compiles it with Go's RE2, whose dialect is close to
 * JavaScript's: what the strict Unicode mode refuses (`\-`, say) is compiled without it, and
 * leading flags become the expression's own; groups get JavaScript's names.
 *
 * @throws {SyntaxError} When JavaScript cannot read the pattern.
 */
export function compilePattern(source: string): RegExp {
  let pattern = compiled.get(source);
  if (pattern === undefined) compiled.set(source, pattern = compile(source));
  return pattern;
}

/** Patterns come from schemas, so there are few; a value may have to be tried on one many times. */
const compiled = new Map<string, RegExp>();

function compile(source: string): RegExp {
  const flags = LEADING_FLAGS.exec(source)?.[1] ?? "";
  const body = source.replace(LEADING_FLAGS, "").replace(
    NAMED_GROUP,
    (part) => part === "(?P<" ? "(?<" : part,
  );
  try {
    return new RegExp(body, `u${flags}`);
  } catch {
    return new RegExp(body, flags);
  }
}
