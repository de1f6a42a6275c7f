import assert from "node:assert/strict";
import {
  ANY,
  BOOL,
  INT64,
  map,
  RAW_MESSAGE,
  slice,
  STRING,
  struct,
  typeFault,
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
    assert.equal(typeFault(value, PARAMS), undefined, JSON.stringify(value));
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
  assert(typeFault(long, PARAMS)?.startsWith(`cannot unmarshal ${cut} into Go`));
  for (const [value, text] of faults) assert.equal(typeFault(value, PARAMS), text);
});

Deno.test("what is quoted ends after 32 bytes, whole characters or not", () => {
  // Both by segmentio/encoding v0.5.4.
  const place = "مطعم البيت اللبناني في دبي مارينا";
  assert(
    typeFault({ name: [place] }, PARAMS)?.startsWith(
      String.raw`cannot unmarshal "[\"مطعم البيت اللبن..." into Go struct field`,
    ),
  );
  assert(
    typeFault(place, PARAMS)?.startsWith(
      String.raw`cannot unmarshal "\"مطعم البيت اللبن\xd8..." into Go value`,
    ),
    typeFault(place, PARAMS),
  );
});

Deno.test("numbers that Go has no room for are told with their digits alone", () => {
  const error = struct("jsonrpc2.WireError", { code: INT64, data: ANY, raw: RAW_MESSAGE });
  assert.equal(
    typeFault({ code: 1.5, data: {} }, error),
    'cannot unmarshal "1.5" into Go struct field jsonrpc2.WireError.code of type int64',
  );
  assert.equal(
    typeFault(JSON.parse('{"data":[{"a":1e999}]}'), error),
    'cannot unmarshal "1e999" into Go struct field ' +
      "jsonrpc2.WireError[]interface {}map[string]interface {}.data.0.a of type float64",
  );
  assert.equal(typeFault(JSON.parse('{"raw":1e999,"data":{"a":[1,null,"x"]}}'), error), undefined);
});
