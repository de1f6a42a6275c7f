import assert from "node:assert/strict";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { WIDGET_URI } from "../../lib/mcp/widget.ts";
import { readLibrary, validate, visit } from "./_library.ts";

// What OpenAI's, Anthropic's and Google's tool calling take, read as one: a definition that any of
// them refuses makes the whole list unusable there.

const definitions = [...readLibrary().values()].map(({ definition }) => definition);

/** The longest prefix that a client in common use puts before a tool's name. */
const PREFIX = "mcp__careem-mcp__";

forEach("has a name that every model takes, also behind a client's prefix", ({ name }) => {
  assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
  assert.match(PREFIX + name, /^[a-zA-Z0-9_-]{1,64}$/);
});

forEach("has a title and a description of at most 1,024 characters", ({ title, description }) => {
  assert(typeof title === "string" && title !== "");
  assertDescription(description, "the tool");
});

forEach("has only the members of an MCP tool", (definition) => {
  const members = "name title description inputSchema outputSchema annotations _meta".split(" ");
  assert.deepEqual(Object.keys(definition).filter((key) => !members.includes(key)), []);
});

for (const part of ["inputSchema", "outputSchema"] as const) {
  forEach(`has an ${part} that is plainly an object`, (definition) => {
    const schema = definition[part];
    assert(isJsonObject(schema) && schema.type === "object" && isJsonObject(schema.properties));
    assert.equal(schema.additionalProperties, false);
    const unwelcome = ["oneOf", "anyOf", "allOf", "not", "enum", "const", "if", "$ref", "$defs"];
    assert.deepEqual(unwelcome.filter((keyword) => keyword in schema), []);
  });

  forEach(`has no reference and no combination anywhere in its ${part}`, (definition) => {
    for (const { schema, path } of schemas(definition[part]!)) {
      const found = ["$ref", "oneOf", "anyOf", "allOf", "not", "patternProperties"]
        .find((keyword) => keyword in schema);
      assert.equal(found, undefined, path);
    }
  });

  forEach(`describes and types every property of its ${part}`, (definition) => {
    for (const { schema, path, isProperty } of schemas(definition[part]!)) {
      const types = Array.isArray(schema.type) ? schema.type : [schema.type];
      for (const type of types) {
        assert(
          ["object", "array", "string", "number", "integer", "boolean", "null"].includes(
            String(type),
          ),
          path,
        );
      }
      if (isProperty) assertDescription(schema.description, path);
      if (types.includes("array")) assert(isJsonObject(schema.items), `${path} has no items`);
      if (types.includes("object")) assert.equal(schema.additionalProperties, false, path);
    }
  });

  forEach(`requires only properties that its ${part} has`, (definition) => {
    for (const { schema: { required = [], properties = {} }, path } of schemas(definition[part]!)) {
      assert(Array.isArray(required) && isJsonObject(properties), path);
      assert.deepEqual(
        required.filter((name) => !Object.hasOwn(properties, String(name))),
        [],
        path,
      );
    }
  });
}

forEach(
  "asks for arguments of one type each, with short enums and defaults that are valid",
  ({ inputSchema }) => {
    for (const { schema, path } of schemas(inputSchema)) {
      assert.equal(typeof schema.type, "string", path);
      if ("default" in schema) assert.equal(validate(schema, schema.default!), undefined, path);
      if (!("enum" in schema)) continue;
      assert(
        Array.isArray(schema.enum) && schema.enum.length >= 2 && schema.enum.length <= 12,
        path,
      );
      for (const value of schema.enum) assert.equal(typeof value, "string", path);
    }
  },
);

forEach("answers with optional properties, an error string among them", ({ outputSchema }) => {
  assert(isJsonObject(outputSchema) && isJsonObject(outputSchema.properties));
  assert.equal(outputSchema.required, undefined);
  const { error } = outputSchema.properties;
  assert(isJsonObject(error) && error.type === "string");
});

forEach("has annotations that say what it does", ({ name, title, annotations }) => {
  assert(isJsonObject(annotations));
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...rest } = annotations;
  assert.deepEqual(rest, { title });
  for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]) {
    assert.equal(typeof hint, "boolean");
  }
  assert.equal(readOnlyHint, /_(get|list)_|_search|^reverse_/.test(name));
  if (readOnlyHint) assert(!destructiveHint && idempotentHint);
  assert.equal(openWorldHint, false, "the service is a closed one");
});

forEach("has _meta that points at the widget, if it has any", ({ _meta }) => {
  if (_meta === undefined) return;
  assert(isJsonObject(_meta));
  const {
    ui,
    "openai/outputTemplate": template,
    "openai/toolInvocation/invoking": invoking,
    "openai/toolInvocation/invoked": invoked,
    ...rest
  } = _meta;
  assert.deepEqual({ ui, template, rest }, {
    ui: { resourceUri: WIDGET_URI },
    template: WIDGET_URI,
    rest: {},
  });
  for (const text of [invoking, invoked]) {
    assert(typeof text === "string" && text.length > 0 && text.length <= 64, String(text));
  }
});

Deno.test("the definitions together leave a model room to work", async (t) => {
  const characters = JSON.stringify(
    definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  ).length;
  await t.step(`${definitions.length} tools, of 128 that OpenAI takes`, () => {
    assert(definitions.length <= 128);
  });
  await t.step(`${characters} characters of names, descriptions and input schemas`, () => {
    assert(characters < 60_000);
  });
});

function forEach(
  sentence: string,
  check: (definition: typeof definitions[number]) => void,
): void {
  Deno.test(`every tool ${sentence}`, async (t) => {
    for (const definition of definitions) await t.step(definition.name, () => check(definition));
  });
}

function assertDescription(description: JsonValue | undefined, path: string): void {
  assert(
    typeof description === "string" && description.trim() !== "",
    `${path} has no description`,
  );
  assert(description.length <= 1024, `${path}: ${description.length} characters`);
}

/** Every schema in a schema: itself, of properties, of elements. */
function* schemas(
  schema: JsonValue,
): Generator<{ schema: JsonObject; path: string; isProperty: boolean }> {
  for (const { value, pointer, place } of visit(schema)) {
    if (!isJsonObject(value)) continue;
    const isProperty = /\.properties\.[^.]+$/.test(place);
    if (place === "" || isProperty || place.endsWith(".items")) {
      yield { schema: value, path: pointer || "the schema", isProperty };
    }
  }
}
