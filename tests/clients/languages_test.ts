import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { join } from "node:path";
import { INITIALIZE } from "../support/messages.ts";
import { OWN_PROJECT, programCommand, ROOT, startServer } from "../support/program.ts";

// Clients in other languages, and the newest protocol's: as their users run them, in default mode.

Deno.test("the newer client package, held to the newest protocol, works over stdio", async () => {
  const client = new Client({ name: "newest", version: "1.0.0" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  const [command, ...args] = programCommand();
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, "start", "--stdio"],
      stderr: "ignore",
      env: { ...Deno.env.toObject(), ...OWN_PROJECT },
    }) as Parameters<typeof client.connect>[0],
  );
  assert((await client.listTools()).tools.length >= 32);
  assert.equal((await client.listResources()).resources.length, 1);
  const { contents } = await client.readResource({ uri: "ui://careem-mcp-app" });
  assert.equal(contents.length, 1);
  const args2 = { latitude: 25.0866, longitude: 55.1474 };
  const result = await client.callTool({ name: "reverse_geocode", arguments: args2 });
  assert.match(JSON.stringify(result.structuredContent), /LOC-50001/);
  await client.close();
});

/** What each library negotiates by itself: the same as with a server on go-sdk v1.8.0. */
const NEGOTIATED = {
  "go-sdk": { http: "2025-11-25", sse: "2025-11-25", stdio: "2026-07-28" },
  // Over Streamable HTTP it takes no for an answer, of a Go server as well.
  "mcp-go": { http: undefined, sse: "2026-07-28", stdio: "2026-07-28" },
};

Deno.test({
  name: "clients in Go negotiate what they negotiate with a Go server, list and call",
  ignore: !await isThere("go", "version"),
}, async (t) => {
  const folder = await Deno.makeTempDir();
  try {
    const program = join(folder, "clients");
    const built = await run(
      "go",
      ["build", "-o", program, "."],
      `${ROOT}tests/clients/go_libraries`,
    );
    assert.equal(built.code, 0, built.text);
    await using server = await startServer();
    for (const [library, versions] of Object.entries(NEGOTIATED)) {
      for (const [transport, version] of Object.entries(versions)) {
        await t.step(`${library} over ${transport}`, async () => {
          const target = {
            http: [`${server.url}/mcp`],
            sse: [`${server.url}/sse`],
            stdio: [
              ...[...programCommand(), "start", "--stdio"],
              ...Object.values(OWN_PROJECT).flatMap((folder) => ["--project", folder]),
            ],
          }[transport]!;
          const { code, text } = await run(program, [library, transport, ...target]);
          if (version === undefined) {
            assert.match(text, /unsupported protocol version: "2026-07-28" \(supported: \[2025/);
            return;
          }
          assert.equal(code, 0, text);
          const said = JSON.parse(text);
          assert.equal(said.version, version);
          assert(said.tools >= 32);
          assert.match(said.answer, /LOC-50001/);
        });
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({
  name: "Java's own client, which asks to upgrade to HTTP/2, is answered",
  ignore: !await isThere("java", "-version"),
}, async () => {
  await using server = await startServer();
  const program = `${ROOT}tests/clients/java/Initialize.java`;
  const { text } = await run("java", [program, `${server.url}/mcp`, JSON.stringify(INITIALIZE)]);
  assert.match(text, /^200 event: message\ndata: .*"careem-mcp-service"/);
});

Deno.test({
  name: "curl is answered when it asks to upgrade to HTTP/2, and when it begins with it",
  ignore: !await isThere("curl", "--version"),
}, async (t) => {
  await using server = await startServer();
  const curl = async (...flags: string[]): Promise<string> => {
    const headers = ["content-type: application/json", "accept: */*"];
    const { text } = await run("curl", [
      ...["--silent", "--max-time", "10", "--write-out", " %{http_code} %{http_version}"],
      ...headers.flatMap((header) => ["--header", header]),
      ...["--data", JSON.stringify(INITIALIZE), ...flags, `${server.url}/mcp`],
    ]);
    return text;
  };
  await t.step("upgrade", async () => assert.match(await curl("--http2"), /service.* 200 1\.1$/s));
  const prior = "--http2-prior-knowledge";
  await t.step("prior knowledge: the host is the authority", async () => {
    assert.match(await curl(prior), /service.* 200 2$/s);
    // Again and again: where nobody read the body, the answer was lost at times.
    for (let nth = 0; nth < 20; nth++) {
      const foreign = await curl(prior, "--header", "Host: evil.test");
      assert.equal(foreign, 'Forbidden: invalid Host header "evil.test"\n 403 2');
    }
  });
});

async function isThere(command: string, flag: string): Promise<boolean> {
  const there = await run(command, [flag]).then(({ code }) => code === 0, () => false);
  if (!there) console.warn(`${command} is not here: its client is not tested.`);
  return there;
}

/** Runs a program to its end, for which it has a minute. */
async function run(
  command: string,
  args: readonly string[],
  cwd?: string,
): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    ...(cwd !== undefined && { cwd }),
    stdin: "null",
    signal: AbortSignal.timeout(60_000),
  }).output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, text: text(stdout) || text(stderr) };
}
