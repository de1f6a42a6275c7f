import assert from "node:assert/strict";
import { startServer } from "../support/program.ts";
import { exchange, type RawRequest } from "../support/raw_http.ts";
import { assertDiscreet, INITIALIZE, post, POST_HEADERS } from "./_wire.ts";

const PATHS = ["/mcp", "/sse", "/health", "/", "/nowhere"];
const METHODS = ["GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT"];

/** Sends a request and checks that the answer gives nothing away. */
async function answer(port: number, request: RawRequest) {
  const response = await exchange(port, request);
  assertDiscreet(response, `${request.method} ${request.path}`);
  return response;
}

/** What an answer varies by; some bases of the executable add the encoding, always. */
function variesBy(headers: ReadonlyMap<string, string>): string[] {
  return (headers.get("vary") ?? "").split(", ")
    .filter((name) => name !== "" && name !== "Accept-Encoding");
}

Deno.test("a server on loopback", async (t) => {
  await using server = await startServer();
  const { port } = server;

  await t.step("refuses a foreign Host on every path and with every method", async () => {
    for (const path of PATHS) {
      for (const method of METHODS) {
        const { status, headers, body } = await answer(port, { method, path, host: "evil.test" });
        const where = `${method} ${path}`;
        assert.equal(status, 403, where);
        assert.equal(headers.get("content-type"), "text/plain; charset=utf-8", where);
        const refusal = 'Forbidden: invalid Host header "evil.test"\n';
        assert.equal(body, method === "HEAD" ? "" : refusal, where);
      }
    }
  });

  await t.step("refuses every way to write a foreign Host", async () => {
    const hosts = [
      "evil.test:80",
      "127.0.0.1.evil.test",
      "localhost.evil.test:8787",
      "127.999.0.1",
      "[::2]",
      "a b",
      "",
      "@localhost",
      "localhost@evil.test",
    ];
    for (const host of hosts) {
      assert.equal(
        (await answer(port, { method: "GET", path: "/health", host })).status,
        403,
        host,
      );
    }
  });

  await t.step("refuses a URL that names a foreign host, whatever the header says", async () => {
    for (
      const path of ["http://evil.test/health", "http://evil.test:80/mcp", "http://a@evil.test/"]
    ) {
      const { status } = await answer(port, { method: "GET", path });
      assert.equal(status, 403, path);
    }
    const own = await answer(port, { method: "GET", path: `http://127.0.0.1:${port}/health` });
    assert.equal(own.status, 200);
  });

  await t.step("serves every name of this machine", async () => {
    for (const host of ["localhost", `localhost:${port}`, "127.0.0.1", "[::1]:8787", "127.1.2.3"]) {
      assert.equal(
        (await answer(port, { method: "GET", path: "/health", host })).status,
        200,
        host,
      );
    }
  });

  await t.step("refuses a foreign Origin on every path, and gives its page nothing", async () => {
    for (const origin of ["https://evil.test", "null", "http://localhost.evil.test"]) {
      for (const path of PATHS) {
        for (const method of ["GET", "POST", "OPTIONS"]) {
          const headers = { ...POST_HEADERS, origin, "access-control-request-method": "POST" };
          const response = await answer(port, { method, path, headers, body: "{}" });
          assert.equal(response.status, 403, `${method} ${path} from ${origin}`);
          const cors = [...response.headers.keys()].filter((name) => name.startsWith("access-"));
          assert.deepEqual(cors, [], `${method} ${path} from ${origin}`);
        }
      }
    }
  });

  await t.step("serves pages of this machine", async () => {
    const origin = "http://localhost:6274";
    const { status, headers } = await post(port, INITIALIZE, { origin });
    assert.equal(status, 200);
    assert.equal(headers.get("access-control-allow-origin"), origin);
    assert.equal(headers.get("access-control-expose-headers"), "Mcp-Session-Id");
    assert.deepEqual(variesBy(headers), ["Origin"]);
    assert.match(headers.get("mcp-session-id") ?? "", /^[A-Z2-7]{26}$/);
  });

  await t.step("has no CORS headers for clients that are no web pages", async () => {
    for (const origin of [undefined, "vscode-webview://abc"]) {
      const { status, headers } = await post(port, INITIALIZE, origin ? { origin } : {});
      assert.equal(status, 200);
      assert.equal(headers.get("access-control-allow-origin"), undefined);
      assert.deepEqual(variesBy(headers), []);
    }
  });

  await t.step("answers OPTIONS without an Origin as any other method", async () => {
    const allow = { "/mcp": "GET, POST, DELETE", "/sse": "GET, POST", "/health": "GET, HEAD" };
    for (const [path, methods] of Object.entries(allow)) {
      const { status, headers, body } = await answer(port, { method: "OPTIONS", path });
      assert.deepEqual([status, headers.get("allow"), body], [
        405,
        methods,
        "Method Not Allowed\n",
      ]);
    }
  });

  assert.doesNotMatch(server.log(), /Warning/);
});

Deno.test("--allow-host adds a tunnel's name, and only that", async () => {
  await using server = await startServer(["--allow-host", "abc.tunnel.test"]);
  const status = async (host: string) =>
    (await answer(server.port, { method: "GET", path: "/health", host })).status;
  assert.equal(await status("abc.tunnel.test"), 200);
  assert.equal(await status("ABC.tunnel.test:443"), 200);
  assert.equal(await status("localhost"), 200);
  assert.equal(await status("xyz.tunnel.test"), 403);
  assert.doesNotMatch(server.log(), /Warning/);
});

Deno.test("--allow-host '*' serves any Host and warns of it", async () => {
  await using server = await startServer(["--allow-host", "*"]);
  for (const host of ["evil.test", "a b", "", "127.999.0.1", "[", "%zz"]) {
    const { status, body } = await answer(server.port, { method: "GET", path: "/health", host });
    assert.equal(status, 200, host);
    assert.match(body, /^{"status":"ok","tools":\d+}$/, host);
  }
  assert.match(server.log(), /Warning: --allow-host '\*'/);
});

Deno.test("--allow-origin makes a page's browser content", async (t) => {
  const origin = "https://app.test";
  await using server = await startServer(["--allow-origin", origin]);
  const { port } = server;

  await t.step("its preflights are answered on every path", async () => {
    const asked = "content-type,mcp-protocol-version,mcp-session-id,x-own";
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": asked,
    };
    for (const path of ["/mcp", "/sse", "/health"]) {
      const response = await answer(port, { method: "OPTIONS", path, headers });
      assert.equal(response.status, 204, path);
      assert.equal(response.headers.get("access-control-allow-origin"), origin);
      assert.equal(response.headers.get("access-control-allow-methods"), "GET, POST, DELETE");
      assert.equal(response.headers.get("access-control-allow-headers"), asked);
      assert.deepEqual(variesBy(response.headers), ["Access-Control-Request-Headers", "Origin"]);
    }
  });

  await t.step("it may read answers and refusals", async () => {
    const requests: [number, RawRequest][] = [
      [200, {
        method: "POST",
        path: "/mcp",
        headers: POST_HEADERS,
        body: JSON.stringify(INITIALIZE),
      }],
      [400, { method: "POST", path: "/mcp", headers: POST_HEADERS, body: "{" }],
      [404, { method: "GET", path: "/nowhere" }],
      [405, { method: "PUT", path: "/mcp" }],
      [200, { method: "GET", path: "/health" }],
    ];
    for (const [wanted, request] of requests) {
      const headers = { ...request.headers, origin };
      const response = await answer(port, { ...request, headers });
      assert.equal(response.status, wanted, request.path);
      assert.equal(response.headers.get("access-control-allow-origin"), origin, request.path);
      assert.deepEqual(variesBy(response.headers), ["Origin"]);
    }
  });

  await t.step("other pages are refused as before", async () => {
    const headers = { origin: "https://other.test" };
    assert.equal((await answer(port, { method: "GET", path: "/health", headers })).status, 403);
  });
});

Deno.test("--allow-origin '*' serves any page and warns of it", async () => {
  await using server = await startServer(["--allow-origin", "*"]);
  const headers = { origin: "https://any.test" };
  const { status, headers: got } = await answer(server.port, {
    method: "GET",
    path: "/health",
    headers,
  });
  assert.deepEqual([status, got.get("access-control-allow-origin")], [200, "https://any.test"]);
  assert.match(server.log(), /Warning: --allow-origin '\*'/);
});

Deno.test("a server that other machines can reach warns, loudly unless it is told its names", async () => {
  const health = (host: string): RawRequest => ({ method: "GET", path: "/health", host });
  {
    await using server = await startServer(["--host", "0.0.0.0"]);
    assert.match(server.log(), /Warning: 0\.0\.0\.0 is reachable from other machines/);
    assert.match(server.log(), /Warning: any Host is served.*--allow-host/);
    assert.equal((await answer(server.port, health("any.test"))).status, 200);
    // A page's origin is looked at all the same.
    const headers = { origin: "https://evil.test" };
    assert.equal((await answer(server.port, { ...health("any.test"), headers })).status, 403);
  }
  {
    await using server = await startServer(["--host", "0.0.0.0", "--allow-host", "mine.test"]);
    assert.match(server.log(), /Warning: 0\.0\.0\.0 is reachable from other machines/);
    assert.doesNotMatch(server.log(), /any Host is served/);
    assert.equal((await answer(server.port, health("mine.test"))).status, 200);
    assert.equal((await answer(server.port, health("any.test"))).status, 403);
  }
});

Deno.test("an address that is loopback is guarded, however it was written", async () => {
  for (const host of ["LOCALHOST", "0:0:0:0:0:0:0:1"]) {
    await using server = await startServer(["--host", host]);
    const ours = host === "LOCALHOST" ? "localhost" : "[::1]";
    using connection = await Deno.connect({
      hostname: ours.replace(/[[\]]/g, ""),
      port: server.port,
    });
    const request = "GET /health HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n";
    await connection.write(new TextEncoder().encode(request));
    const answer = await new Response(connection.readable).text();
    assert.match(answer, /^HTTP\/1\.1 403 /, host);
  }
});
