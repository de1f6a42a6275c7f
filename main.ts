import { systemIo } from "./lib/cli/io.ts";
import { run } from "./lib/cli/run.ts";

if (import.meta.main) {
  Deno.exit(await run(Deno.args, import.meta.dirname!, systemIo));
}
