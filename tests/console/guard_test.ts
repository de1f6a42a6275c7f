import assert from "node:assert/strict";
import { exchange, type RawRequest } from "../support/raw_http.ts";
import { openConsole } from "./_console.ts";

/** What a request made by hand is answered with. */
async function statusOf(port: number, request: RawRequest): Promise<number> {
  return (await exchange(port, request)).status;
}

const READS = [
  "/api/about",
  "/api/calls",
  "/api/calls/x",
  "/api/events",
  "/api/tools",
  "/api/tools/order_track",
  "/api/find?q=a",
  "/api/forced",
  "/api/problems",
  "/api/widget",
  "/api/widget/frame",
];
const WRITES: readonly (readonly [method: string, path: string])[] = [
  ["DELETE", "/api/calls"],
  ["POST", "/api/preview"],
  ["PUT", "/api/forced/order_track"],
  ["DELETE", "/api/forced"],
  ["DELETE", "/api/forced/order_track"],
  ["POST", "/api/scenarios"],
];

Deno.test("no page of another origin, and no browser that was misled, reads or writes anything", async () => {
  await using console = await openConsole();
  const port = Number(new URL(console.url).port);
  const own = `127.0.0.1:${port}`;
  const foreign: Record<string, string>[] = [
    { Origin: "https://evil.test" },
    { Origin: "http://localhost:3000" },
    { Origin: `https://${own}` },
    { Origin: "null" },
    { Origin: "vscode-webview://x" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ];
  const paths = [...READS.map((path) => ["GET", path] as const), ...WRITES];
  for (const [method, path] of paths) {
    for (const headers of foreign) {
      const status = await statusOf(port, { method, path, host: own, headers });
      assert.equal(status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
    }
    for (const host of ["evil.test", `evil.test:${port}`, "10.0.0.1", "", "localhost.evil.test"]) {
      assert.equal(await statusOf(port, { method, path, host }), 403, `${path} of ${host}`);
    }
  }
  // The page itself is no secret, but its token is.
  for (const headers of foreign.filter(({ Origin }) => Origin !== undefined)) {
    assert.equal(await statusOf(port, { method: "GET", path: "/", host: own, headers }), 403);
  }
  const allowed = { Origin: `http://${own}`, "Sec-Fetch-Site": "same-origin" };
  const read = await exchange(port, {
    method: "GET",
    path: "/api/about",
    host: own,
    headers: allowed,
  });
  assert.equal(read.status, 200);
  const cors = [...read.headers.keys()].filter((name) => name.startsWith("access-control"));
  assert.deepEqual(cors, [], "no CORS header at all");
  const preflight = await exchange(port, {
    method: "OPTIONS",
    path: "/api/forced",
    host: own,
    headers: { Origin: "https://evil.test", "Access-Control-Request-Method": "DELETE" },
  });
  assert.equal(preflight.status, 403);
});

Deno.test("a write without the token of this start changes nothing", async () => {
  await using console = await openConsole();
  await using other = await openConsole();
  const { body: { token } } = await other.get("/api/about");
  console.project.write(".run/overrides.json", '{"order_track": "first"}');
  console.write({ id: "kept" });
  for (const [method, path] of WRITES) {
    for (const headers of [{}, { "x-console-token": "" }, { "x-console-token": token }]) {
      const response = await fetch(new URL(path, console.url), {
        method,
        headers: { ...headers, "content-type": "application/json" } as Record<string, string>,
        ...(method !== "DELETE" && { body: '{"steps": [{"scenario": "near"}]}' }),
      });
      const { error } = await response.json();
      assert.deepEqual([response.status, /X-Console-Token/.test(error)], [403, true], path);
    }
  }
  assert.equal(console.project.read(".run/overrides.json"), '{"order_track": "first"}');
  assert.equal((await console.get("/api/calls")).body.calls.length, 1);
});

Deno.test("what a request names is looked up, and no path is made of it", async () => {
  await using console = await openConsole();
  const { project } = console;
  project.write("secret.md", "## Definition\nsecret");
  const before = [...Deno.readDirSync(project.directory)].map(({ name }) => name).sort();
  const names = [
    "../secret",
    "..%2fsecret",
    "%2e%2e%2fsecret",
    "..\\secret",
    "/etc/passwd",
    "food/food_find_dish",
    "food_find_dish.md",
    "__proto__",
    "constructor",
    "a\u0000b",
    "",
    "*",
  ];
  const result = { content: [{ type: "text", text: '{"order":"ORD-9"}' }] };
  console.write({ id: "one", arguments: { order_id: "ORD-9" }, result });
  for (const name of names) {
    const written = encodeURIComponent(name);
    for (const path of [`/api/tools/${written}`, `/api/calls/${written}`]) {
      if (name === "") continue;
      const { status, body } = await console.get(path);
      assert.equal(status, 404, path);
      assert.doesNotMatch(JSON.stringify(body), /secret`? *\n|root:/, path);
    }
    const refusals = await Promise.all([
      console.send("POST", "/api/preview", { tool: name, arguments: {} }),
      console.send("POST", "/api/scenarios", { tool: name, name: "x", call: "one" }),
      console.send("POST", "/api/scenarios", { tool: "order_track", name: "x", call: name }),
      console.send("POST", "/api/preview", { tool: "order_track", arguments: {}, scenario: name }),
      ...(name === "" || name === "*"
        ? []
        : [console.send("PUT", `/api/forced/${written}`, { steps: [{ scenario: "first" }] })]),
    ]);
    assert.deepEqual(refusals.map(({ status }) => status), refusals.map(() => 404), name);
  }
  for (const path of ["/../secret.md", "/page/../../secret.md", "/page/%2e%2e/main.ts", "/page/"]) {
    const { status } = await exchange(Number(new URL(console.url).port), { method: "GET", path });
    assert.equal(status, 404, path);
  }
  assert.equal((await console.get("/api/tools/%ff")).status, 400);
  const after = [...Deno.readDirSync(project.directory)].map(({ name }) => name).sort();
  assert.deepEqual(after.filter((name) => name !== ".run"), before);
  assert.deepEqual([...Deno.readDirSync(project.path(".run"))].map(({ name }) => name), [
    "calls.jsonl",
  ]);
});

Deno.test("bodies and methods that are not right are refused in one sentence", async () => {
  await using console = await openConsole();
  const { body: { token } } = await console.get("/api/about");
  const send = async (method: string, path: string, body: string, type = "application/json") => {
    const response = await fetch(new URL(path, console.url), {
      method,
      headers: { "x-console-token": token, "content-type": type },
      body,
    });
    return [response.status, (await response.json()).error];
  };
  const steps = '{"steps": [{"scenario": "first"}]}';
  const cases: [string, string, string, number, RegExp, string?][] = [
    ["PUT", "/api/forced/order_track", steps, 415, /application\/json/, "text/plain"],
    ["PUT", "/api/forced/order_track", "{", 400, /^the body: not valid JSON/],
    ["PUT", "/api/forced/order_track", "[]", 400, /must be a JSON object/],
    ["PUT", "/api/forced/order_track", "{}", 400, /`steps` must be a list/],
    ["PUT", "/api/forced/order_track", '{"steps": []}', 400, /`steps` must be a list/],
    ["PUT", "/api/forced/order_track", '{"steps": ["first"]}', 400, /`steps` must be a list/],
    ["PUT", "/api/forced/order_track", '{"steps": [{"fault": "x"}]}', 400, /none of hang, drop/],
    ["PUT", "/api/forced/order_track", '{"steps": [{"scenario": 5}]}', 400, /must be a string/],
    ["PUT", "/api/forced/order_track", '{"steps": [{"delay": "1y"}]}', 400, /no duration/],
    ["PUT", "/api/forced/order_track", '{"steps": [{"times": 0}]}', 400, /above zero/],
    ["PUT", "/api/forced/order_track", '{"steps": [{"scenarios": "a"}]}', 400, /did you mean/],
    ["PUT", "/api/forced/%2F", steps, 400, /have no scenario/],
    ["PUT", "/api/forced/order_trak", steps, 404, /did you mean `order_track`/],
    ["PUT", "/api/forced/*", '{"steps": [{"scenario": "nowhere"}]}', 404, /no tool has a scenario/],
    ["POST", "/api/preview", '{"tool": 5}', 400, /`tool` must be a text/],
    ["POST", "/api/scenarios", '{"tool": "order_track"}', 400, /`call` must be a text/],
    ["POST", "/api/forced/order_track", steps, 405, /PUT, DELETE/],
    ["PUT", "/api/calls", steps, 405, /GET, DELETE/],
    ["POST", "/", steps, 405, /GET/],
    ["POST", "/api/nothing", steps, 404, /nothing at this path/],
    ["PUT", "/api/forced/order_track", `{"a": "${"x".repeat(5e6)}"}`, 413, /exceeds 4194304 bytes/],
  ];
  for (const [method, path, body, status, error, type] of cases) {
    const [got, message] = await send(method, path, body, type);
    assert.deepEqual([got, error.test(message)], [status, true], `${path} ${body}: ${message}`);
    assert(!message.includes("\n"), message);
  }
  assert.equal((await console.get("/api/calls?limit=-1")).status, 400);
  assert.equal((await console.get("/api/find?q=%20")).status, 400);
  assert.equal(Deno.statSync(console.project.directory).isDirectory, true);
  assert.throws(() => Deno.statSync(console.project.overrides), Deno.errors.NotFound);
  assert.equal((await console.get("/api/forced")).status, 200, "it goes on");
});

Deno.test("every response keeps other pages out of itself, and itself out of them", async () => {
  await using console = await openConsole();
  for (const path of ["/", "/page/main.js", "/page/style.css", "/page/vendor.js", ...READS]) {
    if (path === "/api/events") continue;
    const { headers, body } = await fetch(new URL(path, console.url));
    await body?.cancel();
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/, path);
    assert.match(policy, /frame-ancestors '(none|self)'/, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("referrer-policy"), "no-referrer", path);
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin", path);
    assert.equal(headers.get("cache-control"), "no-store", path);
  }
  const page = await (await fetch(console.url)).text();
  const { body: { token } } = await console.get("/api/about");
  assert(page.includes(`content="${token}"`) && /^[0-9a-f]{64}$/.test(token));
  const frame = await fetch(new URL("/api/widget/frame", console.url));
  const policy = frame.headers.get("content-security-policy") ?? "";
  assert.match(policy, /sandbox allow-scripts$/);
  assert.match(policy, /script-src https:\/\/careem-mcp-app\.pages\.dev /);
  assert.equal(await frame.text(), (await console.get("/api/widget")).body.html);
});
