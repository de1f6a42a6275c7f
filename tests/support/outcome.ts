/** How a run of a program ended, and what it wrote. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Feeds a program and waits for its end.
 *
 * @param child The program; its streams are pipes.
 * @param input What it gets on standard input, which then ends.
 * @returns How it ended.
 */
export async function outcomeOf(child: Deno.ChildProcess, input: string): Promise<Outcome> {
  const feeding = new Response(input).body!.pipeTo(child.stdin).catch(() => {
    // It ended without reading.
  });
  const [{ code }, out, err] = await Promise.all([
    child.status,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    feeding,
  ]);
  return { code, out, err };
}
