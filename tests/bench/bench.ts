// Measures the server beside others: `deno task bench`, or a part of it:
//
//     deno task bench [--sections start,call,list,scale,parts] [--rounds 5] [--milliseconds 700]
//                     [--against <another checkout or executable>]
//
// CAREEM_MCP_EXECUTABLE names an executable to measure in place of the sources. Node.js and npm have
// to be there for some of the servers to compare with. docs/PERFORMANCE.md tells what the figures
// mean.

import { parseArgs } from "node:util";
import type { Setting } from "./_setting.ts";
import { callSection } from "./_section_call.ts";
import { listSection } from "./_section_list.ts";
import { partsSection } from "./_section_parts.ts";
import { scaleSection } from "./_section_scale.ts";
import { startSection } from "./_section_start.ts";

const SECTIONS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  start: startSection,
  call: callSection,
  list: listSection,
  scale: scaleSection,
  parts: partsSection,
};

const { values: flags } = parseArgs({
  options: {
    sections: { type: "string", default: Object.keys(SECTIONS).join(",") },
    rounds: { type: "string", default: "5" },
    milliseconds: { type: "string", default: "700" },
    against: { type: "string" },
  },
});
const names = flags.sections.split(",");
const unknown = names.filter((name) => !Object.hasOwn(SECTIONS, name));
if (unknown.length > 0) {
  console.error(`There is no section ${unknown}; there are ${Object.keys(SECTIONS).join(", ")}.`);
  Deno.exit(2);
}

const folder = await Deno.makeTempDir();
try {
  const setting: Setting = {
    rounds: Number(flags.rounds),
    milliseconds: Number(flags.milliseconds),
    against: flags.against,
    folder,
  };
  for (const name of names) await SECTIONS[name]!(setting);
} finally {
  await Deno.remove(folder, { recursive: true });
}
