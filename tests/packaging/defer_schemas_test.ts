import assert from "node:assert/strict";
import { deferSchemas } from "../../packaging/defer_schemas.ts";

const TYPES = "// ../cache/npm/npm.registry/@modelcontextprotocol/sdk/1.32.2/dist/esm/types.js";
const OTHER = "// ../cache/npm/npm.registry/zod/4.6.7/v4/core/util.js";

/** Runs what a bundle became, with a stand-in for zod that counts what it makes. */
function run(source: string, result: string): { result: unknown; made: string[] } {
  const made: string[] = [];
  const make = (name: string, members: unknown): unknown => {
    made.push(name);
    return { name, members, extend: (more: unknown) => make(`${name}+`, more) };
  };
  const body = `"use strict";\n${source}\nreturn ${result};`;
  return { result: new Function("object", body)(make), made };
}

Deno.test("a schema is made when it is first used, with those that it is made of, and once", () => {
  const { source, count } = deferSchemas([
    TYPES,
    'var IdSchema = object("id");',
    'var BaseSchema = object("base", {\n  id: IdSchema,\n  text: ";"\n});',
    "var TaskSchema = BaseSchema.extend({\n  ...BaseSchema.members,\n  list: [IdSchema]\n});",
    'var UnusedSchema = object("unused");',
    "var nameOf = (value) => `${TaskSchema.name} of ${value}`;",
    "// ../cache/npm/npm.registry/@modelcontextprotocol/sdk/1.32.2/dist/esm/shared/protocol.js",
    "function twice() {\n  return [nameOf(1), TaskSchema === TaskSchema];\n}",
    "",
  ].join("\n"));
  assert.equal(count, 4);
  assert.deepEqual(run(source, "0").made, []);
  const { result, made } = run(source, "[twice(), twice(), Object.keys(TaskSchema().members)]");
  const twice = ["base+ of 1", true];
  assert.deepEqual(result, [twice, twice, ["id", "text", "list"]]);
  assert.deepEqual(made, ["id", "base", "base+"]);
});

Deno.test("the bundler may leave out what nothing refers to", () => {
  const { source } = deferSchemas(`${TYPES}\nvar TaskSchema = object2({\n  ttl: number2()\n});\n`);
  assert.equal(
    source,
    `${TYPES}\nvar TaskSchema = /* @__PURE__ */ ((made) => () => made ??= object2({\n` +
      "  ttl: number2()\n}))();\n",
  );
});

Deno.test("a declaration ends where it ends, however many lines it has", () => {
  const { source } = deferSchemas(
    `${TYPES}\nvar Base64Schema = object("text").extend((text) => {\n  return true;\n\n}, {\n` +
      `  message: ";"\n});\nvar ResultSchema2 = object("result");\nvar after = 5;\n`,
  );
  assert.deepEqual(run(source, "[Base64Schema().name, ResultSchema2().name, after]").result, [
    "text+",
    "result",
    5,
  ]);
});

Deno.test("properties and longer names are no schemas", () => {
  const use = "var use = [sdk.TaskSchema, sdk?.TaskSchema, TaskSchemas, $TaskSchema, aTaskSchema];";
  const { source } = deferSchemas(`${TYPES}\nvar TaskSchema = object("task");\n${use}\n`);
  assert(source.endsWith(`\n${use}\n`), source);
});

Deno.test("nothing is touched in a file without the SDK's schemas", () => {
  const source = `${OTHER}\nvar OtherSchema = string2();\n${TYPES}\nvar VERSION = "1";\n` +
    `function makeSchema() {\n  var InnerSchema = string2();\n}\n${OTHER}\nvar LastSchema = a();\n`;
  assert.deepEqual(deferSchemas(source), { source, count: 0 });
});

Deno.test("a schema that another file of the bundle uses is a fault", () => {
  const source = `${TYPES}\nvar TaskSchema = object("task");\n` +
    "export {\n  other,\n  TaskSchema as TaskSchema2\n};\n";
  assert.throws(() => deferSchemas(source), {
    message: "TaskSchema is used by another file of the bundle",
  });
});
