// The ceiling of the runtime's HTTP server: the bytes of one answer, without any protocol code.
//
//     deno run --allow-net --allow-read _bare_server.ts <file with the body> <port>

const body = Deno.readTextFileSync(Deno.args[0]!);
const headers = { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" };

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.args[1]),
  onListen: () => {},
}, async (request) => {
  await request.text();
  return new Response(body, { headers });
});
