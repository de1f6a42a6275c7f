// Puts load on a server over Streamable HTTP: a process of its own, so that the server has a core
// to itself, and on raw connections, so that little of what is measured is the client.
//
//     deno run --allow-net _load.ts '<Load as JSON>'   prints a LoadResult as JSON

/** What to do. */
export interface Load {
  readonly port: number;
  readonly path: string;
  /** Connections, each with a session of its own and one request under way at a time. */
  readonly clients: number;
  /** How long, not counting the handshakes. */
  readonly milliseconds: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the server speaks MCP, so that each client has to `initialize`. */
  readonly handshake: boolean;
}

/** What came of it. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Latencies in microseconds. */
  readonly median: number;
  readonly p99: number;
  /** The body of one answer. */
  readonly sample: string;
}

const PROTOCOL_VERSION = "2025-06-18";
/** Ids are of one length, so that a request is made once and only its id changes. */
const ID_LENGTH = 9;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An answer's head, and where its body is in the buffer. */
interface Answer {
  readonly status: string;
  readonly sessionId: string | undefined;
  readonly bodyStart: number;
  readonly end: number;
}

/** One client: a connection and its session. */
class Client {
  private readonly buffer = new Uint8Array(1 << 20);
  private filled = 0;
  private request = new Uint8Array();
  private idOffset = 0;
  private nextId = 1;

  private constructor(private readonly connection: Deno.TcpConn, private readonly load: Load) {}

  static async open(load: Load): Promise<Client> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: load.port });
    connection.setNoDelay(true);
    const client = new Client(connection, load);
    const sessionId = load.handshake ? await client.handshake() : undefined;
    client.prepare(load.method, load.params, sessionId);
    return client;
  }

  /** Asks once and gives the answer's body. */
  async ask(): Promise<string> {
    const { bodyStart, end } = await this.send();
    return decoder.decode(this.buffer.subarray(bodyStart, end));
  }

  /** Asks until the time is over; adds the latency of each request to `latencies`. */
  async askUntil(deadline: number, latencies: number[]): Promise<void> {
    for (let started = performance.now(); started < deadline;) {
      await this.send();
      const now = performance.now();
      latencies.push(now - started);
      started = now;
    }
  }

  close(): void {
    this.connection.close();
  }

  private async handshake(): Promise<string> {
    this.prepare("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: "load", version: "1.0.0" },
    });
    const { sessionId } = await this.send();
    if (sessionId === undefined) throw new Error("no session was opened");
    this.prepare("notifications/initialized", undefined, sessionId);
    await this.send();
    return sessionId;
  }

  /** Makes the request that is sent from now on. */
  private prepare(method: string, params?: object, sessionId?: string): void {
    const id = method.startsWith("notifications/") ? "" : `"id":${"9".repeat(ID_LENGTH)},`;
    const body = `{"jsonrpc":"2.0",${id}"method":${JSON.stringify(method)}` +
      `${params === undefined ? "" : `,"params":${JSON.stringify(params)}`}}`;
    const lines = [
      `POST ${this.load.path} HTTP/1.1`,
      `Host: 127.0.0.1:${this.load.port}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      ...(sessionId === undefined
        ? []
        : [`Mcp-Session-Id: ${sessionId}`, `Mcp-Protocol-Version: ${PROTOCOL_VERSION}`]),
      `Content-Length: ${encoder.encode(body).byteLength}`,
    ];
    const text = `${lines.join("\r\n")}\r\n\r\n${body}`;
    this.request = encoder.encode(text);
    this.idOffset = id === "" ? -1 : text.indexOf('"id":') + 5;
  }

  private async send(): Promise<Answer> {
    if (this.idOffset !== -1) {
      let rest = this.nextId++;
      for (let digit = ID_LENGTH - 1; digit > 0; digit--) {
        this.request[this.idOffset + digit] = 48 + rest % 10;
        rest = Math.floor(rest / 10);
      }
    }
    for (let sent = 0; sent < this.request.byteLength;) {
      sent += await this.connection.write(this.request.subarray(sent));
    }
    this.filled = 0;
    const answer = await this.receive();
    if (!answer.status.startsWith("2")) {
      const body = decoder.decode(this.buffer.subarray(answer.bodyStart, answer.end));
      throw new Error(`answered ${answer.status}: ${body}`);
    }
    return answer;
  }

  private async receive(): Promise<Answer> {
    let bodyStart = this.endOfHead();
    while (bodyStart === -1) {
      await this.fill();
      bodyStart = this.endOfHead();
    }
    const head = decoder.decode(this.buffer.subarray(0, bodyStart)).toLowerCase();
    const status = head.slice(9, 12);
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    const sessionHeader = /\r\nmcp-session-id: *([^\r]+)/i;
    const sessionId = this.load.handshake && this.idOffset !== -1 && head.includes("mcp-session-id")
      ? sessionHeader.exec(decoder.decode(this.buffer.subarray(0, bodyStart)))?.[1]
      : undefined;
    let end = bodyStart;
    if (length !== undefined) {
      end += Number(length);
      while (this.filled < end) await this.fill();
    } else if (head.includes("\r\ntransfer-encoding: chunked")) {
      end = await this.endOfChunks(bodyStart);
    }
    return { status, sessionId, bodyStart, end };
  }

  private endOfHead(): number {
    for (let at = this.buffer.indexOf(13); at !== -1 && at + 3 < this.filled;) {
      if (this.buffer[at + 2] === 13) return at + 4;
      at = this.buffer.indexOf(13, at + 2);
    }
    return -1;
  }

  /** Follows the sizes of the chunks to the last one. */
  private async endOfChunks(start: number): Promise<number> {
    let at = start;
    while (true) {
      let lineEnd = this.buffer.indexOf(10, at);
      while (lineEnd === -1 || lineEnd >= this.filled) {
        await this.fill();
        lineEnd = this.buffer.indexOf(10, at);
      }
      const size = parseInt(decoder.decode(this.buffer.subarray(at, lineEnd)), 16);
      at = lineEnd + 1 + size + 2;
      while (this.filled < at) await this.fill();
      if (size === 0) return at;
    }
  }

  private async fill(): Promise<void> {
    const count = await this.connection.read(this.buffer.subarray(this.filled));
    if (count === null) throw new Error("the server closed the connection");
    this.filled += count;
  }
}

async function run(load: Load): Promise<LoadResult> {
  const clients: Client[] = [];
  for (let nth = 0; nth < load.clients; nth++) clients.push(await Client.open(load));
  const sample = await clients[0]!.ask();
  const latencies: number[] = [];
  const started = performance.now();
  const deadline = started + load.milliseconds;
  await Promise.all(clients.map((client) => client.askUntil(deadline, latencies)));
  const seconds = (performance.now() - started) / 1000;
  for (const client of clients) client.close();
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) =>
    1000 * sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return {
    requests: sorted.length,
    perSecond: sorted.length / seconds,
    median: at(0.5),
    p99: at(0.99),
    sample,
  };
}

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(Deno.args[0]!))));
