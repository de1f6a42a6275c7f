import assert from "node:assert/strict";
import { markSchemas } from "../../packaging/mark_schemas.ts";

const TYPES = "// ../cache/npm/npm.registry/@modelcontextprotocol/sdk/1.32.2/dist/esm/types.js";
const OTHER = "// ../cache/npm/npm.registry/zod/4.6.7/v4/core/util.js";

Deno.test("declarations of schemas are marked, however many lines they have", () => {
  const declarations = {
    "var CursorSchema = string2();": "var CursorSchema = /* @__PURE__ */ (() => string2())();",
    "var TaskSchema = object2({\n  ttl: number2()\n});":
      "var TaskSchema = /* @__PURE__ */ (() => object2({\n  ttl: number2()\n}))();",
    "var Base64Schema = string2().refine((text) => {\n  return true;\n\n}, {\n  message: ';'\n});":
      "var Base64Schema = /* @__PURE__ */ (() => string2().refine((text) => {\n" +
      "  return true;\n\n}, {\n  message: ';'\n}))();",
    "var ResultSchema2 = looseObject({});":
      "var ResultSchema2 = /* @__PURE__ */ (() => looseObject({}))();",
  };
  for (const [declaration, marked] of Object.entries(declarations)) {
    const after = "\nvar isTask = (value) => TaskSchema.safeParse(value).success;\n";
    assert.deepEqual(markSchemas(`${TYPES}\n${declaration}${after}`), {
      source: `${TYPES}\n${marked}${after}`,
      count: 1,
    });
  }
});

Deno.test("nothing outside the SDK's schemas is touched", () => {
  const source = `${OTHER}\nvar OtherSchema = string2();\n${TYPES}\nvar VERSION = "1";\n` +
    `function makeSchema() {\n  var InnerSchema = string2();\n}\n${OTHER}\nvar LastSchema = a();\n`;
  assert.deepEqual(markSchemas(source), { source, count: 0 });
});
