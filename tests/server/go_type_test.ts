import assert from "node:assert/strict";
import { ANY, BOOL, map, slice, STRING, struct, typeFault } from "../../lib/server/go_type.ts";
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
  assert(
    typeFault(long, PARAMS)?.startsWith(`cannot unmarshal ${cut} into Go`),
    typeFault(long, PARAMS),
  );
  for (const [value, text] of faults) assert.equal(typeFault(value, PARAMS), text);
});
