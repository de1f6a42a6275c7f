import { type Payload, readPayload } from "../mcp/messages.ts";
import { refuse } from "./refuse.ts";
import { endOfTurn } from "./turn.ts";

/** A byte order mark is no JSON, for the Go SDK, so it must not be lost. */
const AS_IT_IS = { ignoreBOM: true };
const wholeText = new TextDecoder("utf-8", AS_IT_IS);

/** The largest body of a request, in bytes: the Go SDK's 4 MiB. */
const BODY_LIMIT = 4 * 1024 * 1024;

/** How long a body may take to arrive. Without an end to it, a request that stalls stays for ever. */
const BODY_MS = 60_000;

/**
 * Reads the messages of a POST.
 *
 * @param refused What the transport refuses the request with, which the Go SDK does after it has
 * looked at the content type and before it reads the body.
 * @returns The payload, the refusal, or `undefined` when the body is empty.
 * @throws {PayloadError} When the body is no JSON-RPC.
 */
export async function readPost(
  request: Request,
  refused: Response | undefined,
): Promise<Payload | Response | undefined> {
  if (!declaresJson(request.headers.get("content-type"))) {
    return refuse(415, "Content-Type must be 'application/json'");
  }
  const body = refused ?? await readBody(request);
  if (body instanceof Response) return body;
  return body === "" ? undefined : readPayload(body);
}

/**
 * Reads a request's body as text, up to a limit.
 *
 * @param limit The most bytes it may have.
 * @param patienceMs The most milliseconds it may take.
 * @returns The text, or the refusal when it is larger or slower, or not sent as HTTP has it.
 */
export async function readBody(
  request: Request,
  limit: number = BODY_LIMIT,
  patienceMs: number = BODY_MS,
): Promise<string | Response> {
  try {
    return await readWithin(request, limit, patienceMs);
  } catch {
    return refuse(400, "failed to read body");
  }
}

async function readWithin(
  request: Request,
  limit: number,
  patienceMs: number,
): Promise<string | Response> {
  const tooLarge = () => refuse(413, `request body exceeds ${limit} bytes`);
  const tooSlow = () => refuse(408, "request body took too long");
  const declared = Number(request.headers.get("content-length") ?? NaN);
  if (declared > limit) return tooLarge();
  if (declared <= limit) {
    // Mostly all of it has come already, and taking it at once is much cheaper than a stream.
    const bytes = await within(patienceMs, request.bytes());
    return bytes === undefined ? tooSlow() : wholeText.decode(bytes);
  }
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const giveUp = (): void => void reader.cancel().catch(() => {});
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    giveUp();
  }, patienceMs);
  const decoder = new TextDecoder("utf-8", AS_IT_IS);
  let text = "";
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > limit) {
        giveUp();
        return tooLarge();
      }
      text += decoder.decode(read.value, { stream: true });
    }
    return late ? tooSlow() : text + decoder.decode();
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise, but no longer than that; then the outcome is `undefined`. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  // Mostly it has come in this turn. To set a timer for each body takes a quarter of the calls that
  // 32 clients make, and the bar of the large answer beside aimock.
  const early = await Promise.race([promise, endOfTurn()]);
  if (early !== undefined) return early;
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `;[ \\t]*(${TOKEN})[ \\t]*=[ \\t]*(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")[ \\t]*`;
// No two runs of spaces meet in it, or a long one would be divided between them in every way.
const CONTENT_TYPE = new RegExp(
  `^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?:${PARAMETER})*(?:;[ \\t]*)?$`,
);

/**
 * Tells whether a body is declared to be JSON, in a `Content-Type` that Go's `mime.ParseMediaType`
 * can read: parameters must be whole, and each have one value. Of a header that stands twice, only
 * the first counts; what the runtime makes of it is one header, so both must be the same.
 *
 * @param contentType The header, `null` when it is missing.
 * @returns Whether it says `application/json`.
 */
export function declaresJson(contentType: string | null): boolean {
  if (contentType === "application/json") return true;
  const given = contentType ?? "";
  const half = given.slice(0, (given.length - 2) / 2);
  const once = given === `${half}, ${half}` ? half : given;
  const type = CONTENT_TYPE.exec(once)?.[1];
  if (type?.toLowerCase() !== "application/json") return false;
  const parameters = [...once.matchAll(new RegExp(PARAMETER, "g"))].map(([, name, value]) =>
    [name!.toLowerCase(), value!.replace(/^"|"$/g, "")] as const
  );
  const values = new Map(parameters);
  return parameters.every(([name, value]) => values.get(name) === value);
}
