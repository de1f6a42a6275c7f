/** Where bytes are read from: the part of a `ReadableStream` that reading takes. */
export interface ByteSource {
  getReader(): ByteReader;
}

/** Reads from a {@linkcode ByteSource}. */
export interface ByteReader {
  /** The next bytes. They may be overwritten by the next read. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Lets go of a read that is under way. */
  cancel(): Promise<void>;
}

/**
 * Standard input, read directly: the runtime's stream around it takes a millisecond to set up, for
 * which every client that starts a server would wait.
 *
 * @returns Standard input. It has one reader.
 */
export function standardInput(): ByteSource {
  const buffer = new Uint8Array(64 * 1024);
  let letGo = (): void => {};
  const reader: ByteReader = {
    read: () =>
      new Promise((resolve, reject) => {
        letGo = () => resolve({ done: true });
        Deno.stdin.read(buffer).then((count) => {
          if (count === null) resolve({ done: true });
          else resolve({ done: false, value: buffer.subarray(0, count) });
        }, reject);
      }),
    cancel: () => Promise.resolve(letGo()),
  };
  return { getReader: () => reader };
}
