import type { RequestId } from "@modelcontextprotocol/sdk/types";
import { ForcedFault, halfOf, STATUS_TEXTS } from "../control/fault.ts";
import {
  type Incoming,
  type Payload,
  PayloadError,
  readPayload,
  writeAnswer,
} from "../mcp/messages.ts";
import { INTERNAL_ERROR, PARSE_ERROR } from "../mcp/protocol.ts";
import { openSession } from "../mcp/session.ts";
import { steerRequest } from "../mcp/steer.ts";
import type { Twin } from "../mcp/twin.ts";
import { encode, type WireJson } from "../wire_json.ts";
import { readLines } from "./_lines.ts";
import type { ByteSource } from "./byte_source.ts";

/** The longest line a client may send, in bytes. A longer one is answered with an error. */
const LINE_LIMIT = 4 * 1024 * 1024;

/** How many answers may wait to be written before the next message is read. */
const MOST_ANSWERING = 64;

/** The two ends of a stdio connection. */
export interface StdioPipes {
  readonly input: ByteSource;
  /** Writes all of a message, or throws when nobody reads any more. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

/**
 * Serves one client over stdio: a JSON-RPC message a line, in both directions.
 *
 * Returns when the input has ended and every answer is written, or when nobody reads the output
 * any more: a server that outlives its client is what people dread most of stdio servers, and the
 * SDK's own transport does not end by itself.
 *
 * @returns Whether it ended well: not by a failure that the developer forced.
 */
export async function serveStdio(twin: Twin, pipes: StdioPipes): Promise<boolean> {
  const session = openSession(twin, { transport: "stdio" });
  /** Aborted when nobody reads the output, or when the input has ended. */
  const gone = new AbortController();
  const answering = countOpen();
  /** Those of them for which the client may have to wait: all but the ones that are forced to. */
  const busy = countOpen();
  let waiting: (string | Uint8Array)[] = [];
  let writing: Promise<void> | undefined;

  let endedWell = true;
  const write = (line: WireJson): Promise<void> => {
    // Nothing comes after the half of a line.
    if (!endedWell) return Promise.resolve();
    waiting.push(...line, "\n");
    return writing ??= writeWaiting();
  };
  /** Writes lines in order; once that fails, nobody reads any more. */
  const writeWaiting = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        // Lines that come in one turn, or while others are being written, go together: a write takes
        // longer than a call.
        await null;
        const bytes = encode(waiting);
        waiting = [];
        await pipes.write(bytes);
      }
    } catch {
      gone.abort();
    } finally {
      writing = undefined;
    }
  };
  /** Counts so many answers as long as they are under way. */
  const follow = async (
    count: number,
    run: (waits: () => void) => Promise<void>,
  ): Promise<void> => {
    const answered = answering.open(count);
    const waits = busy.open(count);
    try {
      await run(waits);
    } finally {
      waits();
      answered();
    }
  };
  const refuse = (message: string): void => {
    const refusal = writeAnswer(null, { error: { code: PARSE_ERROR, message } });
    follow(1, () => write(refusal));
  };

  /** Shows a forced failure: as an error where a status would tell it, else the process ends. */
  const fail = async (
    forced: ForcedFault,
    id: RequestId | undefined,
  ): Promise<WireJson | undefined> => {
    const [, text] = STATUS_TEXTS[forced.fault] ?? [];
    if (text !== undefined) {
      if (id === undefined) return undefined;
      return writeAnswer(id, { error: { code: INTERNAL_ERROR, message: text } });
    }
    if (!endedWell) return undefined;
    endedWell = false;
    await writing;
    if (forced.answer !== undefined) {
      await pipes.write(halfOf(encode(forced.answer))).catch(() => {});
    }
    gone.abort();
    return undefined;
  };
  const answerTo = async (
    message: Incoming,
    waits: () => void,
  ): Promise<WireJson | undefined> => {
    const who = (): AbortSignal => {
      waits();
      return gone.signal;
    };
    try {
      const forced = await steerRequest(twin, message.method, who);
      if (forced !== undefined && forced.fault !== "cut") return await fail(forced, message.id);
      const answered = await session.receive(message, who);
      if (forced !== undefined) return await fail(new ForcedFault("cut", answered), message.id);
      return answered;
    } catch (error) {
      if (!(error instanceof ForcedFault)) throw error;
      return await fail(error, message.id);
    }
  };
  /** Answers one message, or a batch on one line, when all of it is answered. */
  const answer = async ({ messages, isBatch }: Payload, waits: () => void): Promise<void> => {
    if (!isBatch) {
      const answered = messages[0] && await answerTo(messages[0], waits);
      if (answered !== undefined) await write(answered);
      return;
    }
    const all = await Promise.all(messages.map((message) => answerTo(message, waits)));
    const answers = all.filter((one) => one !== undefined);
    if (answers.length === 0) return;
    await write(["[", ...answers.flatMap((one, nth) => nth === 0 ? one : [",", ...one]), "]"]);
  };
  const take = (line: string): void => {
    if (line.trim() === "") return;
    try {
      const payload = readPayload(line);
      // A batch has as many answers to wait for as it has messages.
      follow(payload.messages.length, (waits) => answer(payload, waits));
    } catch (error) {
      if (!(error instanceof PayloadError)) throw error;
      refuse(error.message);
    }
  };

  for await (const line of readLines(pipes.input, LINE_LIMIT, gone.signal)) {
    if (line === undefined) refuse(`message exceeds ${LINE_LIMIT} bytes`);
    else take(line);
    // A client that asks without reading the answers has to wait, too.
    if (busy.count >= MOST_ANSWERING) await busy.none();
  }
  // As in the Go SDK, whatever waits then waits no longer.
  gone.abort();
  await answering.none();
  await writing;
  session.close();
  return endedWell;
}

/** Counts what is open. */
interface Count {
  readonly count: number;
  /** Opens so many. The function that it gives closes them, however often it is called. */
  open(count: number): () => void;
  /** Waits until none is open. */
  none(): Promise<void>;
}

function countOpen(): Count {
  let count = 0;
  let none = Promise.withResolvers<void>();
  return {
    get count() {
      return count;
    },
    open(more) {
      count += more;
      let left = more;
      return () => {
        count -= left;
        left = 0;
        if (count > 0) return;
        none.resolve();
        none = Promise.withResolvers();
      };
    },
    none: () => count === 0 ? Promise.resolve() : none.promise,
  };
}
