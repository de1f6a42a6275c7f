import assert from "node:assert/strict";
import { startServer } from "../support/program.ts";
import { makeProject } from "./_program.ts";

Deno.test("`call --url` prints what `call` does, and shows in the server's log", async (t) => {
  using project = makeProject();
  await using server = await startServer(["--project", project.directory]);
  const cases = [
    ["food_find_dish", "query=best sushi", "limit=3"],
    ["food_find_dish", '{"query": "best sushi", "limit": 3}', "--value"],
    ["order_track", "order_id=5", "--value"],
    ["order_track", "--value"],
    ["pay_show_wallet", "[]"],
  ];
  for (const path of ["/mcp", "/sse"]) {
    await t.step(path, async () => {
      const url = ["--url", server.url + path];
      for (const words of cases) {
        const before = server.log().length;
        const [local, remote] = await Promise.all([
          project.run(["call", ...words]),
          project.run(["call", ...words, ...url]),
        ]);
        assert.deepEqual([remote.code, remote.out], [local.code, local.out], words.join(" "));
        assert(remote.err.startsWith(`${words[0]}: answered by ${server.url}${path}`), remote.err);
        // The log is written a moment after the answer.
        await new Promise((resume) => setTimeout(resume, 100));
        assert(server.log().slice(before).includes(` ${words[0]} `), "it is in the log");
      }
      const unknown = await project.run(["call", "food_find_dsh", ...url]);
      assert.deepEqual([unknown.code, unknown.out], [1, ""]);
      assert.match(unknown.err, /unknown tool `food_find_dsh`, did you mean `food_find_dish`\?/);
    });
  }
});

Deno.test("`call --url` says in a line or two why nobody can be called", async () => {
  using project = makeProject();
  await using server = await startServer(["--project", project.directory]);
  // Nobody listens on a port that was free a moment ago.
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const free = `http://127.0.0.1:${listener.addr.port}`;
  listener.close();
  const cases: [url: string, code: number, message: string][] = [
    [`${free}/mcp`, 1, `Nothing answers at ${free}/mcp.`],
    [`${free}/sse`, 1, `Nothing answers at ${free}/sse.`],
    [`${server.url}/`, 1, `No MCP server at ${server.url}/: it answers with HTTP status 404.`],
    [
      `${server.url}/x/sse`,
      1,
      `No MCP server at ${server.url}/x/sse: it answers with HTTP status 404.`,
    ],
    [
      "http://example.test/mcp",
      1,
      "Cannot call http://example.test/mcp: careem-mcp calls servers on this machine only.",
    ],
    ["8787", 2, "`8787` is no address; write one like http://127.0.0.1:8787/mcp."],
  ];
  await Promise.all(cases.map(async ([url, expected, message]) => {
    const { code, out, err } = await project.run(["call", "pay_show_wallet", "--url", url]);
    assert.deepEqual([code, out], [expected, ""], url);
    assert.equal(err.split("\n")[0], `careem-mcp: ${message}`);
    assert(err.split("\n").length <= 3, err);
  }));
});
