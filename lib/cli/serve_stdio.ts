import { standardInput } from "../transport/byte_source.ts";
import { serveStdio as serveClient } from "../transport/stdio.ts";
import { announce, handshakeOver, prepareForCalls, type Server, writeAll } from "./start.ts";

/**
 * Serves the client that started the program, over standard input and output.
 *
 * @param server The server.
 */
export async function serveStdio(server: Server): Promise<void> {
  const { twin, stopped } = server;
  const served = serveClient(twin, {
    input: standardInput(),
    write: (bytes) => writeAll(Deno.stdout, bytes),
  });
  prepareForCalls(server);
  // To tell what is forced, a tool file may have to be read, and a client waits for its handshake.
  await Promise.race([handshakeOver(), served, stopped]);
  await announce(server, ["stdio"]);
  await Promise.race([served, stopped]);
}
