import assert from "node:assert/strict";
import { join } from "node:path";
import { checkFixture } from "../../lib/check/check.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import { FixtureError } from "../../lib/fixture/problem.ts";
import type { JsonObject } from "../../lib/json.ts";
import { readFolder } from "../../lib/store/folder.ts";
import { renderTemplate } from "../../lib/template/render.ts";
import { scanTemplate } from "../../lib/template/scan.ts";
import { ROOT } from "../support/program.ts";
import { AFTERNOON, sampleCall } from "./_library.ts";

// docs/FORMAT.md is read as an author reads it: its example must work, and every result and
// message it promises must come.

const guide = Deno.readTextFileSync(join(ROOT, "docs", "FORMAT.md"));
const [, example = ""] = /^````markdown\n(.*?)^````$/ms.exec(guide) ?? [];

Deno.test("the worked example of docs/FORMAT.md is an honest fixture", () => {
  const fixture = parseFixture(example, "ride_rate.md");
  assert.deepEqual(fixture.scenarios.map(({ name }) => name), [
    "cancelled-ride",
    "rated",
    "unknown-ride",
    "unauthorized",
  ]);
  assert.deepEqual(checkFixture(fixture, AFTERNOON), []);
  assert.deepEqual(sampleCall(fixture, fixture.scenarios[1]!), { rideId: "RIDE-9", stars: 1 });
});

Deno.test("placeholders give what docs/FORMAT.md says", async (t) => {
  const section = sectionOf("Placeholders");
  const [, json = ""] = /^```json\n(.*?)^```$/ms.exec(section) ?? [];
  const args: JsonObject = JSON.parse(json);
  const rows = tableIn(section);
  assert(rows.length >= 20);
  for (const [cell, result] of rows) {
    const template = codeIn(cell!)[0]!.replaceAll("\\|", "|");
    await t.step(template, () => {
      const rendered = JSON.stringify(renderTemplate(scanTemplate(template), args, {
        ...AFTERNOON,
        randomInteger: (min, max) => Math.min(max, min + 3),
        uuid: () => "0b6e4a0c-…",
      }));
      assert.equal(rendered, codeIn(result!)[0]);
    });
  }
});

/** The mistakes of docs/FORMAT.md, made in its example: what is replaced by what. */
const MISTAKES: Readonly<Record<string, readonly [from: string | RegExp, to: string]>> = {
  "No `---` in the first line": [/^---\n/, ""],
  "No `tool:` line": ["tool: ride_rate\n", ""],
  "No `## Definition`": [/## Definition\n[^]*?\n```\n/, ""],
  "The block says `json` only": ["```json tool", "```json"],
  "The names differ": ['"name": "ride_rate"', '"name": "ride_rates"'],
  '`inputSchema` without `"type": "object"`': [
    '"inputSchema": {\n    "type": "object",',
    '"inputSchema": {',
  ],
  "Every scenario has a rule": [
    /Default\.\n[^]*$/,
    'Default.\n\n```json match\n{ "rideId": "*" }\n```\n\n```json response\n{}\n```\n',
  ],
  "No answer in a scenario": ["```json error", "```text"],
  "Two answers in a scenario": ["```json error", "```json error\n{}\n```\n\n```json response"],
  "No closing backticks": [/```\n$/, ""],
  "A missing comma": ['"{{args.rideId}}",\n', '"{{args.rideId}}"\n'],
  "A comma too many": ['"ratedAt": "{{now}}"', '"ratedAt": "{{now}}",'],
  "A misspelt placeholder": ["{{args.rideId}}", "{{arg.rideId}}"],
  "A bad duration": ["{{now}}", "{{now+2hours}}"],
  "A general rule above a special one": ['{ "rideId": "RIDE-90006" }', '{ "rideId": "~RIDE" }'],
  "A rule that asks for an argument that does not exist": [
    '{ "rideId": "~RIDE-9" }',
    '{ "ride_id": "~RIDE-9" }',
  ],
  "An answer that does not fit": ['"stars": {{args.stars}}', '"stars": "five"'],
  "A misspelt argument in a placeholder": ["{{args.stars}}", "{{args.star}}"],
  "A name that is taken": ["## Scenario: rated", "## Scenario: Unknown-Ride"],
};

Deno.test("mistakes get the messages that docs/FORMAT.md says", async (t) => {
  const rows = tableIn(sectionOf("Common mistakes"));
  const made = [...Object.keys(MISTAKES), "The same tool in two files"];
  assert.deepEqual(rows.map(([mistake]) => mistake).toSorted(), made.toSorted());
  for (const [mistake, message] of rows) {
    await t.step(mistake!, async () => {
      const said = mistake === "The same tool in two files"
        ? await messagesOfTwoFiles()
        : messages(example.replace(...MISTAKES[mistake!] as [string, string]));
      for (const part of codeIn(message!)) {
        assert(
          said.some((line) => line.includes(part)),
          `not said: ${part}\nbut:\n${said.join("\n")}`,
        );
      }
    });
  }
});

function messages(text: string): string[] {
  assert.notEqual(text, example);
  try {
    return checkFixture(parseFixture(text, "ride_rate.md"), AFTERNOON).map(({ message }) =>
      message
    );
  } catch (error) {
    assert(error instanceof FixtureError);
    return error.problems.map(({ message }) => message);
  }
}

async function messagesOfTwoFiles(): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["a.md", "b.md"]) await Deno.writeTextFile(join(folder, name), example);
    return readFolder(folder).problems.map(({ message }) => message);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function sectionOf(title: string): string {
  const start = guide.indexOf(`\n## ${title}\n`);
  assert(start !== -1, `docs/FORMAT.md has no section "${title}"`);
  const end = guide.indexOf("\n## ", start + 1);
  return guide.slice(start, end === -1 ? guide.length : end);
}

/** The rows of all tables in a text, without their headings. */
function tableIn(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("| "))
    .map((line) => line.split(" |").map((cell) => cell.replace(/^\| /, "").trim()));
  return rows.filter(([first]) => !/^(placeholder|mistake|-+)$/.test(first!));
}

/** What stands in the code spans of a text, whatever number of backticks encloses them. */
function codeIn(text: string): string[] {
  return [...text.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , code]) => code!.trim());
}
