import assert from "node:assert/strict";
import { checkFixture, checkFolder } from "../../lib/check/check.ts";
import { checkOverrides } from "../../lib/check/check_overrides.ts";
import { BANNED_WORDS, findBannedWords } from "../../lib/check/check_words.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import type { JsonObject } from "../../lib/json.ts";
import { type Folder, readFolder } from "../../lib/store/folder.ts";
import { systemEnvironment } from "../../lib/template/environment.ts";
import {
  FIND_DISH,
  LIBRARY,
  lineOf,
  makeProject,
  toolFile,
  type WrittenScenario,
} from "./_program.ts";

const REST: WrittenScenario = { name: "rest", response: { dishes: [] } };

/** The findings about one tool, as `line rule message`. */
function findings(definition: JsonObject, scenarios: readonly WrittenScenario[]): string[] {
  const text = toolFile(definition, scenarios);
  return checkFixture(parseFixture(text, "a.md"), systemEnvironment).map((finding) => {
    const { path, line, rule, scenario, tool, message } = finding;
    assert.deepEqual([path, tool], ["a.md", definition.name]);
    const place = scenario === undefined ? FENCE_LINE : `## Scenario: ${scenario}`;
    const lines = text.split("\n");
    assert(lines[line - 1]!.startsWith(place), `line ${line} is ${lines[line - 1]}`);
    return `${scenario ?? "-"} ${rule}: ${message}`;
  });
}

const FENCE_LINE = "```json tool";

Deno.test("an honest tool has no findings", () => {
  assert.deepEqual(findings(FIND_DISH, [REST]), []);
  for (const [path, text] of Object.entries(LIBRARY)) {
    assert.deepEqual(checkFixture(parseFixture(text, path), systemEnvironment), []);
  }
});

Deno.test("each rule finds its fault, and nothing else, at the right line", () => {
  const withOutput = (outputSchema: JsonObject): JsonObject => ({ ...FIND_DISH, outputSchema });
  const input = FIND_DISH.inputSchema as JsonObject;
  const cases: [string, JsonObject, WrittenScenario[], string[]][] = [
    ["schema", { ...FIND_DISH, outputSchema: { type: "object", minimum: "5" } }, [REST], [
      "- schema: `outputSchema` is not a usable schema: …",
    ]],
    ["input", FIND_DISH, [{ name: "odd", match: { limit: "~x" } }, REST], [
      'odd input: its sample call {"query":"sample","limit":"x"} does not fit `inputSchema`: ' +
      'validating root: validating /properties/limit: type: x has type "string", want "integer"; ' +
      "mend the rule, or the schema",
    ]],
    ["input, unknown argument", FIND_DISH, [{ name: "odd", match: { quary: "~x" } }, REST], [
      "odd argument: the rule asks for `quary`, which `inputSchema` does not declare, " +
      "did you mean `query`?",
    ]],
    ["output", withOutput({ type: "object", required: ["dishes"] }), [
      { name: "bare" },
      REST,
      { name: "failed", error: { error: "unauthorized" } },
    ], [
      "bare output: its answer does not fit `outputSchema`: " +
      'validating root: required: missing properties: ["dishes"]; mend the answer, or the schema',
    ]],
    ["shadowed", FIND_DISH, [
      { name: "wide", match: { query: "~roll" } },
      { name: "narrow", match: { query: "~sushi roll" } },
      REST,
    ], [
      'narrow shadowed: never chosen: its own sample call {"query":"sushi roll","limit":5} is ' +
      "answered by `wide` in line 14; move it above that one, or narrow the rule there",
    ]],
    ["same rule twice", FIND_DISH, [
      { name: "one", match: { query: "x" } },
      { name: "two", match: { query: "X" } },
      REST,
    ], [
      'two shadowed: never chosen: its own sample call {"query":"X","limit":5} is answered by ' +
      "`one` in line 14; move it above that one, or narrow the rule there",
    ]],
    ["placeholder", FIND_DISH, [
      { name: "rest", response: '{"dishes": ["{{args.quary}} {{args.quary}} {{args.query.x}}"]}' },
    ], [
      "rest placeholder: `{{args.quary}}` inserts an argument that `inputSchema` does not declare, " +
      "did you mean `query`?",
      "rest placeholder: `{{args.query.x}}` inserts an argument that `inputSchema` does not " +
      "declare; declare it, or write the value",
    ]],
    ["duplicate name", FIND_DISH, [REST, { name: "Rest" }], [
      "Rest duplicate-name: the name is taken by the scenario in line 14 (names ignore case); " +
      "rename one of them",
    ]],
    [
      "banned word in the definition",
      {
        ...FIND_DISH,
        description: "Finds Fakes.",
        inputSchema: { ...input, properties: { ...input.properties as JsonObject, sbx: {} } },
      },
      [REST],
      [
        '- banned-word: the definition has "fake" inside "Fakes" at /description, which a client ' +
        "would see; take another word, or allow this one with --allow-word Fakes",
        '- banned-word: the definition has the word "sbx" at /inputSchema/properties/sbx, ' +
        "which a client would see; take another word",
      ],
    ],
    ["banned word in an answer", FIND_DISH, [
      { name: "rest", response: { dishes: ["Mocktail", "x"] } },
      { name: "failed", error: { error: "see https://EXAMPLE.com" } },
    ], [
      'rest banned-word: the answer has "mock" inside "Mocktail" at /dishes/0, which a client ' +
      "would see; take another word, or allow this one with --allow-word Mocktail",
      'failed banned-word: the answer has the word "example.com" at /error, ' +
      "which a client would see; take another word",
    ]],
  ];
  for (const [name, definition, scenarios, expected] of cases) {
    const found = findings(definition, scenarios)
      .map((line) => line.replace(/(not valid JSON|not a usable schema): .+/, "$1: …"));
    assert.deepEqual(found, expected, name);
  }
});

Deno.test("a schema that does not compile does not keep the other rules from looking", () => {
  const definition = { ...FIND_DISH, inputSchema: { type: "object", properties: 5 } };
  const found = findings(definition, [{ name: "rest", response: { dishes: ["a fake"] } }]);
  assert.deepEqual(found.map((line) => line.split(":")[0]), ["- schema", "rest banned-word"]);
});

Deno.test("placeholders are only called undeclared where the schema declares others", () => {
  const properties: JsonObject = {
    place: { type: "object", properties: { name: { type: "string" } } },
    closed: { type: "object", properties: {}, additionalProperties: false },
    list: { type: "array", items: { type: "object", additionalProperties: false } },
    any: {},
    either: { anyOf: [{ type: "string" }] },
    open: { anyOf: [{ type: "string" }, { type: "object" }] },
    map: { type: "object", additionalProperties: { type: "string" } },
    referred: { $ref: "#/properties/place" },
    text: { type: "string" },
    two: { type: ["string", "object"] },
  };
  const definition: JsonObject = {
    name: "a",
    inputSchema: { type: "object", properties, additionalProperties: false },
  };
  const cases: [string, boolean][] = [
    ["place.name", true],
    ["place.more", false],
    ["place.name.x", false],
    ["closed.x", false],
    ["list.0", true],
    ["list.0.x", false],
    ["list.length", false],
    ["any.x.y", true],
    ["either.x", false],
    ["open.x", true],
    ["map.x", true],
    ["map.x.y", false],
    ["referred.name", true],
    ["referred.more", false],
    ["two.x", true],
    ["text", true],
    ["text.0", false],
    ["other", false],
  ];
  for (const [path, allowed] of cases) {
    const response = `{"a": "{{args.${path}}}"}`;
    assert.equal(findings(definition, [{ name: "rest", response }]).length === 0, allowed, path);
  }
});

Deno.test("banned words are found in keys and strings, in any case, wherever they are", () => {
  for (const word of BANNED_WORDS) {
    const written = `a${word.toUpperCase()}z`;
    const found = { word, within: written };
    assert.deepEqual(findBannedWords(`(${written} b)`), [{ ...found, pointer: "" }]);
    assert.deepEqual(findBannedWords([{ "a/b": [written] }]), [{ ...found, pointer: "/0/a~1b/0" }]);
    assert.deepEqual(findBannedWords({ [written]: 1 }), [{ ...found, pointer: `/${written}` }]);
    assert.deepEqual(findBannedWords(written, [written.toLowerCase()]), []);
    assert.deepEqual(findBannedWords(`${word} ${written}`, [written])[0]?.within, word);
  }
  assert.deepEqual(findBannedWords({ a: [null, 1, true, "careem", "sand box"] }), []);
});

Deno.test("a folder's findings come file by file, those of unusable files among them", () => {
  using project = makeProject({
    "tools/b.md": toolFile({ ...FIND_DISH, name: "b" }, [{ name: "rest", response: { x: 1 } }]),
    "tools/a.md": "no frontmatter",
    "tools/c.md": toolFile({ ...FIND_DISH, name: "b" }, [REST]),
  });
  const found = checkFolder(readFolder(project.path("tools")), systemEnvironment);
  assert.deepEqual(found.map(({ path, line, rule }) => [path, line, rule]), [
    [project.path("tools/a.md"), 1, "parse"],
    [project.path("tools/b.md"), lineOf(project.read("tools/b.md"), "## Scenario"), "output"],
    [project.path("tools/c.md"), lineOf(project.read("tools/c.md"), "json tool"), "parse"],
  ]);
});

Deno.test("overrides that name nothing are found at their lines", () => {
  const folder: Folder = {
    fixtures: new Map(
      Object.entries(LIBRARY).map(([path, text]) => parseFixture(text, path))
        .map((fixture) => [fixture.tool, fixture]),
    ),
    problems: [{ path: "/x/broken_tool.md", line: 1, message: "broken" }],
  };
  const cases: [string, [number, string][]][] = [
    ["{}", []],
    ["", []],
    ['{"order_track": "NEAR"}', []],
    ['{"broken_tool": "any"}', []],
    ['\ufeff{\n  "order_track": "near",\n  "order_trak": "near"\n}', [
      [3, "there is no tool `order_trak`, so its entry does nothing, did you mean `order_track`?"],
    ]],
    ['{\n\n"order_track":\n"far"}', [
      [3, "`order_track` has no scenario `far`, so the entry does nothing"],
    ]],
    ['{"order_track": "far",\n"order_track": null}', []],
    ['{"order_track": "far",\n"order_track": {"scenario": 5}}', [
      [2, "`order_track`: the scenario's name must be a string; as it is, it forces nothing"],
    ]],
    ['{"*": "near",\n"/": {"fault": 503},\n"order_track": ["near", "far", {"fault": "hang"}]}', [
      [3, "`order_track` has no scenario `far`, so the entry does nothing"],
    ]],
    ['{"order_track": "near",\n}', [[
      2,
      "is not a JSON object, which has no comma before its end, so nothing is forced; " +
      "mend or delete it",
    ]]],
    ["[]", [[1, "is not a JSON object, so nothing is forced; mend or delete it"]]],
  ];
  for (const [text, expected] of cases) {
    const found = checkOverrides(text, "o.json", folder);
    assert.deepEqual(found.map(({ line, message }) => [line, message]), expected, text);
    assert(found.every(({ path, rule }) => path === "o.json" && rule === "override"));
  }
});

Deno.test("random numbers are tried at both ends, and a fault is told once", () => {
  const definition: JsonObject = {
    name: "a",
    inputSchema: { type: "object" },
    outputSchema: { type: "object", properties: { n: { type: "integer", minimum: 5 } } },
  };
  const found = (response: string): number =>
    findings(definition, [{ name: "rest", response }]).length;
  assert.equal(found('{"n": {{rand:4-1000000000}}}'), 1);
  assert.equal(found('{"n": {{rand:5-6}}}'), 0);
  assert.equal(found('{"n": {{rand:1-2}}}') > 0, true);
});
