import { byCodePoint } from "../go/format.ts";
import type { JsonObject } from "../json.ts";
import type { Journal } from "../control/journal.ts";
import type { Overrides } from "../control/overrides.ts";
import type { Steering } from "../control/steering.ts";
import type { Validate } from "../schema/compile.ts";
import type { FixtureStore, FoundTool } from "../store/store.ts";
import type { RenderEnvironment } from "../template/environment.ts";
import type { Log } from "./log.ts";
import { WIDGET_URI, type WidgetResource, widgetResource } from "./widget.ts";

/** What of the server's appearance can be configured. */
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

/** What a server needs of the world around it. */
export interface Surroundings {
  readonly store: FixtureStore;
  /** Reads what is forced right now; asked at every call. */
  readonly overrides: () => Overrides | Promise<Overrides>;
  /** Says what is to become of each call. */
  readonly steering: Steering;
  /** Where calls are written down, if they are. */
  readonly journal?: Journal;
  readonly environment: RenderEnvironment;
  readonly log: Log;
  /** Answer calls of a broken fixture with the parse error itself. */
  readonly exposeFixtureErrors: boolean;
}

/** A tool as the server knows it from start to end. */
export interface Tool {
  readonly inputSchema: JsonObject;
  /** Validates arguments: `undefined` when they are valid, else what is wrong with them. */
  validate(args: JsonObject): Promise<string | undefined>;
}

/** Everything the sessions of one server share. */
export interface Twin extends Surroundings {
  readonly appearance: Appearance;
  readonly tools: ReadonlyMap<string, Tool>;
  /** The advertised definitions, sorted by name as the Go SDK sorts them. */
  readonly definitions: readonly JsonObject[];
  /** The widget resources, by URI. */
  readonly resources: ReadonlyMap<string, WidgetResource>;
}

/**
 * Puts together what all sessions of a server share. The tool list is fixed from here on. What a
 * client may never ask for, or asks for after the handshake, is prepared when it does.
 *
 * @param appearance What clients see.
 * @param surroundings Fixtures, overrides, clock, random source and log.
 */
export function createTwin(appearance: Appearance, surroundings: Surroundings): Twin {
  const fixtures = [...surroundings.store.fixtures.values()];
  let definitions: readonly JsonObject[] | undefined;
  const resources = appearance.meta ? [widgetResource(appearance.widgetDomain)] : [];
  return {
    ...surroundings,
    appearance,
    tools: new Map(fixtures.map((fixture) => [fixture.tool, toolOf(fixture)])),
    get definitions() {
      definitions ??= fixtures
        .map(({ definition }) => advertised(definition, appearance))
        .sort((a, b) => byCodePoint(String(a.name), String(b.name)));
      return definitions;
    },
    resources: new Map(resources.map((resource) => [WIDGET_URI, resource])),
  };
}

function toolOf(fixture: FoundTool): Tool {
  let validate: Validate | undefined;
  return {
    get inputSchema() {
      return fixture.definition.inputSchema;
    },
    async validate(args) {
      if (validate === undefined) {
        const { compileSchema } = await import("../schema/compile.ts");
        validate ??= compileSchema(fixture.definition.inputSchema);
      }
      return validate(args);
    },
  };
}

/** The definition verbatim, less what flags drop. */
export function advertised(definition: JsonObject, { outputSchema, meta }: Appearance): JsonObject {
  const dropped = new Set([...(outputSchema ? [] : ["outputSchema"]), ...(meta ? [] : ["_meta"])]);
  if (dropped.size === 0) return definition;
  return Object.fromEntries(Object.entries(definition).filter(([key]) => !dropped.has(key)));
}
