import { join } from "node:path";
import { CALLS } from "./_calls.ts";
import {
  type Answer,
  careemMcp,
  type Contender,
  installYardsticks,
  thisServer,
  yardsticks,
} from "./_contenders.ts";
import { load, type Question, type Running, start } from "./_measure.ts";

/** The root of this checkout. */
export const ROOT = new URL("../..", import.meta.url).pathname;

/** How to measure. */
export interface Setting {
  readonly rounds: number;
  /** How long each server is under load in each round. */
  readonly milliseconds: number;
  /** Another checkout or executable of this server to compare with. */
  readonly against: string | undefined;
  /** For files that are needed meanwhile. */
  readonly folder: string;
}

/**
 * Gathers this server, the one it is to be compared with, and those that everybody can have.
 *
 * @param setting How to measure.
 * @param question What this server is asked, for the others to answer alike.
 * @returns All of them, this server first.
 */
export async function contenders(
  { against, folder }: Setting,
  question: Pick<Question, "method" | "params">,
): Promise<Contender[]> {
  const ours = thisServer();
  const modules = await installYardsticks(join(ROOT, ".run", "yardsticks"));
  return [
    ours,
    ...(against === undefined ? [] : [careemMcp("against", against)]),
    ...yardsticks(await answerOf(ours, question), folder, modules),
  ];
}

/**
 * Starts servers over HTTP for as long as they are used.
 *
 * @param contenders The servers to start.
 * @param use What to do with them.
 * @returns What that gives.
 */
export async function running<T>(
  contenders: readonly Contender[],
  use: (servers: readonly Running[]) => Promise<T>,
): Promise<T> {
  const servers: Running[] = [];
  try {
    for (const contender of contenders) servers.push(await start(contender));
    return await use(servers);
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function answerOf(
  ours: Contender,
  question: Pick<Question, "method" | "params">,
): Promise<Answer> {
  return await running([ours], async ([server]) => {
    const ask = async (method: string, params: Question["params"]): Promise<string> =>
      (await load(server!, { method, params, clients: 1, milliseconds: 0 })).sample;
    const body = await ask(question.method, question.params);
    const { tools } = resultIn(await ask("tools/list", {}));
    const isCall = question.method === "tools/call";
    const result = resultIn(isCall ? body : await ask("tools/call", CALLS[0]!.params));
    return { body, result, tools };
  });
}

// deno-lint-ignore no-explicit-any -- whatever a server answers
function resultIn(body: string): any {
  return JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1)).result;
}
