import type { ByteSource } from "./byte_source.ts";

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines of UTF-8 text.
 *
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
  const line = new Line(limit);
  try {
    while (true) {
      const { value } = await reader.read();
      if (value === undefined) break;
      let start = 0;
      for (let end = value.indexOf(NEWLINE); end !== -1; end = value.indexOf(NEWLINE, start)) {
        yield line.take(value.subarray(start, end));
        start = end + 1;
      }
      if (start < value.length) line.append(value.subarray(start));
    }
    if (!line.isEmpty) yield line.take(new Uint8Array());
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A line so far; past the limit it only counts. */
class Line {
  // A byte order mark is no JSON, here as over HTTP.
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  private text = "";
  private size = 0;

  constructor(private readonly limit: number) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  append(piece: Uint8Array): void {
    this.size += piece.byteLength;
    if (this.size <= this.limit) this.text += this.decoder.decode(piece, { stream: true });
  }

  /** Ends the line with its last piece. */
  take(last: Uint8Array): string | undefined {
    const isWhole = this.size + last.byteLength <= this.limit;
    const text = this.text + this.decoder.decode(isWhole ? last : undefined);
    this.text = "";
    this.size = 0;
    return isWhole ? text : undefined;
  }
}
