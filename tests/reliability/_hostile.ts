import fc from "fast-check";
import type { JsonObject } from "../../lib/json.ts";

// Everything a hostile client may send, as text: JSON that no JavaScript value can say (numbers
// beyond doubles, keys twice, lone surrogates) has to come over the wire as well.

const deep = (open: string, close: string, depth: number) =>
  open.repeat(depth) + close.repeat(depth);

const literalText = fc.constantFrom(
  "null",
  "true",
  "false",
  "0",
  "-0",
  "1",
  "-1",
  "30104",
  "25.0866",
  "55.1474",
  "0.1",
  "1e2",
  "1e999",
  "-1e999",
  "1e-999",
  "9007199254740993",
  "-9223372036854775809",
  "9".repeat(400),
  `0.${"3".repeat(400)}`,
);

const stringText = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '""',
    '"*"',
    '"~"',
    '"="',
    '"{{now}}"',
    '"{{args.query}}"',
    '"\\"}}{{"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000\\u001b[31m\\r\\n"',
    '"\\u2028\\u2029\\ufeff\\uffff"',
    '"../../../etc/passwd"',
    '"$ref"',
    '"sushi"',
  ),
  fc.constantFrom("a", "é", "İ", "😀", "\\u0001", "\\\\", "\\ud800").map((piece) =>
    `"${piece.repeat(20_000)}"`
  ),
);

const keyText = fc.oneof(
  { weight: 3, arbitrary: stringText.filter((text) => text.length < 100) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '"__proto__"',
      '"constructor"',
      '"prototype"',
      '"hasOwnProperty"',
      '"toJSON"',
      '"valueOf"',
      '"length"',
      '"0"',
      '"_meta"',
      '"task"',
      '"progressToken"',
    ),
  },
);

/** A JSON text of any shape. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 5, arbitrary: literalText },
    { weight: 5, arbitrary: stringText },
    {
      weight: 3,
      arbitrary: fc.array(tie("value"), { maxLength: 5 }).map((items) => `[${items.join(",")}]`),
    },
    {
      weight: 4,
      arbitrary: fc.array(fc.tuple(keyText, tie("value")), { maxLength: 5 }).map(objectText),
    },
  ),
})).value;

function objectText(members: readonly (readonly [key: string, value: string])[]): string {
  return `{${members.map(([key, value]) => `${key}:${value}`).join(",")}}`;
}

/** A JSON text that is nested or long beyond reason. */
const extremeText = fc.constantFrom(
  () => deep("[", "]", 100_000),
  () => deep('{"a":', "}", 100_000).replace("}", "1}"),
  () => `[${"0,".repeat(20_000)}0]`,
  () => `[${'"",'.repeat(20_000)}""]`,
  () => objectText(Array.from({ length: 20_000 }, (_, key) => [`"k${key}"`, "1"])),
  () => `"${"x".repeat(2_000_000)}"`,
  () => "9".repeat(1_000_000),
).map((make) => make());

const anyText = fc.oneof({ weight: 150, arbitrary: jsonText }, {
  weight: 1,
  arbitrary: extremeText,
});

/** Mostly `usual`, now and then anything at all. */
function mostly(usual: fc.Arbitrary<string>, share = 6): fc.Arbitrary<string> {
  return fc.oneof({ weight: share, arbitrary: usual }, { weight: 1, arbitrary: anyText });
}

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "resources/subscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "server/discover",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "rpc.discover",
  "",
].map((method) => JSON.stringify(method));

const metaText = fc.oneof(
  jsonText,
  fc.tuple(
    fc.constantFrom(
      '"progressToken"',
      '"io.modelcontextprotocol/protocolVersion"',
      '"traceparent"',
    ),
    jsonText,
  ).map((member) => objectText([member])),
);

const listParams = fc.array(
  fc.tuple(
    fc.constantFrom('"cursor"', '"uri"', '"name"', '"level"', '"ref"', '"protocolVersion"', '"x"'),
    anyText,
  ),
  { maxLength: 3 },
);

/** A tool as its schema tells a client of it. */
export interface Target {
  readonly name: string;
  readonly properties: readonly string[];
}

/** The tools of a `tools/list` result. */
export function targetsOf(tools: readonly JsonObject[]): Target[] {
  return tools.map(({ name, inputSchema }) => ({
    name: String(name),
    properties: Object.keys((inputSchema as JsonObject).properties ?? {}),
  }));
}

/** `params` of a call: of a tool that is there, with its own arguments holding anything. */
function callParams(targets: readonly Target[]): fc.Arbitrary<[string, string][]> {
  return fc.constantFrom(...targets).chain(({ name, properties }) =>
    fc.tuple(
      mostly(fc.constant(JSON.stringify(name)), 20),
      mostly(
        fc.array(
          fc.tuple(
            mostly(fc.constantFrom(...properties, "x").map((key) => JSON.stringify(key)), 9)
              .map((key) => key.startsWith('"') ? key : '"x"'),
            anyText,
          ),
          { maxLength: 6 },
        ).map(objectText),
        9,
      ),
      fc.option(metaText, { freq: 4 }),
    ).map(([tool, args, meta]): [string, string][] => [
      ['"name"', tool],
      ['"arguments"', args],
      ...(meta === null ? [] : [['"_meta"', meta] as [string, string]]),
    ])
  );
}

/** A JSON-RPC message, or something like one. */
function messageText(targets: readonly Target[]): fc.Arbitrary<string> {
  const call = fc.tuple(
    fc.constant('"tools/call"'),
    mostly(callParams(targets).map(objectText), 20),
  );
  const other = fc.tuple(
    mostly(fc.constantFrom(...METHODS), 12),
    mostly(listParams.map(objectText), 3),
  );
  return fc.tuple(
    mostly(fc.constant('"2.0"'), 30),
    mostly(fc.integer().map(String), 3),
    fc.oneof({ weight: 3, arbitrary: call }, { weight: 2, arbitrary: other }),
    fc.integer({ min: 0, max: 40 }),
  ).map(([version, id, [method, params], left]) => {
    const members: [string, string][] = [
      ['"jsonrpc"', version],
      ['"id"', id],
      ['"method"', method],
      ['"params"', params],
    ];
    // Now and then one of them is missing, twice there, or an answer stands in its place.
    if (left < 4) members.splice(left, 1);
    if (left === 4) members.push(['"id"', "1"], ['"method"', '"ping"']);
    if (left === 5) members[2] = ['"result"', params];
    if (left === 6) members[2] = ['"error"', params];
    return objectText(members);
  });
}

/** A body: a message, a batch, a part of one, or no JSON at all. */
export function bodyText(targets: readonly Target[]): fc.Arbitrary<string> {
  const message = messageText(targets);
  return fc.oneof(
    { weight: 20, arbitrary: message },
    {
      weight: 2,
      arbitrary: fc.array(message, { maxLength: 4 }).map((texts) => `[${texts.join(",")}]`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(message, fc.nat(200)).map(([text, cut]) => text.slice(0, cut)),
    },
    { weight: 1, arbitrary: fc.tuple(message, message).map(([a, b]) => a + b) },
    { weight: 2, arbitrary: anyText },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
}

/** A header value that a client can send: no control characters but the tab. */
const headerText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) }),
  fc.constantFrom(
    "",
    "*",
    "*/*",
    ",",
    ";",
    '"',
    "null",
    "0",
    "__proto__",
    " \t ",
    "é",
    "a".repeat(5000),
  ),
);

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  "accept": ["application/json, text/event-stream", "*/*", "text/event-stream", "application/json"],
  "content-type": ["application/json", "application/json; charset=utf-8", "text/plain"],
  "mcp-protocol-version": ["2025-11-25", "2025-06-18", "2025-03-26", "2026-07-28", "9999-99-99"],
  "last-event-id": ["_0", "1", "x_1"],
  "origin": ["http://localhost:3000", "https://evil.test", "null", "vscode-webview://a"],
  "mcp-method": ["tools/call", "ping"],
  "expect": ["100-continue", "x"],
  "accept-encoding": ["gzip, br", "identity"],
  "access-control-request-method": ["POST"],
  "upgrade": ["websocket", "h2c"],
};

/** Headers: the usual ones of a POST, and a few that are changed. */
export const headerFields: fc.Arbitrary<Record<string, string>> = fc.array(
  fc.constantFrom(...Object.keys(HEADERS)).chain((name) =>
    fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...HEADERS[name]!), headerText))
  ),
  { maxLength: 3 },
).map((fields) => Object.fromEntries(fields));

/** Where a request goes. */
export type Route = "session" | "no session" | "legacy" | "elsewhere";

/** One request of a hostile client. */
export interface Shot {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A request of a hostile client who knows the tools. */
export function shot(targets: readonly Target[]): fc.Arbitrary<Shot> {
  const often = <T>(usual: T, others: fc.Arbitrary<T>, share: number): fc.Arbitrary<T> =>
    fc.oneof({ weight: share, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
  return fc.record({
    route: fc.oneof(
      { weight: 12, arbitrary: fc.constant<Route>("session") },
      { weight: 2, arbitrary: fc.constant<Route>("no session") },
      { weight: 5, arbitrary: fc.constant<Route>("legacy") },
      { weight: 1, arbitrary: fc.constant<Route>("elsewhere") },
    ),
    method: often("POST", fc.constantFrom("GET", "DELETE", "OPTIONS", "HEAD", "PUT", "QUERY"), 15),
    path: fc.oneof(
      fc.constantFrom(
        "/",
        "/health",
        "/mcp/",
        "/mcp?x=1",
        "/sse",
        "/sse?sessionid=",
        "//",
        "/%2e%2e/",
      ),
      fc.webPath().map((path) => `/${path}`),
    ),
    host: often(
      "127.0.0.1",
      fc.oneof(
        fc.constantFrom("evil.test", "127.999.0.1", "[", "a b", "localhost:99999"),
        headerText,
      ),
      40,
    ),
    headers: often({}, headerFields, 3),
    body: bodyText(targets),
  });
}
