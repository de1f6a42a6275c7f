import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { ROOT, startServer } from "../support/program.ts";
import { openReplay, type Recording, RECORDING_FILES, type Replayed } from "./_replay.ts";

/** The parts of an answer that are compared. */
interface Observed {
  status: number;
  headers: Record<string, string>;
  body: JsonValue;
  events?: JsonValue;
}

const HEADERS = [
  "content-type",
  "allow",
  "x-content-type-options",
  "cache-control",
  "mcp-session-id",
];
const RUNTIME_NAMES = /deno|v8|typescript|javascript|node|SyntaxError/i;
const SESSION_ID = /^[A-Z2-7]{26}$/;
/** Every reason for which an answer may differ from the recorded one, and how often it is used. */
const exempt = new Map<string, number>();
const EXPECTED_EXEMPTIONS = {
  "cache hints of a draft protocol": 12,
  "isError false is always sent": 16,
  "the JSON decoder's own words": 8,
  "a foreign web Origin is refused": 1,
  "lists and resources are this product's own": 8,
  "the fixtures echo absent arguments": 16,
};

function excuse(reason: keyof typeof EXPECTED_EXEMPTIONS): void {
  exempt.set(reason, (exempt.get(reason) ?? 0) + 1);
}

const recordings: Recording[] = RECORDING_FILES.flatMap((file) =>
  JSON.parse(Deno.readTextFileSync(file))
);

Deno.test("every recorded exchange is answered as the Go SDK server answered it", async () => {
  await using server = await startServer(["--tools", `${ROOT}tests/wire/parity/tools`]);
  const differences: string[] = [];
  let points = 0;
  for (const group of new Set(recordings.map(({ group }) => group))) {
    using replay = await openReplay(group, server.port);
    for (const recording of recordings.filter((recording) => recording.group === group)) {
      const got = observe(await replay.send(recording));
      const wanted = normalizeRecorded(recording);
      normalizeOwn(recording, got, wanted);
      for (const point of Object.keys(wanted) as (keyof Observed)[]) {
        points++;
        if (sameJson(got[point], wanted[point])) continue;
        differences.push(
          `[${group}] ${recording.name}: ${point}\n` +
            `  request ${JSON.stringify(recording.request).slice(0, 400)}\n` +
            `  got     ${JSON.stringify(got[point])}\n  wanted  ${JSON.stringify(wanted[point])}`,
        );
      }
    }
  }
  console.log(`${recordings.length} exchanges, ${points} points, ${differences.length} differ`);
  for (const [reason, count] of exempt) console.log(`  exempt ${count} × ${reason}`);
  assert.equal(differences.length, 0, differences.join("\n"));
  assert.deepEqual(Object.fromEntries(exempt), EXPECTED_EXEMPTIONS);
});

function observe({ status, headers, body, events }: Replayed): Observed {
  return {
    status,
    headers: Object.fromEntries(HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === undefined ? [] : [[name, SESSION_ID.test(value) ? "<session id>" : value]];
    })),
    body: headers.get("content-type") === "text/event-stream" ? eventsOf(body) : body,
    ...(events !== undefined && { events: eventsOf(events) }),
  };
}

/** Events as name and data, JSON data parsed; text that is no event stays as it is. */
function eventsOf(text: string): JsonValue {
  if (!text.startsWith("event: ")) return text;
  return text.split("\n\n").filter((event) => event !== "").map((event) => {
    const [, name = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? [];
    const [path, session] = data.split("sessionid=");
    if (session !== undefined) {
      return { name, data: `${path}sessionid=${SESSION_ID.test(session)}` };
    }
    return { name, data: JSON.parse(data) };
  });
}

function normalizeRecorded({ response }: Recording): Observed {
  const headers = Object.entries(response.headers).filter(([name]) => HEADERS.includes(name))
    .map(([name, value]) => [name, name === "mcp-session-id" ? "<session id>" : value]);
  const stream = response.headers["content-type"] === "text/event-stream";
  const body = response.body.replace("<26 of A-Z2-7>", "A".repeat(26));
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: stream ? eventsOf(body) : body,
    ...(response.events !== undefined && { events: eventsOf(response.events) }),
  };
}

/** Applies the exemptions: changes both sides where they may differ, and counts it. */
function normalizeOwn({ name }: Recording, got: Observed, wanted: Observed): void {
  if (name === "foreign Origin" && got.status === 403) {
    excuse("a foreign web Origin is refused");
    assert.equal(got.body, 'Forbidden: invalid Origin header "https://evil.test"\n');
    Object.assign(wanted, got);
    return;
  }
  const decoder = "malformed payload: unmarshaling jsonrpc message: json: ";
  if (
    String(wanted.body).startsWith(decoder) && String(got.body).startsWith("malformed payload: ")
  ) {
    if (got.body === wanted.body) return;
    excuse("the JSON decoder's own words");
    assert.doesNotMatch(String(got.body), RUNTIME_NAMES);
    wanted.body = got.body;
    return;
  }
  excuseGoTypes(got, wanted);
  const own = resultOf(got);
  const recorded = resultOf(wanted);
  if (own === undefined || recorded === undefined) return;
  if ("ttlMs" in recorded && !("ttlMs" in own)) {
    excuse("cache hints of a draft protocol");
    delete recorded.ttlMs;
    delete recorded.cacheScope;
  }
  for (const member of ["tools", "resources", "contents"]) {
    if (!(member in recorded) || !(member in own)) continue;
    excuse("lists and resources are this product's own");
    recorded[member] = own[member]!;
  }
  if (own.isError === false && !("isError" in recorded)) {
    excuse("isError false is always sent");
    delete own.isError;
  }
  if ("structuredContent" in recorded) normalizeEcho(own, recorded);
}

/** How the Go decoder quotes what it cannot read: with the rest of the message's text, shortened. */
const QUOTED_REST = /cannot unmarshal (?:"(?:[^"\\]|\\.)*"|number) into/;

/** Where the Go decoder names a Go type, it quotes more than the value that does not fit. */
function excuseGoTypes(got: Observed, wanted: Observed): void {
  const own = errorOf(got);
  const recorded = errorOf(wanted);
  if (own === undefined || recorded === undefined || own.message === recorded.message) return;
  const [said, heard] = [own, recorded].map(({ message }) =>
    String(message).replace(QUOTED_REST, "cannot unmarshal … into")
  );
  if (said !== heard) return;
  excuse("the JSON decoder's own words");
  assert.doesNotMatch(String(own.message), RUNTIME_NAMES);
  recorded.message = own.message!;
}

/** The recorded server echoed what it was sent; the fixtures echo the members they know. */
function normalizeEcho(own: JsonObject, recorded: JsonObject): void {
  const ownArgs = (own.structuredContent as JsonObject).args as JsonObject;
  const recordedArgs = ((recorded.structuredContent as JsonObject).args ?? {}) as JsonObject;
  const trimmed = Object.fromEntries(Object.entries(ownArgs).filter(([, value]) => value !== null));
  const known = Object.fromEntries(Object.entries(recordedArgs).filter(([key]) => key in ownArgs));
  const text = (value: JsonObject): JsonValue =>
    JSON.parse(
      ((value.content as JsonObject[])[0]!.text) as string,
    );
  assert.deepEqual(text(own), own.structuredContent, "the text is the structured content");
  excuse("the fixtures echo absent arguments");
  for (const [side, args] of [[own, trimmed], [recorded, known]] as const) {
    side.structuredContent = { args };
    delete side.content;
  }
}

function resultOf(observed: Observed): JsonObject | undefined {
  return messageOf(observed)?.result as JsonObject | undefined;
}

function errorOf(observed: Observed): JsonObject | undefined {
  return messageOf(observed)?.error as JsonObject | undefined;
}

/** The JSON-RPC message of an answer, where it has one. */
function messageOf({ body, events }: Observed): JsonObject | undefined {
  const stream = events || body;
  if (!Array.isArray(stream) || stream.length === 0) return undefined;
  const { data } = stream[0] as JsonObject;
  return typeof data === "string" ? undefined : data as JsonObject;
}

function sameJson(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
