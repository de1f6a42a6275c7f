import assert from "node:assert/strict";
import { join } from "node:path";
import { checkFixture } from "../../lib/check/check.ts";
import { checkCoherence } from "../../lib/check/coherence.ts";
import { finish } from "../../lib/steps.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import { FixtureError } from "../../lib/fixture/problem.ts";
import type { JsonObject } from "../../lib/json.ts";
import { renderTemplate } from "../../lib/template/render.ts";
import { scanTemplate } from "../../lib/template/scan.ts";
import { ROOT } from "../support/program.ts";
import { AFTERNOON, copyLibrary, findingsOf, sampleCall } from "./_library.ts";

// docs/FORMAT.md is read as an author reads it: its example must work, and every result and
// message it promises must come.

const guide = Deno.readTextFileSync(join(ROOT, "docs", "FORMAT.md"));
const [, example = ""] = /^````markdown\n(.*?)^````$/ms.exec(guide) ?? [];

const FILE = "order_send_receipt.md";

Deno.test("the worked example of docs/FORMAT.md is an honest fixture of the library", () => {
  const fixture = parseFixture(example, FILE);
  assert.deepEqual(fixture.scenarios.map(({ name }) => name), [
    "cancelled-order",
    "sushi",
    "unknown-order",
    "upstream-unavailable",
    "unauthorized",
  ]);
  assert.deepEqual(sampleCall(fixture, fixture.scenarios[1]!), {
    order_id: "ORD-80003",
    copies: 1,
    email: "",
  });
  using copy = copyLibrary();
  const before = findingsOf(copy.directory);
  Deno.writeTextFileSync(join(copy.directory, "orders", FILE), example);
  assert.deepEqual(findingsOf(copy.directory), before);
});

Deno.test("the coherence of docs/FORMAT.md is usable", () => {
  const [, text = ""] = /^```json\n(.*?)^```$/ms.exec(sectionOf("Coherence")) ?? [];
  const messages = finish(checkCoherence(text, "coherence.json", new Map(), AFTERNOON))
    .map(({ message }) => message);
  assert.deepEqual(messages, [
    "no answer shows a dish at dishes[].id",
    "no answer shows a dish at lines[].dish_id",
    "there is no tool `add_dish` to take a dish",
    "no answer has anything at ",
  ]);
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
  "The block says `json`": ["```json tool", "```json"],
  "Every scenario has a rule": [
    /No delivered order has this id\.\n[^]*$/,
    'None.\n\n```json match\n{ "order_id": "*" }\n```\n\n```json response\n{}\n```\n',
  ],
  "A missing comma": ['"email": "{{args.email}}",\n', '"email": "{{args.email}}"\n'],
  "A misspelt placeholder": ["{{args.order_id}}", "{{arg.order_id}}"],
  "A bad duration": ["{{now}}", "{{now+2hours}}"],
  "A general rule above a special one": ['{ "order_id": "ORD-80004" }', '{ "order_id": "~ORD" }'],
  "A rule for an argument there is not": [
    '{ "order_id": "ORD-80003" }',
    '{ "orderId": "ORD-80003" }',
  ],
  "An answer that does not fit": ['"copies": {{args.copies}}', '"copies": "two"'],
  "A misspelt argument in a placeholder": ["{{args.copies}}", "{{args.copy}}"],
  "A name that is taken": ["## Scenario: sushi", "## Scenario: Unknown-Order"],
};

Deno.test("mistakes get the messages that docs/FORMAT.md says", async (t) => {
  const rows = tableIn(sectionOf("Common mistakes"));
  assert.deepEqual(rows.map(([mistake]) => mistake).toSorted(), Object.keys(MISTAKES).toSorted());
  for (const [mistake, message] of rows) {
    await t.step(mistake!, () => {
      const said = messages(example.replace(...MISTAKES[mistake!] as [string, string]));
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
    return checkFixture(parseFixture(text, FILE), AFTERNOON).map(({ message }) => message);
  } catch (error) {
    assert(error instanceof FixtureError);
    return error.problems.map(({ message }) => message);
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
