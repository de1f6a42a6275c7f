import { isJsonObject, type JsonObject, type JsonValue, own, tryParse } from "../json.ts";

/** A recorded call of a tool. A lone answer has neither tool nor arguments. */
export interface Exchange {
  readonly tool?: string;
  readonly arguments?: JsonObject;
  /** The result of `tools/call`. */
  readonly result: JsonObject;
  /** When it was called, in milliseconds since the Unix epoch, where the recording tells. */
  readonly time?: number;
}

/** What recordings hold. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  /** The results of `tools/list`. */
  readonly lists: readonly JsonObject[];
  /** How many calls were answered by a JSON-RPC error, which no scenario can be. */
  readonly errors: number;
}

/** A request or a response, with an id that no other client's has. */
interface Message {
  readonly id: string;
  readonly message: JsonObject;
  readonly time: number | undefined;
}

/** Members that logs wrap a message in. */
const WRAPPERS = ["result", "response", "message", "payload", "data"];
/** The methods that count; an answer may have a `method`, too, say of payment. */
const METHOD = /^(?:initialize$|tools\/)/;

/**
 * Reads recorded answers: results, bare `structuredContent`, JSON-RPC messages (one, a line each, or
 * an event stream), an Inspector's history, HAR files, a journal. Of two texts, one has the requests
 * and the other the answers, as `tee` writes them on both sides of a server. Lines that are no JSON
 * are passed over.
 */
export function readRecording(texts: readonly string[]): Recording {
  const readers = texts.map((text) => {
    const reader = new Reader();
    reader.text(text);
    return reader;
  });
  const [first, second] = readers;
  const pairs = first === undefined || second === undefined
    ? readers.flatMap(({ requests, responses }) => paired(requests, responses))
    : [...paired(first.requests, second.responses), ...paired(second.requests, first.responses)];
  const calls = pairs.filter(({ request }) => request.message.method === "tools/call");
  const asked = new Set(readers.flatMap(({ requests }) => requests).map(({ id }) => id));
  const responses = readers.flatMap((reader) => reader.responses);
  const unasked = responses.filter(({ id }) => !asked.has(id));
  const results = responses.map(({ message }) => message.result).filter(isJsonObject);
  return {
    exchanges: [
      ...readers.flatMap(({ exchanges }) => [...exchanges.values()]),
      ...calls.flatMap(({ request, response }) => exchangeOf(request, response)),
      ...unasked.flatMap(({ message: { result } }) => isResult(result) ? [{ result }] : []),
    ],
    lists: [...readers.flatMap(({ lists }) => lists), ...results.filter(isList)],
    errors: calls.filter(({ response }) => "error" in response.message).length,
  };
}

/** Collects what one text holds. */
class Reader {
  readonly requests: Message[] = [];
  readonly responses: Message[] = [];
  readonly lists: JsonObject[] = [];
  /** By the journal's id, where there is one, since a call that waited has two lines there. */
  readonly exchanges = new Map<string, Exchange>();
  /** How many clients began to ask, and were answered: each counts its ids from one. */
  private asked = 0;
  private answered = 0;

  /** A text that is JSON and nothing known is a bare answer. */
  text(text: string, time?: number): void {
    if (this.read(text, time)) return;
    const value = tryParse(text.replace(/^\uFEFF/, ""));
    if (isJsonObject(value)) this.exchanges.set("", { result: { structuredContent: value } });
  }

  /** Takes what a text holds; tells whether that was anything. */
  private read(text: string, time: number | undefined): boolean {
    const plain = text.replace(/^\uFEFF/, "");
    const whole = tryParse(plain);
    if (whole !== undefined) return this.value(whole, time);
    const lines = plain.split(/\r?\n/).map((line) => tryParse(line.replace(/^data:/, "")));
    return lines.map((line) => line !== undefined && this.value(line, time)).includes(true);
  }

  private value(value: JsonValue, time: number | undefined): boolean {
    if (Array.isArray(value)) {
      const isBareList = value.length > 0 && value.every(isDefinition);
      if (isBareList) this.lists.push({ tools: value });
      return isBareList || value.map((item) => this.value(item, time)).includes(true);
    }
    if (typeof value === "string") return /^\s*[[{]/.test(value) && this.read(value, time);
    return isJsonObject(value) && this.object(value, time);
  }

  private object(value: JsonObject, time: number | undefined): boolean {
    const { log, request, response, method, jsonrpc, id, tool, pid, result } = value;
    if (isJsonObject(log) && Array.isArray(log.entries)) {
      log.entries.filter(isJsonObject).forEach((entry) => this.harEntry(entry));
    } else if (request !== undefined && response !== undefined) this.pair(request, response, time);
    else if (typeof method === "string" && (jsonrpc !== undefined || METHOD.test(method))) {
      if (method === "initialize") this.asked++;
      this.requests.push({ id: `${this.asked}/${JSON.stringify(id)}`, message: value, time });
    } else if (jsonrpc !== undefined) {
      if (isJsonObject(result) && isJsonObject(result.serverInfo)) this.answered++;
      this.responses.push({ id: `${this.answered}/${JSON.stringify(id)}`, message: value, time });
    } else if (typeof tool === "string" && typeof id === "string" && typeof pid === "number") {
      if (isResult(result)) this.exchanges.set(id, journalled(value, tool, result));
    } else if (isList(value)) this.lists.push(value);
    else if (isResult(value)) this.exchanges.set(`#${this.exchanges.size}`, { result: value });
    else {
      const inner = WRAPPERS.filter((name) => Object.hasOwn(value, name));
      return inner.map((name) => this.value(value[name]!, time)).includes(true);
    }
    return true;
  }

  private harEntry({ startedDateTime, request, response }: JsonObject): void {
    const time = timeOf(startedDateTime);
    const { text: asked } = mapIn(request, "postData");
    const { text: answered, encoding } = mapIn(response, "content");
    if (typeof asked !== "string" || !asked.includes('"tools/')) return;
    if (typeof answered !== "string") return;
    const one = new Reader();
    one.text(asked, time);
    one.text(encoding === "base64" ? decoded(answered) : answered, time);
    this.absorb(one);
  }

  /** An entry of an Inspector's history: the request, and a result or a JSON-RPC response. */
  private pair(request: JsonValue, response: JsonValue, time: number | undefined): void {
    const [asked, answered] = [request, response].map((side) =>
      typeof side === "string" ? tryParse(side) : side
    );
    if (!isJsonObject(asked) || !isJsonObject(answered)) return;
    const isWrapped = answered.jsonrpc !== undefined;
    const message = isWrapped ? answered : { result: answered };
    const one = new Reader();
    if (typeof asked.method === "string") one.requests.push({ id: "", message: asked, time });
    one.responses.push({ id: "", message, time });
    this.absorb(one);
  }

  /** Takes over what was asked and answered in one place, where ids are told apart from others. */
  private absorb({ requests, responses }: Reader): void {
    const place = `@${this.requests.length + this.responses.length}:`;
    this.requests.push(...requests.map((one) => ({ ...one, id: place + one.id })));
    this.responses.push(...responses.map((one) => ({ ...one, id: place + one.id })));
  }
}

/** Pairs by id. A client that starts again counts from one again: the second asks for the second. */
function paired(
  requests: readonly Message[],
  responses: readonly Message[],
): { request: Message; response: Message }[] {
  const waiting = Map.groupBy(responses, ({ id }) => id);
  return requests.flatMap((request) => {
    const response = waiting.get(request.id)?.shift();
    return response === undefined ? [] : [{ request, response }];
  });
}

function exchangeOf({ message, time }: Message, { message: { result } }: Message): Exchange[] {
  const { name, arguments: args } = isJsonObject(message.params) ? message.params : {};
  if (typeof name !== "string" || !isResult(result)) return [];
  return [{
    tool: name,
    arguments: isJsonObject(args) ? args : {},
    result,
    ...(time !== undefined && { time }),
  }];
}

function journalled(call: JsonObject, tool: string, result: JsonObject): Exchange {
  const time = timeOf(call.time);
  return {
    tool,
    ...(isJsonObject(call.arguments) && { arguments: call.arguments }),
    result,
    ...(time !== undefined && { time }),
  };
}

function isResult(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { content } = value;
  const isContent = Array.isArray(content) && content.length > 0 &&
    content.every((part) => isJsonObject(part) && typeof part.type === "string");
  return isContent || isJsonObject(value.structuredContent);
}

function isList({ tools }: JsonObject): boolean {
  return Array.isArray(tools);
}

function isDefinition(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.name === "string" && isJsonObject(value.inputSchema);
}

function mapIn(value: JsonValue | undefined, name: string): JsonObject {
  const member = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

function timeOf(value: JsonValue | undefined): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

/** What a scenario is to answer. */
export interface Answer {
  readonly value: JsonValue;
  readonly isError: boolean;
}

/** Takes the answer out of a result; `undefined` where it is no JSON, so that no scenario can say it. */
export function answerOf(result: JsonObject): Answer | undefined {
  const isError = result.isError === true;
  const structured = own(result, "structuredContent");
  if (isJsonObject(structured)) return { value: structured, isError };
  const { content } = result;
  const [part, second] = Array.isArray(content) ? content : [];
  if (second !== undefined || !isJsonObject(part) || typeof part.text !== "string") {
    return undefined;
  }
  const value = tryParse(part.text);
  return value === undefined ? undefined : { value, isError };
}
