import type { ByteSource } from "./byte_source.ts";

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines of UTF-8 text.
 *
 * @param input The bytes.
 * @param limit The most bytes of a line.
 * @param signal Stops reading when aborted.
 * @returns The lines without their ends; `undefined` stands for one that was too long. What follows
 * the last line end is a line, too, if there is any.
 */
export async function* readLines(
  input: ByteSource,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<string | undefined> {
  const reader = input.getReader();
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
  const line = new LineBuffer(limit);
  try {
    while (true) {
      const { value } = await reader.read();
      if (value === undefined) break;
      let start = 0;
      for (let end = value.indexOf(NEWLINE); end !== -1; end = value.indexOf(NEWLINE, start)) {
        line.append(value.subarray(start, end));
        yield line.take();
        start = end + 1;
      }
      line.append(value.subarray(start));
    }
    if (!line.isEmpty) yield line.take();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The pieces of a line so far; past the limit it only counts. */
class LineBuffer {
  private pieces: Uint8Array[] = [];
  private size = 0;

  constructor(private readonly limit: number) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  append(piece: Uint8Array): void {
    this.size += piece.byteLength;
    // A copy, since the stream may reuse its buffer.
    if (this.size <= this.limit) this.pieces.push(piece.slice());
    else this.pieces = [];
  }

  take(): string | undefined {
    const { pieces, size } = this;
    this.pieces = [];
    this.size = 0;
    if (size > this.limit) return undefined;
    const bytes = new Uint8Array(size);
    let offset = 0;
    for (const piece of pieces) {
      bytes.set(piece, offset);
      offset += piece.byteLength;
    }
    // A byte order mark is no JSON, here as over HTTP.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}
