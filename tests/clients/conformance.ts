/** The official conformance suite, as Deno runs it. */
export const CONFORMANCE: readonly string[] = [
  "run",
  "-A",
  "--quiet",
  "npm:@modelcontextprotocol/conformance@0.1.16",
];
