import assert from "node:assert/strict";
import { hostNames, listenAddress, webOrigins } from "../../lib/cli/settings.ts";
import { PROJECT_SETTINGS, START_SETTINGS } from "../../lib/cli/start_options.ts";

Deno.test("a setting has the name under which commander files its flag", () => {
  for (const [name, { flag }] of Object.entries({ ...START_SETTINGS, ...PROJECT_SETTINGS })) {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    assert.equal(flag.replace(/^no-/, ""), dashed);
  }
});

Deno.test("an address to listen on is read without brackets, in lower case", () => {
  const cases: [string, string][] = [
    ["127.0.0.1", "127.0.0.1"],
    ["[::1]", "::1"],
    ["::", "::"],
    ["[FE80::1%eth0]", "fe80::1%eth0"],
    ["LocalHost", "localhost"],
  ];
  for (const [text, expected] of cases) assert.equal(listenAddress(text), expected, text);
  for (const text of ["", " ", "[]", "127.0.0.1:80", "http://127.0.0.1", "a b", "*"]) {
    assert.throws(() => listenAddress(text), { message: /^Give an address such as 127/ }, text);
  }
});

Deno.test("a Host to allow is taken out of whatever names it", () => {
  const cases: [string, string[]][] = [
    ["foo.test", ["foo.test"]],
    ["Foo.TEST", ["foo.test"]],
    ["https://foo.trycloudflare.com", ["foo.trycloudflare.com"]],
    ["https://foo.test:8443/mcp?x#y", ["foo.test"]],
    ["foo.test/mcp", ["foo.test"]],
    ["foo.test:443", ["foo.test"]],
    ["192.0.2.2:8787", ["192.0.2.2"]],
    ["[fe80::1]:8787", ["fe80::1"]],
    ["FE80::1", ["fe80::1"]],
    ["café.test", ["xn--caf-dma.test"]],
    ["a.test, b.test,", ["a.test", "b.test"]],
    ["*", ["*"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(hostNames(text, []), expected, text);
  assert.deepEqual(hostNames("b.test", ["a.test"]), ["a.test", "b.test"]);
});

Deno.test("what names no Host is refused", () => {
  for (const text of ["*.foo.test", "https://*.foo.test", "foo.*", "a.test,*.b.test"]) {
    assert.throws(() => hostNames(text, []), { message: /^A name has no wildcards\./ }, text);
  }
  for (
    const text of ["", ",", "a b", "https://", "https:///x", "/mcp", "foo.test:port", "<x>", "a;b"]
  ) {
    assert.throws(() => hostNames(text, []), { message: /^Give a name such as/ }, text);
  }
});

Deno.test("an origin to allow is whole, and nothing more", () => {
  const cases: [string, string[]][] = [
    ["https://foo.test", ["https://foo.test"]],
    ["HTTPS://Foo.test:443/", ["https://foo.test"]],
    ["http://a.test:81,https://b.test", ["http://a.test:81", "https://b.test"]],
    ["null", ["null"]],
    ["*", ["*"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(webOrigins(text, []), expected, text);
  for (const text of ["https://*.foo.test", "*.foo.test"]) {
    assert.throws(() => webOrigins(text, []), { message: /^An origin has no wildcards\./ }, text);
  }
  const bad = ["", "foo.test", "https://foo.test/x", "https://foo.test?x", "https://u@foo.test"];
  for (const text of [...bad, "ftp://foo.test", "//foo.test"]) {
    assert.throws(() => webOrigins(text, []), { message: /^Give an origin such as https:/ }, text);
  }
});
