import assert from "node:assert/strict";
import { join } from "node:path";
import { startServer } from "../support/program.ts";
import { exchange, RawConnection, type RawRequest, type RawResponse } from "../support/raw_http.ts";
import {
  assertDiscreet,
  assertServes,
  eventually,
  INITIALIZE,
  initialize,
  MENU,
  messageOf,
  openLegacy,
  post,
  POST_HEADERS,
  postLegacy,
  toolCall,
} from "./_wire.ts";

const LIMIT = 4 * 1024 * 1024;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

Deno.test("what cannot be served is refused in production's words and nothing more", async () => {
  await using server = await startServer();
  const session = await initialize(server.port);
  const own = { "mcp-session-id": session };
  const mcp = (body: string, headers: Record<string, string> = own): RawRequest => ({
    method: "POST",
    path: "/mcp",
    headers: { ...POST_HEADERS, ...headers },
    body,
  });
  const without = (name: string): RawRequest => {
    const headers = Object.entries(POST_HEADERS).filter(([key]) => key !== name);
    return { method: "POST", path: "/mcp", headers: Object.fromEntries(headers), body: PING };
  };
  const get = (headers: Record<string, string>, path = "/mcp"): RawRequest => ({
    method: "GET",
    path,
    headers: { accept: "text/event-stream", ...headers },
  });
  const cases: [status: number, text: string | RegExp, request: RawRequest][] = [
    [400, /^malformed payload: /, mcp("{")],
    [400, /^malformed payload: /, mcp('"text"')],
    [400, /^malformed payload: /, mcp("{}")],
    [400, /^malformed payload: /, mcp("\0\xff")],
    [400, "POST requires a non-empty body\n", mcp("")],
    [
      400,
      'JSON RPC not handled: "no/such" unsupported\n',
      mcp('{"jsonrpc":"2.0","id":1,"method":"no/such"}'),
    ],
    [
      400,
      /^JSON-RPC batching is not supported in 2025-06-18/,
      mcp(`[${PING}]`, { ...own, "mcp-protocol-version": "2025-06-18" }),
    ],
    [415, "Content-Type must be 'application/json'\n", without("content-type")],
    [415, "Content-Type must be 'application/json'\n", mcp(PING, { "content-type": "text/plain" })],
    [
      400,
      "Accept must contain both 'application/json' and 'text/event-stream'\n",
      without("accept"),
    ],
    [
      400,
      /^Bad Request: Unsupported protocol version/,
      mcp(PING, { "mcp-protocol-version": "2020-01-01" }),
    ],
    [404, "session not found\n", mcp(PING, { "mcp-session-id": "A".repeat(26) })],
    [404, "session not found\n", mcp(PING, { "mcp-session-id": "__proto__" })],
    [
      400,
      "Accept must contain 'text/event-stream' for GET requests\n",
      get({ accept: "text/html" }),
    ],
    [400, "Bad Request: GET requires an Mcp-Session-Id header\n", get({})],
    [404, "session not found\n", get({ "mcp-session-id": "nope" })],
    [400, "Bad Request: DELETE requires an Mcp-Session-Id header\n", {
      method: "DELETE",
      path: "/mcp",
    }],
    [405, "Method Not Allowed\n", { method: "PATCH", path: "/mcp" }],
    [405, "Method Not Allowed\n", { method: "TRACE", path: "/health" }],
    [404, "404 page not found\n", { method: "GET", path: "/../main.ts" }],
    [404, "404 page not found\n", { method: "GET", path: "//mcp" }],
    [404, "404 page not found\n", { method: "GET", path: "/tool%73/" }],
    [404, "404 page not found\n", { method: "OPTIONS", path: "*" }],
    [400, "sessionid must be provided\n", { ...mcp(PING), path: "/sse" }],
    [404, "session not found\n", { ...mcp(PING), path: "/sse?sessionid=nope" }],
  ];
  for (const [status, text, request] of cases) {
    const where = `${request.method} ${request.path} ${
      JSON.stringify(request.headers)
    } ${request.body}`;
    const response = await exchange(server.port, request);
    assert.equal(response.status, status, where);
    if (typeof text === "string") assert.equal(response.body, text, where);
    else assert.match(response.body, text, where);
    assertDiscreet(response, where);
  }
  await assertServes(server.port);
});

Deno.test("a body over 4 MiB is refused with 413, whether its length is told or not", async () => {
  await using server = await startServer();
  const { port } = server;
  const session = await initialize(port);
  using stream = await openLegacy(port);
  const padded = (size: number) => PING + " ".repeat(size - PING.length);
  const send = [
    (size: number) => post(port, padded(size), { "mcp-session-id": session }),
    (size: number) => postLegacy(port, stream.endpoint, padded(size)),
    async (size: number): Promise<RawResponse> => {
      using connection = await RawConnection.open(port);
      const head = ["POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Transfer-Encoding: chunked"];
      for (const [name, value] of Object.entries(POST_HEADERS)) head.push(`${name}: ${value}`);
      const chunk = `${size.toString(16)}\r\n${padded(size)}\r\n0\r\n\r\n`;
      // A server may refuse and close before it has taken all.
      await connection.write(`${head.join("\r\n")}\r\n\r\n${chunk}`).catch(() => {});
      return await connection.readResponse("POST");
    },
  ];
  for (const [way, sendBody] of send.entries()) {
    assert([200, 202].includes((await sendBody(LIMIT)).status), `way ${way}`);
    for (const size of [LIMIT + 1, 2 * LIMIT]) {
      const response = await sendBody(size);
      assert.equal(response.status, 413, `way ${way}, ${size} bytes`);
      assert.equal(response.body, `request body exceeds ${LIMIT} bytes\n`);
      assertDiscreet(response, `way ${way}`);
    }
  }
  await assertServes(port);
});

Deno.test("a fault in a file is an internal server error that names nothing", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "probe.md");
    const text = (answer: string) =>
      [
        "---\ntool: probe\n---\n## Definition\n```json tool",
        '{"name":"probe","inputSchema":{"type":"object"}}',
        "```\n## Scenario: usual\n```json response",
        answer,
        "```\n",
      ].join("\n");
    await Deno.writeTextFile(path, text('{"ok":true}'));
    await using server = await startServer(["--tools", folder]);
    const session = await initialize(server.port);
    const call = async () => {
      const response = await post(server.port, toolCall({ name: "probe" }), {
        "mcp-session-id": session,
      });
      assertDiscreet(response, response.body);
      return messageOf(response.body).result;
    };
    const internal = { content: [{ type: "text", text: "internal server error" }], isError: true };
    const faults = [
      text("{oops"),
      text("{{later}}"),
      "",
      text("1").replace("probe", "other"),
      "\0",
    ];
    for (const fault of faults) {
      await Deno.writeTextFile(path, fault);
      assert.deepEqual(await call(), internal, fault);
      await eventually("the developer is told the file", () => server.log().includes(path));
    }
    await Deno.remove(path);
    assert.deepEqual(await call(), internal, "deleted");
    await Deno.writeTextFile(path, text('{"ok":true}'));
    assert.deepEqual(await call(), {
      content: [{ type: "text", text: '{"ok":true}' }],
      structuredContent: { ok: true },
      isError: false,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what is no HTTP is refused or cut, and the next client is served", async () => {
  await using server = await startServer();
  const long = "x".repeat(1_000_000);
  const requests = [
    "\0\x01\x02\r\n\r\n",
    "GET\r\n\r\n",
    "GET /mcp HTTP/9.9\r\n\r\n",
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nxxxxxx",
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\nAccept: */*\r\n\r\nzz\r\n",
    "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.test\r\n\r\n",
    `GET /${long} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${long}\r\n\r\n`,
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n${"X: y\r\n".repeat(1000)}\r\n`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\0\0\0\0\0\0",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  ];
  for (const request of requests) {
    using connection = await RawConnection.open(server.port);
    await connection.write(request).catch(() => {});
    await connection.closeWrite();
    const rest = await connection.readRest();
    const where = `${JSON.stringify(request.slice(0, 60))}: ${rest.slice(0, 200)}`;
    assert.doesNotMatch(rest, /HTTP\/1\.1 [25]/, where);
    assert.doesNotMatch(rest, /deno|hyper|rust/i, where);
  }
  await assertServes(server.port);
});

Deno.test("a header of hundreds of kilobytes does not keep the others waiting", async () => {
  await using server = await startServer();
  const spaces = " ".repeat(150_000);
  const hostile = [
    { "content-type": `application/json;a=b${spaces}x` },
    { "content-type": `application/json${spaces}x` },
    { "accept": ",".repeat(150_000) },
    { "mcp-protocol-version": "9".repeat(150_000) },
    { "mcp-session-id": "A".repeat(150_000) },
    { "last-event-id": "_".repeat(150_000) },
    { "origin": `http://${":".repeat(150_000)}` },
    { "host": "[".repeat(150_000) },
  ];
  for (const headers of hostile) {
    const started = performance.now();
    const { status } = await post(server.port, INITIALIZE, headers);
    const name = Object.keys(headers)[0];
    assert(status >= 200 && status < 500, `${name}: ${status}`);
    assert(performance.now() - started < 3000, `${name}: ${performance.now() - started} ms`);
  }
});

Deno.test("arguments of every size and depth are answered", async () => {
  await using server = await startServer();
  const session = await initialize(server.port);
  const deep = (open: string, close: string, depth: number) =>
    open.repeat(depth) + close.repeat(depth);
  const long = "é".repeat(1_000_000);
  const cases: [status: number, args: string][] = [
    [400, deep("[", "]", 100_000)],
    [400, `{"restaurant_id":${deep("[", "]", 100_000)},"latitude":1,"longitude":1}`],
    [400, `{"toJSON":1,"x":${deep("[", "]", 100_000)}}`],
    [400, `[${"0,".repeat(1_000_000)}0]`],
    [200, `{"restaurant_id":[${"0,".repeat(90_000)}0]}`],
    [200, deep("[", "]", 900)],
    [200, `{"toJSON":1,"x":${deep('{"toJSON":', "}", 900).replace("}", "1}")}}`],
    [200, `{"restaurant_id":"${long}"}`],
    [200, `{"${long}":1}`],
    [200, '{"restaurant_id":1e999,"latitude":-1e999,"longitude":1e-999}'],
    [200, `{"restaurant_id":${"9".repeat(1_000_000)},"latitude":0.${"1".repeat(1_000_000)}}`],
    [200, '{"__proto__":{"restaurant_id":30104},"constructor":{"prototype":1}}'],
    [200, '{"restaurant_id":{"valueOf":1,"toString":1},"latitude":"\\ud800","longitude":null}'],
  ];
  const call = (text: string) =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${MENU.name}","arguments":${text}}}`;
  for (const [wanted, text] of cases) {
    const started = performance.now();
    const { status, body } = await post(server.port, call(text), { "mcp-session-id": session });
    const where = `${text.slice(0, 60)}…`;
    assert.equal(status, wanted, where);
    if (status === 200) assert.equal(messageOf(body).id, 7, where);
    else assert.match(body, /^malformed payload: .*exceeded max (?:depth|values)\n$/, where);
    assert(performance.now() - started < 5000, `${where}: ${performance.now() - started} ms`);
  }
  await assertServes(server.port);
});

Deno.test("a long text that more than a hundred rules look at does not keep the others waiting", async () => {
  await using server = await startServer();
  const session = await initialize(server.port);
  // In lower case each of these is two characters of two bytes.
  const query = "\u0130".repeat(1_900_000);
  const request = toolCall({
    name: "food_merchant_search",
    arguments: { query, latitude: 25.0866, longitude: 55.1474 },
  });
  const started = performance.now();
  const { status } = await post(server.port, request, { "mcp-session-id": session });
  assert.equal(status, 200);
  assert(performance.now() - started < 2500, `${performance.now() - started} ms`);
});

Deno.test("a batch cannot ask for more than the server can answer", async () => {
  await using server = await startServer();
  const session = await initialize(server.port);
  const batch = (size: number) =>
    JSON.stringify(
      Array.from({ length: size }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
    );
  const { status, body } = await post(server.port, batch(5_000), { "mcp-session-id": session });
  assert.equal(status, 400);
  assert.equal(body, "malformed payload: batch of 5000 messages exceeds 100\n");
  const served = await post(server.port, batch(100), { "mcp-session-id": session });
  assert.equal(served.status, 200);
  assert.equal(served.body.split("event: message\n").length - 1, 100);
});
