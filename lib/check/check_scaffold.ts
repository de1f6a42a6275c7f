import type { Finding } from "./finding.ts";

/** What the prose of a scenario begins with that nobody has written yet. */
export const SCAFFOLD = "Write answers here:";

/** Finds the scenario that `import` gave a new tool, as long as nobody has written its answer. */
export function checkScaffold(path: string, tool: string | undefined, text: string): Finding[] {
  const line = text.split(/\r?\n/).findIndex((one) => one.startsWith(SCAFFOLD)) + 1;
  if (line === 0) return [];
  const message = "its answer is made up from the schema; write real answers here, then take out " +
    `the sentence \`${SCAFFOLD} …\``;
  return [{ path, line, rule: "scaffold", message, ...(tool !== undefined && { tool }) }];
}
