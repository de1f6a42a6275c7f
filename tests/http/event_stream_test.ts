import assert from "node:assert/strict";
import {
  type EventStream,
  openEventStream,
  PULSE,
  serverSentEvent,
} from "../../lib/http/event_stream.ts";

/** A stream, and how often it said that it has ended. */
function open(pulseMs?: number): { stream: EventStream; ended: () => number } {
  let ended = 0;
  return { stream: openEventStream(() => ended++, pulseMs), ended: () => ended };
}

async function text(stream: EventStream): Promise<string> {
  return await new Response(stream.body).text();
}

Deno.test("a stream carries what was written, in order, and ends when it is closed", async () => {
  const { stream, ended } = open();
  stream.write(["a"]);
  stream.write(serverSentEvent("message", ["é"]));
  stream.close();
  stream.close();
  stream.write(["lost"]);
  assert.equal(ended(), 1);
  assert.equal(await text(stream), "aevent: message\ndata: é\n\n");
});

Deno.test("a stream ends once when its client goes away", async () => {
  const { stream, ended } = open();
  stream.write(["a"]);
  await stream.body.cancel();
  stream.write(["lost"]);
  stream.close();
  assert.equal(ended(), 1);
});

Deno.test("a stream on which nothing happens says that it is still there", async () => {
  const { stream } = open(10);
  // The timer does not keep the process alive.
  const alive = setTimeout(() => {}, 60_000);
  const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let pulse = 0; pulse < 3; pulse++) {
    assert.equal((await reader.read()).value, PULSE.join(""));
  }
  await reader.cancel();
  clearTimeout(alive);
  assert.match(PULSE.join(""), /^:.*\n\n$/, "clients pass over comments");
});

Deno.test("a stream that is not read is given up, and what waited on it is let go", async () => {
  const { stream, ended } = open();
  const megabyte = ["x".repeat(1024 * 1024)];
  for (let written = 0; written < 16; written++) stream.write(megabyte);
  assert.equal(ended(), 0, "16 MiB may wait");
  stream.write(["x"]);
  assert.equal(ended(), 1);
  stream.write(["lost"]);
  stream.close();
  assert.equal(ended(), 1);
  await assert.rejects(text(stream), "closed in the middle, since it is not whole");
});
