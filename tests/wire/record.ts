// Records again what a Go SDK server answers; CONTRIBUTING.md says how to run it.
//
// What did not change is kept as it stands, so that `git diff` shows what a version changed.

import { parseFixture } from "../../lib/fixture/parse.ts";
import { type Conversation, CONVERSATIONS, post, talk } from "./_conversation.ts";
import { openReplay, type Recording, RECORDING_FILES, type Replayed } from "./_replay.ts";

/** The headers that are recorded. */
const SHOWN = [
  "content-type",
  "x-content-type-options",
  "cache-control",
  "allow",
  "mcp-session-id",
];

const [recorder] = Deno.args;
if (recorder === undefined) {
  throw new Error("name the built recorder (tests/wire/recorder)");
}

const tools = new URL("parity/tools/", import.meta.url);
const definitions = await Deno.makeTempFile({ suffix: ".json" });
const names = [...Deno.readDirSync(tools)].map(({ name }) => name).sort();
await Deno.writeTextFile(
  definitions,
  JSON.stringify(
    names.map((name) => parseFixture(Deno.readTextFileSync(new URL(name, tools)), name).definition),
  ),
);

const server = new Deno.Command(recorder, {
  args: [definitions],
  stdout: "piped",
}).spawn();
try {
  const { value } = await server.stdout.pipeThrough(new TextDecoderStream())
    .getReader().read();
  const port = Number(value);
  for (const file of RECORDING_FILES) await recordFile(file, port);
  await recordConversations(port);
} finally {
  server.kill();
  await Deno.remove(definitions);
}

async function recordFile(file: URL, port: number): Promise<void> {
  let text = await Deno.readTextFile(file);
  const recordings: Recording[] = JSON.parse(text);
  let changed = 0;
  for (const group of new Set(recordings.map(({ group }) => group))) {
    using replay = await openReplay(group, port);
    for (const recording of recordings.filter((recording) => recording.group === group)) {
      const { response } = recording;
      const got = await replay.send(recording);
      if (isAsRecorded(response, got)) continue;
      changed++;
      console.log(`[${group}] ${recording.name}`);
      text = withResponse(text, recordings.indexOf(recording), {
        status: got.status,
        headers: Object.fromEntries([...got.headers].filter(([name]) => SHOWN.includes(name))),
        body: got.body,
        ...(got.events !== undefined && { events: got.events }),
      });
    }
  }
  console.log(`${file.pathname}: ${recordings.length} recorded, ${changed} changed`);
  await Deno.writeTextFile(file, text);
}

/** Puts a response in the place of the nth. Requests stay as they stand: their numbers are exact. */
function withResponse(text: string, nth: number, response: Recording["response"]): string {
  const blocks = [...text.matchAll(/^ {2}"response": \{\n[^]*?^ {2}\}/gm)];
  const { index, 0: block } = blocks[nth]!;
  const written = JSON.stringify(response, null, 1).replaceAll("\n", "\n  ");
  return `${text.slice(0, index)}  "response": ${written}${text.slice(index + block.length)}`;
}

/**
 * Ids of sessions differ each time, members of schemas have no order, Go prints several additional
 * properties in any, and its decoder quotes numbers as they were written.
 */
function isAsRecorded(recorded: Recording["response"], got: Replayed): boolean {
  const plain = (text = ""): string =>
    text.replace(/\b[A-Z2-7]{26}\b|<session>|<(?:new session, )?26 of A-Z2-7>/g, "<id>")
      .replace(/unexpected additional properties \[.*?\]/g, (list) => [...list].sort().join(""))
      .replace(/cannot unmarshal "(?:[^"\\]|\\.)*"/g, "cannot unmarshal …")
      .replace(/"tools":\[.*\]/, (list) => [...list].sort().join(""));
  return recorded.status === got.status && plain(recorded.body) === plain(got.body) &&
    plain(recorded.events) === plain(got.events) &&
    Object.entries(recorded.headers).every(([name, value]) =>
      plain(got.headers.get(name)) === plain(value)
    );
}

async function recordConversations(port: number): Promise<void> {
  const conversations: Conversation[] = JSON.parse(
    await Deno.readTextFile(CONVERSATIONS),
  );
  for (const conversation of conversations) {
    const { transport, lines } = conversation;
    conversation.out = transport === "stdio"
      ? await talk([recorder!, definitions, "-"], lines)
      : await post(port, lines);
  }
  console.log(`${CONVERSATIONS.pathname}: ${conversations.length} recorded`);
  await Deno.writeTextFile(
    CONVERSATIONS,
    `${JSON.stringify(conversations, null, 1)}\n`,
  );
}
