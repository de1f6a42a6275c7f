import { reasonOf } from "../reason.ts";
import type { StartOptions } from "./start_options.ts";

/**
 * Says why a server cannot listen where it was told to, and what to do.
 *
 * @param flag The flag that names the port.
 */
export function listenProblem(
  { host, port }: Pick<StartOptions, "host" | "port">,
  error: unknown,
  flag = "--port",
): string {
  const { AddrInUse, NotCapable, PermissionDenied } = Deno.errors;
  if (error instanceof AddrInUse) {
    // A port of 0 takes a free one.
    const other = port < 65_535 ? port + 1 : 0;
    return `Port ${port} on ${host} is taken. Stop what uses it, or take another: ${flag} ${other}`;
  }
  if (error instanceof NotCapable) {
    return `Cannot listen on ${host}: careem-mcp listens on 127.0.0.1, ::1 or localhost for this ` +
      "machine,\non 0.0.0.0 or :: for all that can reach it, and on nothing else.";
  }
  const where = `Cannot listen on port ${port} of ${host}`;
  if (error instanceof PermissionDenied && port < 1024) {
    return `${where}: ports below 1024 are not for everybody.\nTake another: ${flag} 8787`;
  }
  const hint = host === "127.0.0.1"
    ? `another port: ${flag} 0`
    : "another address: --host 127.0.0.1";
  return `${where}: ${reasonOf(error)}\nTry ${hint}`;
}
