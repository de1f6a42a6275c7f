// Compiled with the executable's permissions, this tries what the executable may and may not do,
// and prints what came of it.

const [folder = "."] = Deno.args;

const ATTEMPTS: Record<string, () => unknown> = {
  "reads a file": () => Deno.readDirSync(folder).next(),
  "writes a file": () => Deno.writeTextFileSync(`${folder}/written`, ""),
  "listens on 127.0.0.1": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  "listens on localhost": () => Deno.listen({ hostname: "localhost", port: 0 }).close(),
  "listens on all addresses": () => Deno.listen({ hostname: "0.0.0.0", port: 0 }).close(),
  "reads CAREEM_MCP_PORT": () => Deno.env.get("CAREEM_MCP_PORT"),
  "reads NO_COLOR": () => Deno.env.get("NO_COLOR"),
  // An address for documentation, where nobody answers (RFC 5737).
  "connects to another machine": () => Deno.connect({ hostname: "192.0.2.1", port: 80 }),
  "looks up a name": () => Deno.resolveDns("deno.com", "A"),
  "fetches a page": () => fetch("https://deno.com/"),
  // Nobody answers there, so what is not found was never looked for.
  "imports from the network": () => import(`https://192.0.2.${1}/module.ts`),
  "listens on another address": () => Deno.listen({ hostname: "192.0.2.1", port: 0 }),
  "reads HOME": () => Deno.env.get("HOME"),
  "reads the whole environment": () => Deno.env.toObject(),
  "sets a variable": () => Deno.env.set("PATH", folder),
  "runs a program": () => new Deno.Command("true").outputSync(),
  "loads a library": () => Deno.dlopen("libc.so.6", {}),
  "asks for the machine's name": () => Deno.hostname(),
  "asks for more": async () => {
    const { state } = await Deno.permissions.request({ name: "run" });
    if (state !== "granted") throw new Deno.errors.NotCapable(state);
  },
};

const results: Record<string, string> = {};
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  try {
    await attempt();
    results[name] = "done";
  } catch (error) {
    const refused = error instanceof Deno.errors.NotCapable ||
      (error instanceof TypeError && /NotCapable|Requires|not found/.test(error.message));
    results[name] = refused ? "refused" : `failed: ${error}`;
  }
}
console.log(JSON.stringify(results));
Deno.exit(0);
