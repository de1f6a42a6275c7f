import type { Expression } from "./expression.ts";

/** A stretch of template text that is copied as it is. */
export interface TextSegment {
  readonly kind: "text";
  readonly text: string;
}

/** A `{{ expr }}` of a template. */
export interface PlaceholderSegment {
  readonly kind: "placeholder";
  readonly expression: Expression;
  /** Whether it stands inside a JSON string, where its value is inserted as escaped text. */
  readonly inString: boolean;
  /** Offset of the opening braces in the template's source. */
  readonly offset: number;
  /** Length from the opening braces to the closing ones, both included. */
  readonly length: number;
}

/** A JSON template (docs/SPEC.md, section 5), scanned once and rendered many times. */
export interface Template {
  readonly segments: readonly (TextSegment | PlaceholderSegment)[];
}

/**
 * The argument that a placeholder inserts: for `check` and renames, which have to know of every one.
 * In a text they find it by `{{args.`.
 *
 * @returns Its path; `undefined` where the segment inserts none.
 */
export function argumentPath(
  segment: TextSegment | PlaceholderSegment,
): readonly string[] | undefined {
  const isArgument = segment.kind === "placeholder" && segment.expression.kind === "args";
  return isArgument ? segment.expression.path : undefined;
}

/** Whether a template's answers hold random numbers. */
export function hasRandom({ segments }: Template): boolean {
  return segments.some((segment) =>
    segment.kind === "placeholder" && segment.expression.kind === "rand"
  );
}

/** A problem of a template, with where it is. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";

  /** @param offset Offset into the template's source, in UTF-16 code units. */
  constructor(message: string, readonly offset: number) {
    super(message);
  }
}
