import type { Scenario } from "../fixture/fixture.ts";
import { isTitled, placeOf } from "../fixture/written.ts";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { tryCall } from "../mcp/try_call.ts";
import { advertised } from "../mcp/twin.ts";
import { WIDGET_URI, widgetResource } from "../mcp/widget.ts";
import { plain } from "../plain.ts";
import { addScenario, exchangeOf } from "../produce/add.ts";
import { reasonOf } from "../reason.ts";
import { Refusal } from "../refusal.ts";
import { matchText } from "../scenario/match_text.ts";
import { defaultScenario, findScenario, isByForce } from "../scenario/select.ts";
import { sampleArguments } from "../schema/sample.ts";
import { finishAside, type Steps } from "../steps.ts";
import { hasByForce, knownTools } from "../store/folder.ts";
import { requireScenario, requireTool } from "../store/lookup.ts";
import { replaceFile } from "../store/replace_file.ts";
import { callOf } from "./calls_api.ts";
import type { ApiRequest, Context } from "./context.ts";
import { placeOfFile, problemOf } from "./views.ts";

/** Lists the tools, also those whose file cannot be used. */
export async function listTools(_request: ApiRequest, { library }: Context): Promise<unknown> {
  const folder = await library.folder();
  const tools = [...knownTools(folder)].map(([name, fixture]) => {
    if (fixture === undefined) {
      const problem = folder.problems.find(({ path }) => path.endsWith(`${name}.md`));
      return { name, scenarios: 0, isBroken: problem?.message ?? "its file cannot be used" };
    }
    const { domain, definition: { title, description }, scenarios } = fixture;
    return {
      name,
      title: textOr(title, name),
      domain,
      description: textOr(description, ""),
      scenarios: scenarios.length,
    };
  });
  return { tools };
}

function textOr(value: JsonValue | undefined, other: string): string {
  return typeof value === "string" ? value : other;
}

/** Shows a tool and all its scenarios. */
export async function showTool(
  { params: [name = ""] }: ApiRequest,
  context: Context,
): Promise<unknown> {
  const fixture = requireTool(await context.library.folder(), name);
  const { tool, domain, definition } = fixture;
  const written = context.library.written(fixture);
  return {
    name: tool,
    title: textOr(definition.title, tool),
    domain,
    file: placeOfFile(fixture, context),
    definition: advertised(definition, context.appearance),
    sample: sampleArguments(definition.inputSchema),
    scenarios: fixture.scenarios.map((scenario) => ({
      name: scenario.name,
      line: scenario.line,
      about: written.get(scenario)!.about,
      prose: written.get(scenario)!.parts.prose,
      match: scenario.match ?? null,
      default: scenario === defaultScenario(fixture),
      isError: scenario.isError,
      byForce: isByForce(scenario, fixture),
    })),
  };
}

/** Finds a word in the names, prose, rules and answers of all tools. */
export async function find({ query }: ApiRequest, { library }: Context): Promise<unknown> {
  const word = query.get("q") ?? "";
  if (word.trim() === "") throw new Refusal("usage", "`q` must name what is looked for");
  const { fixtures } = await library.folder();
  return { found: await finishAside(search()) };

  function* search(): Steps<unknown[]> {
    const found: unknown[] = [];
    for (const fixture of fixtures.values()) {
      yield;
      for (const [scenario, text] of library.written(fixture)) {
        const place = isTitled(fixture, word) ? "name" : placeOf(word, text);
        const { tool } = fixture;
        const { name, line } = scenario;
        if (place !== undefined) {
          found.push({ tool, scenario: name, line, about: text.about, in: place });
        }
      }
    }
    return found;
  }
}

/** Answers a call as a server would, without forcing, delay or journal. */
export async function preview({ body }: ApiRequest, context: Context): Promise<unknown> {
  const folder = await context.library.folder();
  const fixture = requireTool(folder, textOf(body, "tool"));
  const forced = own(body, "scenario") === undefined
    ? undefined
    : requireScenario(fixture, textOf(body, "scenario")).name;
  const args = own(body, "arguments") ?? {};
  const { result, call } = await tryCall(
    folder.fixtures,
    fixture.tool,
    args,
    forced ?? { entries: new Map(), problems: [] },
  );
  const scenario: Scenario | undefined = call.scenario === undefined
    ? undefined
    : findScenario(fixture, call.scenario);
  return {
    scenario: scenario?.name ?? null,
    why: call.why,
    ...(call.rule !== undefined && { rule: call.rule }),
    file: placeOfFile(fixture, context),
    line: scenario?.line ?? fixture.definitionLine,
    result,
    ...(call.problem !== undefined && { problem: call.problem }),
  };
}

/** Makes a scenario of a call of the journal. */
export async function saveScenario({ body }: ApiRequest, context: Context): Promise<unknown> {
  const { files, library } = context;
  if (files.embedded) {
    throw new Refusal(
      "conflict",
      "the tool files are those that come with the program; write them to disk, and edit those",
      ["eject"],
    );
  }
  const folder = await library.folder();
  const { tool, path } = requireTool(folder, textOf(body, "tool"));
  const id = textOf(body, "call");
  const exchange = exchangeOf(await callOf(id, context), id, tool);
  const before = Deno.readTextFileSync(path);
  const { text, line, section, rule, changes, findings } = addScenario(before, path, {
    name: textOf(body, "name"),
    exchange,
    match: own(body, "match") === undefined ? undefined : textOf(body, "match"),
    literal: isTrue(body, "literal"),
    hasByForce: hasByForce(folder),
  });
  if (!isTrue(body, "dryRun")) write(path, text);
  return {
    file: path,
    line,
    how: rule === undefined ? "by force alone" : `when ${matchText(rule)}`,
    text: section,
    changes,
    findings: findings.map(problemOf),
  };
}

function write(path: string, text: string): void {
  try {
    replaceFile(path, text);
  } catch (error) {
    throw new Refusal("conflict", `${path} cannot be written: ${reasonOf(error)}`);
  }
}

/** Shows the widget's resource. */
export function showWidget(_request: ApiRequest, context: Context): unknown {
  const { html, ui } = widgetOf(context);
  const { csp, prefersBorder } = ui;
  return { uri: WIDGET_URI, html, csp: csp ?? {}, prefersBorder: prefersBorder === true };
}

/** The widget's page as a host would serve it: sandboxed, and with no more than its CSP allows. */
export function showWidgetFrame(_request: ApiRequest, context: Context): Response {
  const { html, ui } = widgetOf(context);
  const csp = isJsonObject(ui.csp) ? ui.csp : {};
  const domains = (name: string): string =>
    [own(csp, name) ?? []].flat().filter((one) =>
      typeof one === "string" && /^[\w.:/*-]+$/.test(one)
    )
      .join(" ") || "'none'";
  const resources = domains("resourceDomains");
  const policy = [
    "default-src 'none'",
    `script-src ${resources} 'unsafe-inline'`,
    `style-src ${resources} 'unsafe-inline'`,
    `img-src ${resources} data:`,
    `font-src ${resources}`,
    `media-src ${resources} data:`,
    `connect-src ${domains("connectDomains")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join("; ");
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}

function widgetOf({ appearance }: Context): { html: string; ui: JsonObject } {
  if (!appearance.meta) throw new Refusal("missing", "the server has no widget (--no-meta)");
  const { text, _meta } = widgetResource(appearance.widgetDomain).content;
  return { html: String(text), ui: (_meta as { ui: JsonObject }).ui };
}

/** A text that a body must have. */
function textOf(body: JsonObject, name: string): string {
  const value = own(body, name);
  if (typeof value === "string") return value;
  throw new Refusal(
    "usage",
    `\`${name}\` must be a text, which it is not${
      value === undefined ? "" : `: ${plain(JSON.stringify(value)).slice(0, 80)}`
    }`,
  );
}

function isTrue(body: JsonObject, name: string): boolean {
  return own(body, name) === true;
}
