import assert from "node:assert/strict";
import { ROOT } from "../support/program.ts";
import { RawConnection, type RawResponse } from "../support/raw_http.ts";
import type { Shot } from "./_hostile.ts";
import { INITIALIZE, initialize, openLegacy, post, POST_HEADERS, postLegacy } from "./_wire.ts";

/** How long an answer may take, on a machine that is busy with other tests. */
const ANSWER_MS = 5000;

/** Fires requests over one connection at a time, in sessions that it keeps open. */
export class Gun {
  shots = 0;
  private connection: RawConnection | undefined;
  private session = "";
  private legacy: Promise<string> | undefined;
  private stream: RawConnection | undefined;

  constructor(private readonly port: number) {}

  async fire(given: Shot): Promise<RawResponse> {
    const { method, host, body } = given;
    const own = { ...POST_HEADERS, ...given.headers };
    const session = given.route === "session" ? await this.openSession() : undefined;
    const headers = session === undefined ? own : { ...own, "mcp-session-id": session };
    const path = await this.pathOf(given);
    const exchange = async (): Promise<RawResponse> => {
      this.connection ??= await RawConnection.open(this.port);
      await this.connection.send({ method, path, host, headers, body });
      const head = await this.connection.readHead();
      // A stream that stays open has no end to wait for.
      const stream = method === "GET" && head.status === 200 && !path.startsWith("/health");
      const rest = stream ? "" : await this.connection.readBody(method, head);
      if (stream || head.headers.get("connection") === "close") this.disconnect();
      return { ...head, body: rest };
    };
    const kept = this.connection !== undefined;
    try {
      return await within(ANSWER_MS, exchange());
    } catch (error) {
      this.disconnect();
      // A connection that was kept may have been closed by the server meanwhile, as HTTP allows.
      if (!kept || error instanceof TooSlow) throw error;
      return await within(ANSWER_MS, exchange());
    }
  }

  close(): void {
    this.disconnect();
    this.stream?.close();
  }

  private async pathOf({ route, path }: Shot): Promise<string> {
    if (route === "elsewhere") return path;
    return route === "legacy" ? await this.openLegacy() : "/mcp";
  }

  /** The session of most requests; one of them may have ended it. */
  private async openSession(): Promise<string> {
    if (this.shots % 20 === 0) {
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      const { status } = await post(this.port, ping, { "mcp-session-id": this.session });
      if (status !== 200) this.session = await initialize(this.port);
    }
    return this.session ||= await initialize(this.port);
  }

  private async openLegacy(): Promise<string> {
    this.legacy ??= (async () => {
      const { connection, endpoint } = await openLegacy(this.port);
      this.stream = connection;
      await postLegacy(this.port, endpoint, INITIALIZE);
      // Read, so that it is not given up; what it carries is not looked at.
      connection.drain().then(() => this.legacy = undefined);
      return endpoint;
    })();
    return await this.legacy;
  }

  private disconnect(): void {
    this.connection?.close();
    this.connection = undefined;
  }
}

/** No answer came in time. */
class TooSlow extends Error {}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`no answer in ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What no answer may be or say, whatever it was asked. */
export function assertHarmless({ body }: Shot, response: RawResponse): void {
  const { status, body: answer, headers } = response;
  assert(status >= 200 && status < 500, `status ${status}: ${answer.slice(0, 200)}`);
  for (
    const telltale of [ROOT, " at file:", ".ts:", "SyntaxError", "TypeError", "RangeError", "Deno"]
  ) {
    assert(!answer.includes(telltale) || body.includes(telltale), `it says ${telltale}`);
  }
  if (!answer.startsWith("event: message\n")) return;
  assert.equal(headers.get("content-type"), "text/event-stream");
  for (const event of answer.split("\n\n").slice(0, -1)) {
    const message = JSON.parse(/^event: message\ndata: (.*)$/.exec(event)![1]!);
    assert.equal(message.jsonrpc, "2.0");
    assert(("result" in message) !== ("error" in message));
    // The files are sound, so no arguments may make an answer fail.
    assert.notEqual(message.result?.content?.[0]?.text, "internal server error");
    assert.notEqual(message.error?.code, -32603);
  }
}
