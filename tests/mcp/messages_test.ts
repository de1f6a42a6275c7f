import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Answer,
  type Forced,
  type Incoming,
  PayloadError,
  readPayload,
  writeAnswer,
} from "../../lib/mcp/messages.ts";
import { encode } from "../../lib/wire_json.ts";

function written(id: string | number, answer: Exclude<Answer, Forced>): string {
  return new TextDecoder().decode(encode(writeAnswer(id, answer)));
}

/** What the Go SDK says, word for word as far as it was recorded. */
const REFUSED: readonly (readonly [text: string, message: string])[] = [
  ["", "unmarshaling jsonrpc message: EOF"],
  [" \n", "unmarshaling jsonrpc message: EOF"],
  ["{", "unmarshaling jsonrpc message: json: invalid character"],
  ["\uFEFF{}", "unmarshaling jsonrpc message: json: invalid character"],
  [
    "5",
    'unmarshaling jsonrpc message: json: cannot unmarshal "5" into Go value of type jsonrpc2.wireDecode',
  ],
  ["[]", "empty batch"],
  ["null", "empty batch"],
  ["{}", 'invalid message version tag ""; expected "2.0"'],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 'invalid message version tag "1.0"; expected "2.0"'],
  [
    '{"jsonrpc":2,"id":1,"method":"ping"}',
    "unmarshaling jsonrpc message: json: cannot unmarshal " +
    String
      .raw`"2,\"id\":1,\"method\":\"ping\"}" into Go struct field jsonrpc2.wireDecode.jsonrpc of type string`,
  ],
  [
    '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
    "unmarshaling jsonrpc message: json: " +
    'cannot unmarshal "1e999" into Go struct field jsonrpc2.wireDecode.id of type float64',
  ],
  ['{"jsonrpc":"2.0"}', "invalid request"],
  ['{"jsonrpc":"2.0","id":true,"method":"ping"}', "parse error: invalid ID type bool"],
  ['{"jsonrpc":"2.0","id":[],"method":"ping"}', "parse error: invalid ID type []interface {}"],
  [
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    "parse error: invalid ID type map[string]interface {}",
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":5}',
    'unmarshaling jsonrpc message: json: cannot unmarshal "5" into Go value of type string',
  ],
  [
    '[{"jsonrpc":"2.0","id":1,"method":"ping"},5]',
    'unmarshaling jsonrpc message: json: cannot unmarshal "5" into Go value of type jsonrpc2.wireDecode',
  ],
];

Deno.test("what is no JSON-RPC is refused with the reason", () => {
  for (const [text, message] of REFUSED) {
    assert.throws(() => readPayload(text), { name: "PayloadError", message }, text);
  }
});

Deno.test("a message is read with what it has and without what it has not", () => {
  const cases: [text: string, messages: Partial<Incoming>[]][] = [
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', [{ id: 1, method: "ping", params: {} }]],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":null}', [
      { id: "a", method: "ping", params: {} },
    ]],
    ['{"jsonrpc":"2.0","method":"x","params":[1]}', [{ method: "x", params: {} }]],
    ['{"jsonrpc":"2.0","method":"x","params":{"a":1}}', [{ method: "x", params: { a: 1 } }]],
    ['{"jsonrpc":"2.0","id":null,"method":"x"}', [{ method: "x", params: {} }]],
    ['{"jsonrpc":"2.0","id":2.9,"method":"x"}', [{ id: 2, method: "x", params: {} }]],
    ['{"jsonrpc":"2.0","id":-0.5,"method":"x"}', [{ id: 0, method: "x", params: {} }]],
    ['{"jsonrpc":"2.0","id":1,"method":null}', [{ id: 1, method: "", params: {} }]],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', []],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', []],
    ['{"jsonrpc":"2.0","id":1,"method":"x","__proto__":{"params":5}}', [
      { id: 1, method: "x", params: {} },
    ]],
  ];
  for (const [text, expected] of cases) {
    const { messages, isBatch } = readPayload(text);
    assert(!isBatch);
    const read = messages.map(({ id, method, params }) => ({
      ...(id !== undefined && { id }),
      method,
      params,
    }));
    assert.deepEqual(read, expected, text);
  }
});

Deno.test("a batch is read in order, up to its limit", () => {
  const batch = (size: number) =>
    JSON.stringify(
      Array.from({ length: size }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })),
    );
  const { messages, isBatch } = readPayload(batch(100));
  assert(isBatch);
  assert.deepEqual(messages.map(({ id }) => id), Array.from({ length: 100 }, (_, id) => id));
  assert.throws(() => readPayload(batch(101)), { message: "batch of 101 messages exceeds 100" });
});

Deno.test("whatever the payload, reading it fails with nothing but a PayloadError", () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.json().map((text) => `[${text}]`)), (text) => {
      try {
        readPayload(text);
      } catch (error) {
        assert(error instanceof PayloadError, String(error));
      }
    }),
  ));

Deno.test("a payload is read to its limit of nesting and refused beyond", () => {
  const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const message = (params: string) => `{"jsonrpc":"2.0","method":"x","params":${params}}`;
  const refused = { message: "unmarshaling jsonrpc message: json: exceeded max depth" };
  assert.equal(readPayload(message(deep(999))).messages.length, 1);
  assert.throws(() => readPayload(message(deep(1000))), refused);
  for (
    const text of [deep(100_000), `{"toJSON":1,"x":${deep(100_000)}}`, message(deep(1_000_000))]
  ) {
    assert.throws(() => readPayload(text), refused);
  }
  // Brackets in strings and beside one another do not count.
  const wide = [
    `"${"[".repeat(5000)}"`,
    String.raw`["\"[","\\",${'[{"a":'.repeat(300)}1${"}]".repeat(300)}]`,
  ];
  for (const text of [...wide, `[${"[],{},".repeat(5000)}"]"]`]) {
    assert.equal(readPayload(message(text)).messages.length, 1, text.slice(0, 40));
  }
});

Deno.test("a payload with too many values is refused", () => {
  const message = (params: string) => `{"jsonrpc":"2.0","method":"x","params":${params}}`;
  const refused = { message: "unmarshaling jsonrpc message: json: exceeded max values" };
  assert.equal(readPayload(message(`[${"0,".repeat(99_997)}0]`)).messages.length, 1);
  assert.throws(() => readPayload(message(`[${"0,".repeat(99_998)}0]`)), refused);
  assert.throws(() => readPayload(message(`[${'{"a":[0,0]},'.repeat(60_000)}0]`)), refused);
  assert.equal(readPayload(message(`["${",".repeat(200_000)}"]`)).messages.length, 1);
});

Deno.test("an id comes back as Go's int64 would have it", () => {
  const cases: [sent: string, back: string][] = [
    ["1", "1"],
    ["-1", "-1"],
    ['"1"', '"1"'],
    ['"\\ud800"', '"\\ud800"'],
    ["9007199254740993", "9007199254740992"],
    ["1e18", "1000000000000000000"],
    ["9223372036854775807", "-9223372036854775808"],
    ["1e300", "-9223372036854775808"],
    ["1e-300", "0"],
  ];
  for (const [sent, back] of cases) {
    const { messages } = readPayload(`{"jsonrpc":"2.0","id":${sent},"method":"ping"}`);
    const text = written(messages[0]!.id!, { result: {} });
    assert.equal(text, `{"jsonrpc":"2.0","id":${back},"result":{}}`, sent);
  }
});

Deno.test("an answer's members are in Go's order", () => {
  const error = { code: -32602, message: "x" };
  assert.equal(
    written(5, { error }),
    '{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"x"}}',
  );
});

Deno.test("no text of an answer looks like the end of a line to any client", () => {
  const result = { "a\u2028": "\u2029\u0085\r\n" };
  const text = written("\u2028", { result });
  assert.doesNotMatch(text, /[\u2028\u2029\u0085\r\n\v\f]/);
  assert.deepEqual(JSON.parse(text), { jsonrpc: "2.0", id: "\u2028", result });
});
