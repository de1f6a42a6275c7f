import type { JsonObject, JsonValue } from "../json.ts";
import { locateJsonError } from "../json_error.ts";
import { insertion } from "./_insertion.ts";
import type { RenderEnvironment } from "./environment.ts";
import { type Template, TemplateError } from "./template.ts";

/**
 * Renders a template: replaces every placeholder in one pass, then parses the JSON. A value from
 * the caller is inserted as JSON or as an escaped piece of a JSON string, so it cannot change the
 * structure around it; braces inside it are not read again. All times of one rendering are one
 * instant.
 *
 * Source: docs/SPEC.md, section 5.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { systemEnvironment } from "./environment.ts";
 * import { renderTemplate } from "./render.ts";
 * import { scanTemplate } from "./scan.ts";
 *
 * const template = scanTemplate('{"id": {{args.id}}}');
 * assert(JSON.stringify(renderTemplate(template, { id: 5 }, systemEnvironment)) === '{"id":5}');
 * ```
 *
 * @throws {TemplateError} When the result is not valid JSON; the offset is the template's own.
 */
export function renderTemplate(
  template: Template,
  args: JsonObject,
  environment: RenderEnvironment,
): JsonValue {
  const now = environment.now();
  const pieces = template.segments.map((segment) => {
    if (segment.kind === "text") return segment.text;
    return insertion(segment, args, now, environment);
  });
  try {
    return JSON.parse(pieces.join(""));
  } catch {
    throw jsonProblem(template, pieces);
  }
}

/** Finds where the rendered text stops being JSON and says so in the template's own terms. */
function jsonProblem(template: Template, pieces: readonly string[]): TemplateError {
  const { message, offset } = locateJsonError(pieces.join(""));
  let rendered = 0;
  let source = 0;
  for (const [index, segment] of template.segments.entries()) {
    const piece = pieces[index]!;
    if (segment.kind === "text") {
      if (offset < rendered + piece.length) {
        return new TemplateError(message, source + offset - rendered);
      }
      source += piece.length;
    } else {
      if (offset < rendered + piece.length) return new TemplateError(message, source);
      source += segment.length;
    }
    rendered += piece.length;
  }
  return new TemplateError(message, source);
}
