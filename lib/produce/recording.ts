import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";

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

interface Request {
  readonly id: string;
  readonly method: string;
  readonly params: JsonObject;
  readonly time: number | undefined;
}

interface Response {
  readonly id: string;
  readonly message: JsonObject;
}

/**
 * Reads recorded answers: results, bare `structuredContent`, JSON-RPC messages (one, a line each, or
 * an event stream), an Inspector's history, HAR files, a journal. Of two texts, one has the requests
 * and the other the answers, as `tee` writes them on both sides of a server.
 *
 * @param texts The texts.
 * @returns What they hold; lines that are no JSON are passed over.
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
  const calls = pairs.filter(({ request }) => request.method === "tools/call");
  const unasked = readers.flatMap(({ responses }) => responses).filter(({ id }) =>
    !readers.some(({ requests }) => requests.some((request) => request.id === id))
  );
  return {
    exchanges: [
      ...readers.flatMap(({ exchanges }) => [...exchanges.values()]),
      ...calls.flatMap(({ request, response }) => exchangeOf(request, response)),
      ...unasked.flatMap(({ message: { result } }) => isResult(result) ? [{ result }] : []),
    ],
    lists: [
      ...readers.flatMap(({ lists }) => lists),
      ...readers.flatMap(({ responses }) => responses).flatMap(({ message: { result } }) =>
        isJsonObject(result) && Array.isArray(result.tools) ? [result] : []
      ),
    ],
    errors: calls.filter(({ response }) => "error" in response.message).length,
  };
}

/** Collects what one text holds. */
class Reader {
  readonly requests: Request[] = [];
  readonly responses: Response[] = [];
  readonly lists: JsonObject[] = [];
  readonly exchanges = new Map<string, Exchange>();
  /** How many clients began to ask, and were answered: each counts its ids from one. */
  private asked = 0;
  private answered = 0;

  text(text: string, time?: number): void {
    const plain = text.replace(/^\uFEFF/, "");
    const whole = parsed(plain);
    if (whole !== undefined) return this.value(whole, time, true);
    for (const line of plain.split(/\r?\n/)) {
      const value = parsed(line.replace(/^data:/, ""));
      if (value !== undefined) this.value(value, time, false);
    }
  }

  private value(value: JsonValue, time: number | undefined, isWhole: boolean): void {
    if (Array.isArray(value)) return value.forEach((item) => this.value(item, time, false));
    if (typeof value === "string" && /^\s*[[{]/.test(value)) return this.text(value, time);
    if (!isJsonObject(value)) return;
    const { log, request, response, method, jsonrpc, id, tool, pid, result, tools } = value;
    if (isJsonObject(log) && Array.isArray(log.entries)) {
      log.entries.forEach((entry) => this.harEntry(entry));
    } else if (request !== undefined && response !== undefined) this.pair(request, response, time);
    else if (typeof method === "string") {
      const params = isJsonObject(value.params) ? value.params : {};
      if (method === "initialize") this.asked++;
      this.requests.push({ id: `${this.asked}/${JSON.stringify(id)}`, method, params, time });
    } else if (jsonrpc !== undefined) {
      if (isJsonObject(result) && isJsonObject(result.serverInfo)) this.answered++;
      this.responses.push({ id: `${this.answered}/${JSON.stringify(id)}`, message: value });
    } else if (typeof tool === "string" && typeof id === "string" && typeof pid === "number") {
      if (isResult(result)) this.exchanges.set(id, { ...called(value), result });
    } else if (Array.isArray(tools) && isList(tools)) this.lists.push(value);
    else if (isResult(value)) this.add({ result: value });
    else if (isWhole) this.add({ result: { structuredContent: value } });
  }

  private add(exchange: Exchange): void {
    this.exchanges.set(`#${this.exchanges.size}`, exchange);
  }

  private harEntry(entry: JsonValue): void {
    if (!isJsonObject(entry)) return;
    const { startedDateTime, request, response } = entry;
    const time = timeOf(startedDateTime);
    const post = isJsonObject(request) && isJsonObject(request.postData) ? request.postData : {};
    const content = isJsonObject(response) && isJsonObject(response.content)
      ? response.content
      : {};
    const isAnother = typeof post.text !== "string" || !post.text.includes('"tools/');
    if (isAnother || typeof content.text !== "string") return;
    const text = content.encoding === "base64" ? decoded(content.text) : content.text;
    const one = new Reader();
    one.text(post.text as string, time);
    one.text(text, time);
    this.absorb(one);
  }

  /** An entry of an Inspector's history: the request, and a result or a JSON-RPC response. */
  private pair(request: JsonValue, response: JsonValue, time: number | undefined): void {
    const [asked, answered] = [request, response].map((side) =>
      typeof side === "string" ? parsed(side) : side
    );
    if (!isJsonObject(asked) || !isJsonObject(answered)) return;
    const one = new Reader();
    one.value({ id: 0, ...asked }, time, false);
    const isWrapped = answered.jsonrpc !== undefined;
    const message = isWrapped ? answered : { jsonrpc: "2.0", id: 0, result: answered };
    one.responses.push({ id: one.requests[0]?.id ?? "", message });
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
  requests: readonly Request[],
  responses: readonly Response[],
): { request: Request; response: Response }[] {
  const waiting = new Map<string, Response[]>();
  for (const response of responses) {
    waiting.set(response.id, [...waiting.get(response.id) ?? [], response]);
  }
  return requests.flatMap((request) => {
    const response = waiting.get(request.id)?.shift();
    return response === undefined ? [] : [{ request, response }];
  });
}

function exchangeOf({ params, time }: Request, { message }: Response): Exchange[] {
  const { name, arguments: args } = params;
  if (typeof name !== "string" || !isResult(message.result)) return [];
  return [{
    tool: name,
    arguments: isJsonObject(args) ? args : {},
    result: message.result,
    ...(time !== undefined && { time }),
  }];
}

function called({ tool, arguments: args, time }: JsonObject): Omit<Exchange, "result"> {
  const ms = timeOf(time);
  return {
    tool: String(tool),
    ...(isJsonObject(args) && { arguments: args }),
    ...(ms !== undefined && { time: ms }),
  };
}

function isResult(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { content } = value;
  const isContent = Array.isArray(content) && content.length > 0 &&
    content.every((part) => isJsonObject(part) && typeof part.type === "string");
  return isContent || isJsonObject(value.structuredContent);
}

function isList(tools: readonly JsonValue[]): boolean {
  return tools.every((tool) => isJsonObject(tool) && isJsonObject(tool.inputSchema));
}

function timeOf(value: JsonValue | undefined): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a scenario is to answer. */
export interface Answer {
  readonly value: JsonValue;
  readonly isError: boolean;
}

/**
 * Takes the answer out of a result.
 *
 * @param result The result of `tools/call`.
 * @returns The answer; `undefined` where it is no JSON, so that no scenario can say it.
 */
export function answerOf(result: JsonObject): Answer | undefined {
  const isError = result.isError === true;
  const structured = own(result, "structuredContent");
  if (isJsonObject(structured)) return { value: structured, isError };
  const { content } = result;
  const [part, second] = Array.isArray(content) ? content : [];
  if (second !== undefined || !isJsonObject(part) || typeof part.text !== "string") {
    return undefined;
  }
  const value = parsed(part.text);
  return value === undefined ? undefined : { value, isError };
}
