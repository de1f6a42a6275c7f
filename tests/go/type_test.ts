import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ANY,
  BOOL,
  INT64,
  map,
  RAW_MESSAGE,
  slice,
  STRING,
  struct,
  unmarshalError,
  unmarshalObject,
} from "../../lib/go/type.ts";
import type { JsonValue } from "../../lib/json.ts";

const ICON = struct("mcp.Icon", { src: STRING, sizes: slice(STRING) });
const PARAMS = struct("mcp.Params", {
  name: STRING,
  on: BOOL,
  icons: slice(ICON),
  arguments: map(STRING),
  meta: map(ANY),
});

Deno.test("what fits a Go type is taken", () => {
  const taken: JsonValue[] = [
    null,
    {},
    { name: "a", on: false, icons: [{ src: "x", sizes: ["48x48", null] }, null], arguments: {} },
    { name: null, on: null, icons: null, arguments: { a: null }, meta: { a: 5, b: [{}] } },
    { unknown: 5, Name: 5, constructor: 5, toString: [] },
  ];
  for (const value of taken) {
    assert.equal(unmarshalError(value, PARAMS), undefined, JSON.stringify(value));
  }
});

Deno.test("the first that does not fit is told as Go's decoder tells it", () => {
  const faults: readonly (readonly [value: JsonValue, text: string])[] = [
    [[], 'cannot unmarshal "[]" into Go value of type mcp.Params'],
    ["x", 'cannot unmarshal "\\"x\\"" into Go value of type mcp.Params'],
    [{ name: 5 }, 'cannot unmarshal "5}" into Go struct field mcp.Params.name of type string'],
    [{ on: "y" }, 'cannot unmarshal "\\"y\\"}" into Go struct field mcp.Params.on of type bool'],
    [
      { icons: {} },
      'cannot unmarshal "{}}" into Go struct field mcp.Params.icons of type []mcp.Icon',
    ],
    [
      { icons: [{ src: "x" }, 5] },
      'cannot unmarshal "5]}" into Go struct field mcp.Params[]mcp.Icon.icons.1 of type mcp.Icon',
    ],
    [
      { icons: [{ sizes: [1] }] },
      'cannot unmarshal "1]}]}" into Go struct field ' +
      "mcp.Params[]mcp.Iconmcp.Icon[]string.icons.0.sizes.0 of type string",
    ],
    [
      { arguments: { a: 1, b: 2 }, name: 5 },
      'cannot unmarshal "1,\\"b\\":2},\\"name\\":5}" into Go struct field mcp.Paramsmap[string]string.arguments.a of type string',
    ],
    [
      { meta: [] },
      'cannot unmarshal "[]}" into Go struct field mcp.Params.meta of type map[string]interface {}',
    ],
  ];
  const long = { name: 5, icons: [{ src: "x".repeat(40) }] };
  const cut = String.raw`"5,\"icons\":[{\"src\":\"xxxxxxxxxxxxx..."`;
  assert(unmarshalError(long, PARAMS)?.startsWith(`cannot unmarshal ${cut} into Go`));
  for (const [value, text] of faults) assert.equal(unmarshalError(value, PARAMS), text);
});

Deno.test("what is quoted ends after 32 bytes, whole characters or not", () => {
  // Both by segmentio/encoding v0.5.4.
  const place = "مطعم البيت اللبناني في دبي مارينا";
  assert(
    unmarshalError({ name: [place] }, PARAMS)?.startsWith(
      String.raw`cannot unmarshal "[\"مطعم البيت اللبن..." into Go struct field`,
    ),
  );
  assert(
    unmarshalError(place, PARAMS)?.startsWith(
      String.raw`cannot unmarshal "\"مطعم البيت اللبن\xd8..." into Go value`,
    ),
    unmarshalError(place, PARAMS),
  );
});

Deno.test("numbers that Go has no room for are told with their digits alone", () => {
  const error = struct("jsonrpc2.WireError", { code: INT64, data: ANY, raw: RAW_MESSAGE });
  assert.equal(
    unmarshalError({ code: 1.5, data: {} }, error),
    'cannot unmarshal "1.5" into Go struct field jsonrpc2.WireError.code of type int64',
  );
  assert.equal(
    unmarshalError(JSON.parse('{"data":[{"a":1e999}]}'), error),
    'cannot unmarshal "1e999" into Go struct field ' +
      "jsonrpc2.WireError[]interface {}map[string]interface {}.data.0.a of type float64",
  );
  assert.equal(
    unmarshalError(JSON.parse('{"raw":1e999,"data":{"a":[1,null,"x"]}}'), error),
    undefined,
  );
});

Deno.test("arguments are read as they are", () =>
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
    const given = args as Record<string, JsonValue>;
    assert.deepEqual(unmarshalObject(given), { object: given });
  })));

Deno.test("half a surrogate pair is read as Go reads it, in names as well", () => {
  const half = JSON.parse('{"a":["\\ud800",{"\\udc00b":"x\\ud83d"}],"c":"\\ud83d\\ude00"}');
  assert.deepEqual(unmarshalObject(half), {
    object: { a: ["\ufffd", { "\ufffdb": "x\ufffd" }], c: "😀" },
  });
});

Deno.test("what Go cannot read is told in its words", () => {
  const cases: [given: JsonValue, error: string][] = [
    [[], 'cannot unmarshal "[]" into Go value of type map[string]interface {}'],
    ["x", 'cannot unmarshal "\\"x\\"" into Go value of type map[string]interface {}'],
    [
      JSON.parse('{"v":1e999}'),
      'cannot unmarshal "1e999" into Go struct field map[string]interface {}.v of type float64',
    ],
    [
      JSON.parse('{"x":"\\ud800","v":{"w":-1e999}}'),
      'cannot unmarshal "-1e999" into Go struct field ' +
      "map[string]interface {}map[string]interface {}.v.w of type float64",
    ],
    [
      JSON.parse('{"a":{"b":[1e999]}}'),
      'cannot unmarshal "1e999" into Go struct field map[string]interface {}' +
      "map[string]interface {}[]interface {}.a.b.0 of type float64",
    ],
  ];
  for (const [given, error] of cases) {
    assert.deepEqual(unmarshalObject(given), { error });
  }
  assert.deepEqual(unmarshalObject(null), { object: {} });
});
