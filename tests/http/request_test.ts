import assert from "node:assert/strict";
import fc from "fast-check";
import { targetOf } from "../../lib/http/http.ts";
import { refuse } from "../../lib/http/refuse.ts";
import { declaresJson, readBody } from "../../lib/http/request.ts";
import { accepts } from "../../lib/http/streamable.ts";

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("http://127.0.0.1/mcp", { method: "POST", body, headers });
}

/** A request whose body arrives in the given pieces, without a length. */
function chunked(...pieces: Uint8Array[]): Request {
  return post(ReadableStream.from(pieces) as ReadableStream<Uint8Array<ArrayBuffer>>);
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a refusal is a line of plain text that no browser takes for anything else", async () => {
  const response = refuse(405, "Method Not Allowed", { allow: "GET" });
  assert.equal(response.status, 405);
  assert.equal(await response.text(), "Method Not Allowed\n");
  assert.deepEqual(Object.fromEntries(response.headers), {
    "allow": "GET",
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
});

Deno.test("a target is read whatever the Host is", () => {
  const cases: [url: string, path: string, session: string | null][] = [
    ["http://127.0.0.1/mcp", "/mcp", null],
    ["http://127.999.0.1/sse?sessionid=A", "/sse", "A"],
    ["http://a b/sse?sessionid=A&sessionid=B", "/sse", "A"],
    ["http:///health", "/health", null],
    ["http://[::1]:80/sse?x=1&sessionid=%41#sessionid=C", "/sse", "A"],
    ["http://h//mcp", "//mcp", null],
    ["http://h", "", null],
    ["http://h?sessionid=A", "", "A"],
    ["*", "/", null],
  ];
  for (const [url, path, session] of cases) {
    const target = targetOf({ url } as Request);
    assert.equal(target.path, path, url);
    assert.equal(new URLSearchParams(target.query).get("sessionid"), session, url);
  }
});

Deno.test("a body is read whole, however it is cut into pieces", () =>
  fc.assert(fc.asyncProperty(
    fc.string({ unit: "grapheme" }),
    fc.array(fc.nat(20)),
    async (text, cuts) => {
      let rest = bytes(text);
      const pieces = cuts.map((cut) => {
        const piece = rest.subarray(0, cut);
        rest = rest.subarray(cut);
        return piece;
      });
      assert.equal(await readBody(chunked(...pieces, rest), 10_000), text.toWellFormed());
    },
  )));

Deno.test("a byte order mark is kept, and bytes that are no UTF-8 are replaced", async () => {
  assert.equal(await readBody(post("\uFEFF{}"), 100), "\uFEFF{}");
  assert.equal(
    await readBody(post(new Uint8Array([0x22, 0xff, 0xc3, 0x22])), 100),
    '"\uFFFD\uFFFD"',
  );
  assert.equal(await readBody(new Request("http://h/", { method: "POST" }), 100), "");
});

Deno.test("a body of the limit is read, and one byte more is refused", async () => {
  const limit = 10;
  for (const request of [post("x".repeat(10)), chunked(bytes("x".repeat(9)), bytes("x"))]) {
    assert.equal(await readBody(request, limit), "x".repeat(10));
  }
  for (const request of [post("x".repeat(11)), chunked(bytes("x".repeat(10)), bytes("x"))]) {
    const refusal = await readBody(request, limit);
    assert(refusal instanceof Response);
    assert.equal(refusal.status, 413);
    assert.equal(await refusal.text(), "request body exceeds 10 bytes\n");
  }
});

Deno.test("a body that is announced as too large is refused before it is read", async () => {
  const request = post("{}", { "content-length": "11" });
  const refusal = await readBody(request, 10);
  assert(refusal instanceof Response && refusal.status === 413);
  assert.equal(request.bodyUsed, false);
});

Deno.test("a body that grows past the limit is not read on", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      sent++;
      controller.enqueue(new Uint8Array(1000));
    },
  });
  const refusal = await readBody(post(endless), 10_000);
  assert(refusal instanceof Response && refusal.status === 413);
  assert(sent < 20, `${sent} pieces were read`);
});

Deno.test("a body that stalls is given up", async () => {
  let cancelled = false;
  const stalled = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytes("{")),
    cancel: () => void (cancelled = true),
  });
  const refusal = await readBody(post(stalled), 100, 20);
  assert(refusal instanceof Response);
  assert.equal(refusal.status, 408);
  assert.equal(await refusal.text(), "request body took too long\n");
  assert(cancelled);
});

Deno.test("a body that breaks off is the client's fault", async () => {
  const headersOfEach: Record<string, string>[] = [{}, { "content-length": "5" }];
  for (const headers of headersOfEach) {
    const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(bytes("{")),
      pull: (controller) => controller.error(new Error("cut")),
    });
    const refusal = await readBody(post(broken, headers), 100);
    assert(refusal instanceof Response);
    assert.deepEqual([refusal.status, await refusal.text()], [400, "failed to read body\n"]);
  }
});

Deno.test("an Accept header is read with its wildcards and parameters", () => {
  const cases: [accept: string | null, json: boolean, stream: boolean][] = [
    [null, false, false],
    ["", false, false],
    ["application/json, text/event-stream", true, true],
    ["Application/JSON;q=0.5 ,\ttext/event-stream; charset=utf-8", true, true],
    ["*/*", true, true],
    ["application/*", true, false],
    ["text/*;q=0", false, true],
    ["application/jsonp, text/event-streams, */", false, false],
    [",,,", false, false],
  ];
  for (const [accept, json, stream] of cases) {
    assert.deepEqual(accepts(accept), { json, stream }, String(accept));
  }
});

Deno.test("a content type is JSON only in a form that Go can read", () => {
  const json = [
    "application/json",
    "Application/JSON",
    " application/json ;charset=utf-8",
    'application/json; charset="utf-8"; a=b',
    "application/json;",
  ];
  for (const type of json) assert(declaresJson(type), type);
  const others = [
    null,
    "",
    "text/plain",
    "application/json5",
    "application/json, text/plain",
    "application/json; charset",
    "application/json; a=b; a=c",
    "application/json; a=b; A=c",
    'application/json; a="b',
  ];
  for (const type of others) assert(!declaresJson(type), String(type));
});

Deno.test("no header keeps the server busy by its length", () => {
  const long = 200_000;
  const hostile = [
    `application/json${" ".repeat(long)}x`,
    `application/json;a=b${" ".repeat(long)}x`,
    `application/json${";a=b".repeat(long / 4)}\x01`,
    `application/json;a="${"\\".repeat(long)}`,
    `application/json;${" ;".repeat(long / 2)}`,
    ",".repeat(long),
    "a/".repeat(long / 2),
  ];
  for (const header of hostile) {
    const started = performance.now();
    declaresJson(header);
    accepts(header);
    const took = performance.now() - started;
    // Without care these take minutes.
    assert(took < 1000, `${took} ms for ${header.slice(0, 30)}…`);
  }
});
