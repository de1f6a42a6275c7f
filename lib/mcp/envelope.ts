import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { JsonText, writeJson } from "../json_text.ts";
import { asString, joined, type Pieces } from "../pieces.ts";
import { goQuote } from "../go/format.ts";
import type { Incoming } from "./admission.ts";
import { ANY, type GoType, INT64, RAW_MESSAGE, STRING, struct, typeFault } from "../go/type.ts";
import type { Reply } from "./reply.ts";

/** The most messages of a batch. Without an end to it, 4 MiB of requests ask for gigabytes. */
const MOST_IN_BATCH = 100;

/**
 * The deepest nesting that is read. Beyond some thousands of levels, whatever walks a value runs out
 * of stack, even `JSON.stringify` when a member is called `toJSON`.
 */
const MOST_NESTED = 1000;

/** The most values of arrays and objects that are read: millions of wrong ones take seconds. */
const MOST_VALUES = 100_000;

/** What a client sent in one payload: requests, notifications, and answers nobody asked for. */
export interface Payload {
  /** The requests and notifications, in order. Answers are dropped: this server asks nothing. */
  readonly messages: readonly Incoming[];
  readonly isBatch: boolean;
}

/** A payload that is no JSON-RPC. The message is production's, as far as it is ever the same. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

/**
 * Reads a payload as the Go SDK does: one JSON-RPC message or a batch of them.
 *
 * Source: go-sdk, `readBatch` (mcp/transport.go) and `DecodeMessage` (internal/jsonrpc2/messages.go):
 * https://github.com/modelcontextprotocol/go-sdk/blob/main/internal/jsonrpc2/messages.go
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readPayload } from "./envelope.ts";
 *
 * const { messages } = readPayload('{"jsonrpc":"2.0","id":1,"method":"ping"}');
 * assert(messages[0]?.method === "ping");
 * ```
 *
 * @param text The payload.
 * @returns What it holds.
 * @throws {PayloadError} When any part of it is no JSON-RPC message.
 */
export function readPayload(text: string): Payload {
  // The Go SDK reads `null` as a batch of nothing.
  const value = parse(text) ?? [];
  if (!Array.isArray(value)) return { messages: readMessage(value), isBatch: false };
  if (value.length === 0) throw new PayloadError("empty batch");
  if (value.length > MOST_IN_BATCH) {
    throw new PayloadError(`batch of ${value.length} messages exceeds ${MOST_IN_BATCH}`);
  }
  return { messages: value.flatMap(readMessage), isBatch: true };
}

/**
 * Writes an answer with its members in the order in which a Go server writes them.
 *
 * @param reply The answer.
 * @returns Its JSON, in one line.
 */
export function writeReply(reply: Reply): string {
  return asString(replyPieces(reply));
}

/**
 * Writes an answer as {@linkcode writeReply} does, in pieces.
 *
 * @param reply The answer.
 * @returns Its JSON, in one line.
 */
export function replyPieces(reply: Reply): Pieces {
  const [member, value] = "result" in reply ? ["result", reply.result] : ["error", reply.error];
  const json = value instanceof JsonText ? value.pieces : writeJson(value);
  return joined(`{"jsonrpc":"2.0","id":${writeId(reply.id)},"${member}":`, json, "}");
}

function parse(text: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    const reason = text.trim() === "" ? "EOF" : "json: invalid character";
    throw new PayloadError(`unmarshaling jsonrpc message: ${reason}`);
  }
  const limit = exceeded(text);
  if (limit === undefined) return value;
  throw new PayloadError(`unmarshaling jsonrpc message: json: exceeded max ${limit}`);
}

/** Which limit a JSON text exceeds. The text must be sound. */
function exceeded(text: string): "depth" | "values" | undefined {
  if (text.length <= MOST_NESTED) return undefined;
  let depth = 0;
  let commas = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === "\\") index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "," && ++commas >= MOST_VALUES) return "values";
    else if ((char === "[" || char === "{") && ++depth > MOST_NESTED) return "depth";
    else if (char === "]" || char === "}") depth--;
  }
  return undefined;
}

/** What the Go SDK reads a message into. */
const WIRE_DECODE = struct("jsonrpc2.wireDecode", {
  jsonrpc: STRING,
  id: ANY,
  method: RAW_MESSAGE,
  params: RAW_MESSAGE,
  result: RAW_MESSAGE,
  error: struct("jsonrpc2.WireError", { code: INT64, message: STRING, data: RAW_MESSAGE }),
});

function readMessage(given: JsonValue): Incoming[] {
  mustFit(given, WIRE_DECODE);
  // Every type fits `null`.
  const value = (given ?? {}) as JsonObject;
  const version = own(value, "jsonrpc") ?? "";
  if (version !== "2.0") {
    throw new PayloadError(
      `invalid message version tag ${goQuote(String(version))}; expected "2.0"`,
    );
  }
  const id = readId(own(value, "id") ?? undefined);
  if (!Object.hasOwn(value, "method")) {
    if (id === undefined) throw new PayloadError("invalid request");
    return [];
  }
  const method = own(value, "method") ?? "";
  mustFit(method, STRING);
  const params = own(value, "params");
  return [{
    method: String(method),
    ...(id !== undefined && { id }),
    ...(params !== undefined && { params }),
  }];
}

/** A fraction loses its fraction, as it does on its way through Go's int64. */
function readId(id: JsonValue | undefined): string | number | undefined {
  if (typeof id === "number") return Math.trunc(id) + 0;
  if (id === undefined || typeof id === "string") return id;
  const type = Array.isArray(id) ? "[]interface {}" : "map[string]interface {}";
  throw new PayloadError(
    `parse error: invalid ID type ${isJsonObject(id) || Array.isArray(id) ? type : "bool"}`,
  );
}

/** Beyond the safe integers, the digits that Go's int64 would have. */
function writeId(id: string | number): string {
  if (typeof id !== "number" || Number.isSafeInteger(id)) return writeJson(id);
  const exact = BigInt(id);
  return String(BigInt.asIntN(64, exact) === exact ? exact : -(2n ** 63n));
}

function mustFit(value: JsonValue, type: GoType): void {
  const fault = typeFault(value, type);
  if (fault !== undefined) throw new PayloadError(`unmarshaling jsonrpc message: json: ${fault}`);
}
