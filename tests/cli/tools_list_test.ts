import assert from "node:assert/strict";
import { noListIn, toolsIn, type ToolsList } from "../../lib/cli/tools_list.ts";
import { readRecording } from "../../lib/produce/recording.ts";

const A = { name: "a", inputSchema: { type: "object" } };
const B = { name: "b", inputSchema: { type: "object" }, description: "B" };
const RESULT = { tools: [A, B] };
const RESPONSE = { jsonrpc: "2.0", id: 1, result: RESULT };

function readToolsList(text: string, source: string): ToolsList {
  const { lists } = readRecording([text]);
  if (lists.length === 0) throw noListIn(text, source);
  return toolsIn(lists, source);
}

Deno.test("a saved list is found in every form that tools save one in", () => {
  const history = [
    { request: '{"method":"initialize"}', response: '{"result":{"capabilities":{"tools":{}}}}' },
    { request: '{"method":"tools/list"}', response: JSON.stringify(RESPONSE) },
  ];
  const page = (tool: object, nextCursor?: string): object => ({
    result: { tools: [tool], nextCursor },
  });
  const forms: Record<string, string> = {
    "the bare result": JSON.stringify(RESULT),
    "the bare tools": JSON.stringify(RESULT.tools),
    "a response": JSON.stringify(RESPONSE, null, 2),
    "with a byte order mark": `\ufeff${JSON.stringify(RESPONSE)}`,
    "an inspector's history": JSON.stringify(history),
    "an entry of a history": JSON.stringify({ request: {}, response: RESPONSE }),
    "a batch": JSON.stringify([{ jsonrpc: "2.0", id: 0, result: {} }, RESPONSE]),
    "an event stream": `event: message\nid: 5\ndata: ${JSON.stringify(RESPONSE)}\n\n`,
    "a line a message": `{"jsonrpc":"2.0","id":0,"result":{}}\r\n${JSON.stringify(RESPONSE)}\r\n`,
    "pages in an array": JSON.stringify([page(A, "x"), page(B)]),
    "pages on lines": `${JSON.stringify(page(A, "x"))}\n${JSON.stringify(page(B, ""))}\n`,
    "the last page in the middle": JSON.stringify([page(A, "x"), page(B), page(A, "y")]),
    "the same tool twice": JSON.stringify([RESULT, RESULT]),
  };
  for (const [form, text] of Object.entries(forms)) {
    assert.deepEqual(readToolsList(text, "f"), { tools: [A, B], partial: false }, form);
  }
});

Deno.test("a list that goes on is told from a whole one", () => {
  const text = JSON.stringify({ tools: [A], nextCursor: "x" });
  assert.deepEqual(readToolsList(text, "f"), { tools: [A], partial: true });
});

Deno.test("what holds no usable list is refused, with the reason", () => {
  const schema = { type: "object" };
  const cases: [string, RegExp][] = [
    ["", /^f:1: not valid JSON/],
    ['{\n"tools": [,]}', /^f:2: not valid JSON/],
    ["data: {", /^f:1: not valid JSON/],
    ["{}", /^f holds no tools\/list result\.\nSave one as/],
    ["null", /holds no tools\/list result/],
    ["[]", /holds no tools\/list result/],
    ['{"tools": {}}', /holds no tools\/list result/],
    ['{"tools": []}', /^f holds an empty list of tools\.$/],
    [JSON.stringify({ tools: [5] }), /^f lists a tool without a name\.$/],
    [JSON.stringify({ tools: [{ inputSchema: schema }] }), /without a name/],
    [JSON.stringify({ tools: [{ name: "a" }] }), /^f: `a` has no `inputSchema` with "type"/],
    [JSON.stringify({ tools: [{ name: "a", inputSchema: {} }] }), /has no `inputSchema`/],
    [
      JSON.stringify({ tools: [A, { ...B, name: "a" }] }),
      /^f defines `a` twice, in different ways/,
    ],
    ...[
      "../a",
      "a/b",
      "a\\b",
      "",
      ".",
      ".a",
      "a.",
      "a b",
      "é",
      "README",
      "a\u0000",
      "a".repeat(129),
    ]
      .map((name): [string, RegExp] => [
        JSON.stringify({ tools: [{ name, inputSchema: schema }] }),
        /^f: the tool name ".*" cannot be the name of a file\.$/,
      ]),
  ];
  for (const [text, message] of cases) {
    assert.throws(() => readToolsList(text, "f"), { name: "CliError", code: 1, message }, text);
  }
});
