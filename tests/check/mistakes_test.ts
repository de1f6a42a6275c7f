/**
 * What an author gets wrong, and what `check` says of it: the line, what is wrong, what to do.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { checkFolder, type CheckOptions } from "../../lib/check/check.ts";
import { readFolder } from "../../lib/store/folder.ts";
import { trialEnvironments } from "../../lib/template/environment.ts";

const FENCE = "```";

/** A file in which all is well. */
const HONEST = `---
tool: dish_find
domain: food
---
# Find a dish

## Definition
${FENCE}json tool
{"name": "dish_find", "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}, "at": {"type": "object", "properties": {"country": {"type": "string"}}}}}, "outputSchema": {"type": "object", "properties": {"dishes": {"type": "array"}}}}
${FENCE}
## Scenario: sushi
${FENCE}json match
{"query": "~sushi"}
${FENCE}
${FENCE}json response
{"dishes": ["Maki"]}
${FENCE}
## Scenario: none
${FENCE}json response
{"dishes": []}
${FENCE}
## By force
## Scenario: down
${FENCE}json error
{"error": "unavailable"}
${FENCE}
`;

/** What `check` says of a file, as `line check: scenario: message`. */
function told(content: string | Uint8Array, options?: CheckOptions): string[] {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "dish_find.md");
    Deno.writeFileSync(
      path,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
    return checkFolder(readFolder(folder), trialEnvironments[0]!, options).map((finding) => {
      assert.equal(finding.path, path);
      const scenario = finding.scenario === undefined ? "" : `${finding.scenario}: `;
      return `${finding.line} ${finding.rule}: ${scenario}${finding.message}`;
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** A mistake, what of the honest file it replaces by what, and all that is told of it. */
type Mistake = readonly [what: string, from: string, to: string, ...told: string[]];

const MISTAKES: readonly Mistake[] = [
  [
    "a space before the info string",
    "```json match",
    "``` json match",
    "12 markup: sushi: the fence ``` json match is ignored; write ```json match",
  ],
  [
    "jsonc for json",
    "```json match",
    "```jsonc match",
    "12 markup: sushi: the fence ```jsonc match is ignored; write ```json match",
  ],
  [
    "matches for match",
    "```json match",
    "```json matches",
    "12 markup: sushi: the fence ```json matches is ignored; write ```json match",
  ],
  [
    "capitals in json match",
    "```json match",
    "```JSON Match",
    "12 markup: sushi: the fence ```JSON Match is ignored; write ```json match",
  ],
  [
    "no space between json and match",
    "```json match",
    "```jsonmatch",
    "12 markup: sushi: the fence ```jsonmatch is ignored; write ```json match",
  ],
  [
    "no json before match",
    "```json match",
    "```match",
    "12 markup: sushi: the fence ```match is ignored; write ```json match",
  ],
  [
    "rule for match",
    "```json match",
    "```json rule",
    "12 markup: sushi: the fence ```json rule is ignored; write ```json match",
  ],
  [
    "json alone",
    "```json match",
    "```json",
    "12 markup: sushi: the fence ```json is ignored; write ```json match, ```json response or ```json error, or ```text for an example",
  ],
  [
    "more words behind match",
    "```json match",
    "```json match sushi",
    "12 markup: sushi: the fence ```json match sushi is ignored; write ```json match",
  ],
  [
    "four backticks",
    "```json match",
    "````json match",
    "12 markup: sushi: the fence ````json match is ignored; write ```json match",
  ],
  [
    "two backticks",
    "```json match",
    "``json match",
    "12 parse: sushi: the fence ``json match is ignored; write ```json match",
  ],
  [
    "tildes",
    '```json match\n{"query": "~sushi"}\n```',
    '~~~json match\n{"query": "~sushi"}\n~~~',
    "12 markup: sushi: the fence ~~~json match is ignored; write ```json match",
  ],
  [
    "indented fences",
    '```json match\n{"query": "~sushi"}\n```',
    '  ```json match\n  {"query": "~sushi"}\n  ```',
    "12 markup: sushi: the fence is indented, so the block is ignored; write ```json match at the beginning of the line",
  ],
  [
    "an indented response",
    '```json response\n{"dishes": ["Maki"]}\n```',
    '  ```json response\n  {"dishes": ["Maki"]}\n  ```',
    "15 parse: sushi: the fence is indented, so the block is ignored; write ```json response at the beginning of the line",
  ],
  [
    "an indented closing fence",
    '{"query": "~sushi"}\n```',
    '{"query": "~sushi"}\n ```',
    "12 parse: sushi: the block is not closed, since the fence in line 14 is indented; move that fence to the beginning of its line",
  ],
  [
    "a slip in response",
    '```json response\n{"dishes": ["Maki"]}',
    '```json responce\n{"dishes": ["Maki"]}',
    "15 parse: sushi: the fence ```json responce is ignored; write ```json response",
  ],
  [
    "a rule that is not closed",
    '{"query": "~sushi"}\n```',
    '{"query": "~sushi"}',
    "12 parse: sushi: the block is not closed; end it with a line of three backticks",
  ],
  [
    "an answer that is not closed",
    '{"dishes": ["Maki"]}\n```',
    '{"dishes": ["Maki"]}',
    "15 parse: sushi: the block is not closed; end it with a line of three backticks",
  ],
  [
    "a definition that is not closed",
    "}\n```\n## Scenario: sushi",
    "}\n## Scenario: sushi",
    "8 parse: the block is not closed; end it with a line of three backticks",
  ],
  [
    "a last block that is not closed",
    '"unavailable"}\n```',
    '"unavailable"}',
    "24 parse: down: the block is not closed; end it with a line of three backticks",
  ],
  [
    "a rule that is not opened",
    "```json match\n{",
    "{",
    "13 parse: sushi: this fence closes a block that was not opened; write ```json match, response or error above line 12, where its JSON begins",
  ],
  [
    "an answer that is not opened",
    '```json response\n{"dishes": ["Maki"]}',
    '{"dishes": ["Maki"]}',
    "16 parse: sushi: this fence closes a block that was not opened; write ```json match, response or error above line 15, where its JSON begins",
  ],
  [
    "a definition that is not opened",
    "```json tool\n",
    "",
    "9 parse: this fence closes a block that was not opened; write ```json tool above line 8, where its JSON begins",
  ],
  [
    "closed by four",
    '["Maki"]}\n```',
    '["Maki"]}\n````',
    "17 parse: sushi: a block is closed by exactly three backticks; write ```",
  ],
  [
    "a small letter in the heading",
    "## Scenario: sushi",
    "## scenario: sushi",
    "11 markup: `## scenario: sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "a level too deep",
    "## Scenario: sushi",
    "### Scenario: sushi",
    "11 markup: `### Scenario: sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "a level too high",
    "## Scenario: sushi",
    "# Scenario: sushi",
    "11 markup: `# Scenario: sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "a space before the colon",
    "## Scenario: sushi",
    "## Scenario : sushi",
    "11 markup: `## Scenario : sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "no space after the hashes",
    "## Scenario: sushi",
    "##Scenario: sushi",
    "11 markup: `##Scenario: sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "no colon",
    "## Scenario: sushi",
    "## Scenario sushi",
    "11 markup: `## Scenario sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "a dash for the colon",
    "## Scenario: sushi",
    "## Scenario - sushi",
    "11 markup: `## Scenario - sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "a slip in the word",
    "## Scenario: sushi",
    "## Secnario: sushi",
    "11 markup: `## Secnario: sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "the plural",
    "## Scenario: sushi",
    "## Scenarios: sushi",
    "11 markup: `## Scenarios: sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "a bold heading",
    "## Scenario: sushi",
    "## **Scenario: sushi**",
    "11 markup: `## **Scenario: sushi**` is ignored; write `## Scenario: sushi`",
  ],
  [
    "an indented heading",
    "## Scenario: sushi",
    "  ## Scenario: sushi",
    "11 markup: `## Scenario: sushi` is ignored; write `## Scenario: sushi` at the beginning of the line",
  ],
  [
    "no hashes",
    "## Scenario: sushi",
    "Scenario: sushi",
    "11 markup: `Scenario: sushi` is ignored; write `## Scenario: sushi`",
  ],
  [
    "the default a level too deep",
    "## Scenario: none",
    "### Scenario: none",
    "18 parse: `### Scenario: none` is ignored; write `## Scenario: none`",
  ],
  [
    "the definition a level too deep",
    "## Definition",
    "### Definition",
    "7 parse: `### Definition` is ignored; write `## Definition`",
  ],
  [
    "a colon behind the definition",
    "## Definition",
    "## Definition:",
    "7 parse: `## Definition:` is ignored; write `## Definition`",
  ],
  [
    "a small letter in the definition",
    "## Definition",
    "## definition",
    "7 parse: `## definition` is ignored; write `## Definition`",
  ],
  [
    "By force a level too deep",
    "## By force",
    "### By force",
    "22 markup: none: `### By force` is ignored; write `## By force`",
  ],
  [
    "a capital in By force",
    "## By force",
    "## By Force",
    "22 markup: `## By Force` is ignored; write `## By force`",
  ],
  [
    "a scenario without its heading",
    "## Scenario: sushi\n",
    "",
    "11 markup: a ```json match block counts only below `## Scenario: <name>`, so this one is ignored; move it there, or write ```text for an example",
    "14 markup: a ```json response block counts only below `## Scenario: <name>`, so this one is ignored; move it there, or write ```text for an example",
  ],
  [
    "a tool in a scenario",
    "## Definition\n",
    "",
    "7 parse: a ```json tool block counts only below `## Definition`, so this one is ignored; move it there, or write ```text for an example",
  ],
  [
    "a rule that was forgotten",
    '```json match\n{"query": "~sushi"}\n```\n',
    "",
    "15 default: none: without a rule it is reached by force alone, since `sushi` in line 11 is the default; give it a ```json match block, or move it behind the heading `## By force`",
  ],
  [
    "a default behind the forced ones",
    "## Scenario: none",
    "## By force\n## Scenario: none",
    "19 default: none: it is the default, but stands behind the heading `## By force` in line 18; move it before that, or put the scenario that shall be the default there",
  ],
  [
    "a slip in a rule's key",
    '{"query": "~sushi"}',
    '{"querry": "~sushi"}',
    "11 argument: sushi: the rule asks for `querry`, which `inputSchema` does not declare, did you mean `query`?",
  ],
  [
    "a key of a rule that no schema has",
    '{"query": "~sushi"}',
    '{"at": {"city": "x"}}',
    "11 argument: sushi: the rule asks for `at.city`, which `inputSchema` does not declare; declare it, or take it out",
  ],
  [
    "a slip in a placeholder",
    '["Maki"]',
    '["{{args.qeury}}"]',
    "11 placeholder: sushi: `{{args.qeury}}` inserts an argument that `inputSchema` does not declare, did you mean `query`?",
  ],
  [
    "a number beyond all numbers",
    '{"dishes": []}',
    '{"dishes": [], "n": 1E400}',
    "20 number: none: 1E400 is more than a number can hold, and would be sent as null; write a smaller one",
  ],
  [
    "an id with too many digits",
    '{"dishes": []}',
    '{"dishes": [],\n "n": 12345678901234567890}',
    "21 number: none: 12345678901234567890 has more digits than a number can hold, and would be sent as 12345678901234567000; write it as a string, or with fewer digits",
  ],
  [
    "a key that stands twice",
    '{"query": "~sushi"}',
    '{"query": "~sushi",\n"query": "~maki"}',
    "14 duplicate-key: sushi: the key `query` stands twice in one object, and only the last one counts; remove one of them",
  ],
  [
    "spaces in a placeholder",
    '["Maki"]',
    '["{{ now | date }}"]',
    "16 parse: sushi: `now | date` has spaces inside; write `now|date` without them",
  ],
  [
    "brackets in a placeholder",
    '["Maki"]',
    '["{{args.items[0].name}}"]',
    "11 placeholder: sushi: `{{args.items[0]}}` inserts an argument that `inputSchema` does not declare; write `items.0.name`",
  ],
  [
    "another name in a placeholder",
    '["Maki"]',
    '["{{arg.query}}"]',
    "16 parse: sushi: unknown expression `arg.query`; use args.<path>, now, unix, unixms, uuid or rand:MIN-MAX",
  ],
  [
    "a placeholder for all arguments",
    '["Maki"]',
    '["{{args}}"]',
    "16 parse: sushi: unknown expression `args`; use args.<path>, now, unix, unixms, uuid or rand:MIN-MAX",
  ],
  [
    "a placeholder with one brace",
    '["Maki"]',
    '["{{args.query}"]',
    "16 parse: sushi: `{{` is not closed with `}}` on its line",
  ],
  [
    "a duration in days",
    '["Maki"]',
    '["{{now+1d}}"]',
    '16 parse: sushi: `now+1d` has the bad duration "1d"; write it like 15m, 1h30m or 90s',
  ],
  [
    "a format that is none",
    '["Maki"]',
    '["{{now|time}}"]',
    "16 parse: sushi: `now|time` has an unknown format; use |date, |weekday, |hhmm or |daylabel",
  ],
  [
    "a whole result",
    '{"dishes": ["Maki"]}',
    '{"content": [{"type": "text", "text": "{}"}], "structuredContent": {"dishes": ["Maki"]}}',
    "11 output: sushi: its answer is a whole result; take only what stands in `structuredContent`",
  ],
  [
    "a result with content alone",
    '{"dishes": ["Maki"]}',
    '{"content": [{"type": "text", "text": "{}"}]}',
    "11 output: sushi: its answer is a whole result; take only the JSON that stands in the `text` of its `content`",
  ],
  [
    "a whole JSON-RPC answer",
    '{"dishes": ["Maki"]}',
    '{"jsonrpc": "2.0", "id": 1, "result": {"structuredContent": {}}}',
    "11 output: sushi: its answer is a whole result; take only what stands in its `structuredContent`",
  ],
  [
    "a banned word in another",
    '"Maki"',
    '"Mocktails"',
    '11 banned-word: sushi: the answer has "mock" inside "Mocktails" at /dishes/0, which a client would see; take another word, or allow this one with --allow-word Mocktails',
  ],
  [
    "a banned word",
    '"Maki"',
    '"a fake"',
    '11 banned-word: sushi: the answer has the word "fake" at /dishes/0, which a client would see; take another word',
  ],
  [
    "an answer of another shape",
    '["Maki"]',
    '"Maki"',
    '11 output: sushi: its answer does not fit `outputSchema`: validating root: validating /properties/dishes: type: Maki has type "string", want "array"; mend the answer, or the schema',
  ],
  [
    "a rule that no argument can fit",
    '{"query": "~sushi"}',
    '{"limit": "~x"}',
    '11 input: sushi: its sample call {"limit":"x"} does not fit `inputSchema`: validating root: validating /properties/limit: type: x has type "string", want "integer"; mend the rule, or the schema',
  ],
  [
    "a general rule above a special one",
    "## Scenario: none",
    '## Scenario: rolls\n```json match\n{"query": "~sushi rolls"}\n```\n```json response\n{"dishes": []}\n```\n## Scenario: none',
    '18 shadowed: rolls: never chosen: its own sample call {"query":"sushi rolls"} is answered by `sushi` in line 11; move it above that one, or narrow the rule there',
  ],
  [
    "a name that is taken",
    "## Scenario: down",
    "## Scenario: None",
    "23 duplicate-name: None: the name is taken by the scenario in line 18 (names ignore case); rename one of them",
  ],
  [
    "a comma too many",
    '["Maki"]',
    '["Maki",]',
    "16 parse: sushi: not valid JSON: a comma too many before it",
  ],
  [
    "a comment",
    '{"query": "~sushi"}',
    '{"query": "~sushi"} // by word',
    "13 parse: sushi: not valid JSON: comments are not allowed",
  ],
  [
    "single quotes",
    '{"query": "~sushi"}',
    "{'query': '~sushi'}",
    "13 parse: sushi: not valid JSON: strings stand between straight double quotes",
  ],
  [
    "curly quotes",
    '{"query": "~sushi"}',
    "{“query”: “~sushi”}",
    "13 parse: sushi: not valid JSON: strings stand between straight double quotes",
  ],
  [
    "another name in the frontmatter",
    "tool: dish_find",
    "tool: dish_search",
    '8 parse: the definition\'s `name` is "dish_find" but the frontmatter says `tool: dish_search`; make them equal',
  ],
  [
    "another key in the frontmatter",
    "tool: dish_find",
    "name: dish_find",
    "1 parse: the frontmatter has no `tool`; add `tool: <name>`",
  ],
  [
    "no line before the frontmatter",
    "---\ntool",
    "tool",
    "1 parse: no frontmatter; start the file with `---`, `tool: <name>` and `---` lines",
  ],
  [
    "a heading that was forgotten",
    "## Scenario: none\n",
    "",
    "18 parse: sushi: more than one ```json response or ```json error block; keep one",
  ],
  [
    "a default with a rule",
    "## Scenario: none\n",
    "## Scenario: none\n```json match\n{}\n```\n",
    "26 default: down: it is the default, but stands behind the heading `## By force` in line 25; move it before that, or put the scenario that shall be the default there",
  ],
  [
    "a type that is none",
    '"type": "integer"',
    '"type": "int"',
    "8 schema: `inputSchema` is not a usable schema: type must be JSONType or JSONType[]: int; mend it there",
  ],
  [
    "a reference that leads nowhere",
    '{"type": "integer"}',
    '{"$ref": "#/$defs/limit"}',
    '8 parse: the definition\'s `inputSchema` cannot be used: $ref "#/$defs/limit" leads to no schema',
  ],
  [
    "a text without quotes",
    '["Maki"]',
    "[Hello {{args.query}}]",
    "16 parse: sushi: not valid JSON: invalid symbol",
  ],
];

Deno.test("an honest file has no findings", () => assert.deepEqual(told(HONEST), []));

Deno.test("each mistake is told with its line and what to do, and nothing else is", async (t) => {
  for (const [what, from, to, ...findings] of MISTAKES) {
    await t.step(what, () => {
      assert(HONEST.includes(from), from);
      assert.deepEqual(told(HONEST.replace(from, () => to)), findings);
    });
  }
});

Deno.test("mistakes are told in the same lines of a file of Windows", () => {
  for (const [what, from, to, ...findings] of MISTAKES) {
    const text = HONEST.replace(from, () => to);
    assert.deepEqual(told("\uFEFF" + text.replaceAll("\n", "\r\n")), findings, what);
  }
});

Deno.test("bytes that are no UTF-8 are told at their line", () => {
  const latin1 = new TextEncoder().encode(HONEST.replace("Maki", "Caf\u0001"))
    .map((byte) => byte === 1 ? 0xe9 : byte);
  assert.deepEqual(told(latin1), ["16 encoding: the file is not UTF-8; save it as UTF-8"]);
  const wide = new Uint8Array(Uint16Array.from(`\uFEFF${HONEST}`, (c) => c.charCodeAt(0)).buffer);
  assert.deepEqual(told(wide), ["1 encoding: the file is UTF-16; save it as UTF-8"]);
});

Deno.test("words are allowed in any case, and a word inside them is", () => {
  const text = HONEST.replace("Maki", "Mocktails, MOCKTAIL, mock");
  const about = (options?: CheckOptions) => told(text, options).map((line) => line.slice(31, 80));
  assert.match(about()[0]!, /"mock" inside "Mocktails"/);
  assert.match(about({ allowedWords: ["mocktail"] })[0]!, /the word "mock"/);
  assert.deepEqual(about({ allowedWords: ["mocktail", "mock"] }), []);
});

Deno.test("a folder without the heading `## By force` may have defaults that only force reaches", () =>
  assert.deepEqual(told(HONEST.replace("## By force\n", "")), []));

Deno.test("a folder brings along what its answers have to agree on", () => {
  const coherence = {
    path: "coherence.json",
    text: '{"sums": [{"at": "", "total": "#dishes[]", "is": "count"}]}',
  };
  const text = HONEST.replace('{"dishes": ["Maki"]}', '{"dishes": ["Maki"], "count": 2}');
  assert.deepEqual(told(text, { coherence }), [
    "11 coherence: sushi: `#dishes[]` is 1 at its top, but `count` makes 2",
  ]);
});

Deno.test("what is made up for other arguments shadows nothing", () => {
  const rule = (name: string, match: string): string =>
    `## Scenario: ${name}\n${FENCE}json match\n${match}\n${FENCE}\n` +
    `${FENCE}json response\n{"dishes": []}\n${FENCE}\n`;
  const text = HONEST
    .replace(
      '"properties": {"query": {"type": "string"}',
      '"required": ["query"], "properties": {"query": {"type": "string", "examples": ["sushi"]}',
    )
    .replace("## Scenario: none", rule("five", '{"limit": 5}') + "## Scenario: none");
  assert.deepEqual(told(text), []);
});
