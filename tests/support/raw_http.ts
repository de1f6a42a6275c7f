/** A request, byte for byte as given: nothing is added but `Host` and a length. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. */
export interface RawResponse {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The whole body, or for a stream that stays open, what had come when reading stopped. */
  readonly body: string;
}

/** An HTTP/1.1 connection that sends exactly what it is told, for looking at the wire itself. */
export class RawConnection {
  private buffer = new Uint8Array();

  private constructor(private readonly connection: Deno.TcpConn) {}

  /** Connects to a port of this machine. */
  static async open(port: number): Promise<RawConnection> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    // A body goes out at once, not when the head before it is acknowledged.
    connection.setNoDelay();
    return new RawConnection(connection);
  }

  /** Sends bytes or text. */
  async write(data: string | Uint8Array): Promise<void> {
    let rest = typeof data === "string" ? new TextEncoder().encode(data) : data;
    while (rest.byteLength > 0) rest = rest.subarray(await this.connection.write(rest));
  }

  /** Sends a request. */
  async send(request: RawRequest): Promise<void> {
    const { method, path, host = "127.0.0.1", headers = {}, body } = request;
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    const bytes = new TextEncoder().encode(body ?? "");
    if (body !== undefined) lines.push(`Content-Length: ${bytes.byteLength}`);
    await this.write(`${lines.join("\r\n")}\r\n\r\n`);
    // A server may refuse and close before it has taken a large body.
    await this.write(bytes).catch(() => {});
  }

  /** Reads the status line and the headers. */
  async readHead(): Promise<Omit<RawResponse, "body">> {
    const text = await this.readUntil("\r\n\r\n");
    const [statusLine = "", ...lines] = text.trimEnd().split("\r\n");
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      // Several lines of a name are one list.
      headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
    }
    const status = Number(statusLine.split(" ")[1]);
    // A word in between, after which the answer itself comes.
    return status === 100 ? await this.readHead() : { status, headers };
  }

  /** Reads a whole response to a request of the given method. */
  async readResponse(method: string): Promise<RawResponse> {
    const head = await this.readHead();
    return { ...head, body: await this.readBody(method, head) };
  }

  /** Reads the whole body of a response whose head was read. */
  async readBody(method: string, { status, headers }: Omit<RawResponse, "body">): Promise<string> {
    if (method === "HEAD" || status === 204) return "";
    if (headers.get("transfer-encoding") !== "chunked") {
      return await this.readBytes(Number(headers.get("content-length") ?? 0));
    }
    let body = "";
    for (let chunk = await this.readChunk(); chunk !== ""; chunk = await this.readChunk()) {
      body += chunk;
    }
    return body;
  }

  /** Reads one chunk of a chunked body; "" is its end. */
  async readChunk(): Promise<string> {
    const size = parseInt(await this.readUntil("\r\n"), 16);
    const chunk = await this.readBytes(size);
    await this.readBytes(2);
    return chunk;
  }

  /** Whether the other side closes the connection without sending more. */
  async isClosedByPeer(): Promise<boolean> {
    return this.buffer.byteLength === 0 && !(await this.fill().catch(() => false));
  }

  /** Reads until the other side closes the connection, as text. */
  async readRest(): Promise<string> {
    while (await this.fill().catch(() => false));
    return new TextDecoder().decode(this.buffer);
  }

  /** Reads and forgets whatever comes, until either side closes the connection. */
  async drain(): Promise<void> {
    const chunk = new Uint8Array(65_536);
    while (await this.connection.read(chunk).catch(() => null) !== null);
  }

  /** Tells the other side that nothing more will be sent. */
  async closeWrite(): Promise<void> {
    // The other side may have closed the connection already.
    await this.connection.closeWrite().catch(() => {});
  }

  /** Closes the connection. */
  close(): void {
    try {
      this.connection.close();
    } catch {
      // Closed already.
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  private async readUntil(end: string): Promise<string> {
    const decoder = new TextDecoder();
    while (true) {
      const at = decoder.decode(this.buffer).indexOf(end);
      if (at !== -1) return await this.readBytes(at + end.length);
      if (!await this.fill()) throw new Error(`the connection ended before ${JSON.stringify(end)}`);
    }
  }

  private async readBytes(count: number): Promise<string> {
    while (this.buffer.byteLength < count) {
      if (!await this.fill()) throw new Error("the connection ended in the middle of a body");
    }
    const bytes = this.buffer.subarray(0, count);
    this.buffer = this.buffer.slice(count);
    return new TextDecoder().decode(bytes);
  }

  private async fill(): Promise<boolean> {
    const chunk = new Uint8Array(65_536);
    const count = await this.connection.read(chunk);
    if (count === null) return false;
    const joined = new Uint8Array(this.buffer.byteLength + count);
    joined.set(this.buffer);
    joined.set(chunk.subarray(0, count), this.buffer.byteLength);
    this.buffer = joined;
    return true;
  }
}

/** Sends one request on a connection of its own and reads the whole response. */
export async function exchange(port: number, request: RawRequest): Promise<RawResponse> {
  using connection = await RawConnection.open(port);
  await connection.send(request);
  return await connection.readResponse(request.method);
}
