import assert from "node:assert/strict";
import {
  allowReading,
  answerPreflight,
  type Guard,
  isLoopbackName,
  turnAway,
} from "../../lib/http/guard.ts";

const LOOPBACK: Guard = { loopback: true, allowedHosts: [], allowedOrigins: [] };

/** A request as the runtime hands it over; `Host` may be anything there. */
function request(headers: Record<string, string>, method = "POST"): Request {
  return { method, headers: new Headers(headers), url: "http://127.0.0.1/mcp" } as Request;
}

async function refused(headers: Record<string, string>, guard: Partial<Guard> = {}) {
  const response = turnAway(request(headers), { ...LOOPBACK, ...guard });
  return response && `${response.status} ${await response.text()}`;
}

Deno.test("only names that can only mean this machine are loopback", () => {
  const loopback = ["localhost", "127.0.0.1", "127.255.255.255", "127.1.2.3", "::1"];
  for (const name of [...loopback, "::ffff:127.0.0.1"]) assert(isLoopbackName(name), name);
  const foreign = [
    "",
    "*",
    "LOCALHOST",
    "localhost.",
    "localhost.evil.test",
    "evil-localhost",
    "127.0.0.1.evil.test",
    "127.1",
    "127.0.0",
    "127.256.0.1",
    "127.01.0.1",
    "128.0.0.1",
    "0.0.0.0",
    "::",
    "::2",
    "fe80::1",
    "2130706433",
    "0x7f000001",
    "127.0.0.1\n",
  ];
  for (const name of foreign) assert(!isLoopbackName(name), name);
});

Deno.test("on loopback a foreign Host is refused, and loopback's own names are not", async () => {
  const own = ["localhost", "localhost:8787", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8787"];
  for (const host of own) assert.equal(await refused({ host }), undefined, host);
  const foreign = ["evil.test", "evil.test:8787", "localhost:1:2", "10.0.0.1", "[::2]:80", "a b"];
  for (const host of foreign) {
    assert.equal(await refused({ host }), `403 Forbidden: invalid Host header "${host}"\n`);
  }
  assert.equal(await refused({ host: "" }), '403 Forbidden: invalid Host header ""\n');
});

Deno.test("without a Host, as over HTTP/2, the authority of the URL is the host", async () => {
  const outcome = async (url: string): Promise<string | undefined> => {
    const response = turnAway({ ...request({}), url } as Request, LOOPBACK);
    return await response?.text();
  };
  for (const own of ["http://127.0.0.1:8787/mcp", "http://localhost/mcp", "http://[::1]:1/mcp"]) {
    assert.equal(await outcome(own), undefined, own);
  }
  const refusal = 'Forbidden: invalid Host header "evil.test:8787"\n';
  assert.equal(await outcome("http://evil.test:8787/mcp"), refusal);
  assert.equal(await outcome("http:///mcp"), 'Forbidden: invalid Host header ""\n');
});

Deno.test("an allowed Host passes with or without its port, in any case, and no other does", async () => {
  const guard = { allowedHosts: ["Tunnel.Test", "with-port.test:81", "[fe80::1]"] };
  const allowed = ["tunnel.test", "TUNNEL.test:443", "with-port.test:81", "localhost", "[fe80::1]"];
  for (const host of allowed) assert.equal(await refused({ host }, guard), undefined, host);
  for (const host of ["a.tunnel.test", "tunnel.test.evil.test", "with-port.test:82", ""]) {
    assert.match(await refused({ host }, guard) ?? "", /^403 Forbidden: invalid Host/, host);
  }
  assert.equal(await refused({ host: "any.test" }, { allowedHosts: ["*"] }), undefined);
});

Deno.test("beyond loopback any Host passes until the right ones are named", async () => {
  const host = "any.test";
  assert.equal(await refused({ host }, { loopback: false }), undefined);
  const named = { loopback: false, allowedHosts: ["mine.test"] };
  assert.match(await refused({ host }, named) ?? "", /^403/);
  for (const host of ["mine.test", "127.0.0.1"]) {
    assert.equal(await refused({ host }, named), undefined);
  }
});

Deno.test("a foreign web Origin is refused, on loopback and beyond", async () => {
  const host = "127.0.0.1";
  const own = ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:80"];
  const notWeb = ["vscode-webview://abc", "file://", "app://obsidian.md"];
  for (const origin of [...own, ...notWeb]) {
    assert.equal(await refused({ host, origin }), undefined, origin);
  }
  const foreign = [
    "https://evil.test",
    "HTTPS://EVIL.test",
    "null",
    "http://localhost.evil.test",
    "http://localhost@evil.test",
    "http://evil.test/localhost",
    "http://127.0.0.1.evil.test:80",
  ];
  for (const loopback of [true, false]) {
    for (const origin of foreign) {
      const text = await refused({ host, origin }, { loopback });
      assert.equal(text, `403 Forbidden: invalid Origin header "${origin}"\n`);
    }
  }
});

Deno.test("an allowed Origin passes whole, not in part", async () => {
  const host = "localhost";
  const guard = { allowedOrigins: ["https://App.test/", "http://b.test:81"] };
  for (const origin of ["https://app.test", "http://b.test:81"]) {
    assert.equal(await refused({ host, origin }, guard), undefined, origin);
  }
  const others = ["http://app.test", "https://app.test:444", "https://a.app.test", "http://b.test"];
  for (const origin of others) assert.match(await refused({ host, origin }, guard) ?? "", /^403/);
  for (const origin of ["https://any.test", "null"]) {
    assert.equal(await refused({ host, origin }, { allowedOrigins: ["*"] }), undefined);
  }
});

Deno.test("a page of an allowed origin may read the answer and its session id", () => {
  const response = new Response("", { headers: { vary: "Accept" } });
  allowReading(request({ origin: "https://app.test" }), response);
  assert.deepEqual(Object.fromEntries(response.headers), {
    "access-control-allow-origin": "https://app.test",
    "access-control-expose-headers": "Mcp-Session-Id",
    "content-type": "text/plain;charset=UTF-8",
    "vary": "Accept, Origin",
  });
});

Deno.test("an answer to anything but a web page has no CORS headers", () => {
  for (const headers of [{}, { origin: "vscode-webview://abc" }]) {
    const response = new Response(null);
    allowReading(request(headers), response);
    assert.deepEqual([...response.headers], []);
  }
});

Deno.test("a preflight is answered for every method and the headers that were asked for", () => {
  const asked = {
    "origin": "https://app.test",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type, mcp-session-id, x-own",
  };
  const answer = answerPreflight(request(asked, "OPTIONS"));
  assert.equal(answer?.status, 204);
  assert.deepEqual(Object.fromEntries(answer.headers), {
    "access-control-allow-headers": "content-type, mcp-session-id, x-own",
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-max-age": "600",
    "vary": "Access-Control-Request-Headers",
  });
});

Deno.test("what is no preflight is not answered as one", () => {
  const origin = "https://app.test";
  const cases: [string, Record<string, string>][] = [
    ["OPTIONS", {}],
    ["OPTIONS", { origin }],
    ["OPTIONS", { "access-control-request-method": "POST" }],
    ["POST", { origin, "access-control-request-method": "POST" }],
  ];
  for (const [method, headers] of cases) {
    assert.equal(answerPreflight(request(headers, method)), undefined, JSON.stringify(headers));
  }
});
