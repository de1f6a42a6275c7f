import type { RequestId, Result } from "@modelcontextprotocol/sdk/types";
import type { Fault } from "../control/overrides.ts";
import { goQuote } from "../go/format.ts";
import {
  ANY,
  type GoType,
  INT64,
  RAW_MESSAGE,
  STRING,
  struct,
  unmarshalError,
} from "../go/type.ts";
import { type JsonObject, type JsonValue, own } from "../json.ts";
import { oneLine, type WireJson, writeJson } from "../wire_json.ts";
import { type Admission, admit } from "./admission.ts";

/** The most messages of a batch. Without an end to it, 4 MiB of requests ask for gigabytes. */
const MOST_IN_BATCH = 100;

/**
 * The deepest nesting that is read. Beyond some thousands of levels, whatever walks a value runs out
 * of stack, even `JSON.stringify` when a member is called `toJSON`.
 */
const MOST_NESTED = 1000;

/** The most values of arrays and objects that are read: millions of wrong ones take seconds. */
const MOST_VALUES = 100_000;

/** A request or notification, and what admission makes of it. */
export interface Incoming extends Admission {
  readonly method: string;
  /** Absent in a notification. */
  readonly id?: RequestId;
}

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
 * import { readPayload } from "./messages.ts";
 *
 * const { messages } = readPayload('{"jsonrpc":"2.0","id":1,"method":"ping"}');
 * assert(messages[0]?.method === "ping");
 * ```
 *
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

/** The error that a request is answered with. */
export interface ErrorAnswer {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a request is answered with: a result, which may be written already, or an error. */
export type Answer =
  | { readonly result: Result | WireJson }
  | { readonly error: ErrorAnswer }
  | Forced;

/** A failure that the developer forces, and the result that is cut, where one is. */
export interface Forced {
  readonly fault: Fault;
  readonly cut?: WireJson;
}

/**
 * Writes the answer to a request, its members in the order in which a Go server writes them. `id` is
 * `null` where it could not be read.
 */
export function writeAnswer(
  id: RequestId | null,
  answer: Exclude<Answer, Forced>,
): WireJson {
  const [member, value] = "result" in answer ? ["result", answer.result] : ["error", answer.error];
  const json: WireJson = Array.isArray(value) ? value : writeJson(value);
  return [`{"jsonrpc":"2.0","id":${writeId(id)},"${member}":`, ...json, "}"];
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
  const id = readId(own(value, "id"));
  if (!Object.hasOwn(value, "method")) {
    if (id === undefined) throw new PayloadError("invalid request");
    return [];
  }
  const method = own(value, "method") ?? "";
  mustFit(method, STRING);
  const params = own(value, "params");
  const admission = admit(String(method), id !== undefined, params);
  return [{ method: String(method), ...(id !== undefined && { id }), ...admission }];
}

/** Reads an id; `undefined` when it is none. A number loses its fraction, as in Go's int64. */
export function idOf(value: JsonValue | undefined): RequestId | undefined {
  if (typeof value === "number") return Math.trunc(value) + 0;
  return typeof value === "string" ? value : undefined;
}

function readId(value: JsonValue | undefined): RequestId | undefined {
  const id = idOf(value);
  if (id !== undefined || value === undefined || value === null) return id;
  const type = Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
  throw new PayloadError(
    `parse error: invalid ID type ${typeof value === "boolean" ? "bool" : type}`,
  );
}

/** Beyond the safe integers, the digits that Go's int64 would have. */
function writeId(id: RequestId | null): string {
  if (typeof id !== "number" || Number.isSafeInteger(id)) return oneLine(JSON.stringify(id));
  const exact = BigInt(id);
  return String(BigInt.asIntN(64, exact) === exact ? exact : -(2n ** 63n));
}

function mustFit(value: JsonValue, type: GoType): void {
  const misfit = unmarshalError(value, type);
  if (misfit !== undefined) throw new PayloadError(`unmarshaling jsonrpc message: json: ${misfit}`);
}
