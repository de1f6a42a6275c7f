import assert from "node:assert/strict";
import { keepSessions, type Sessions } from "../../lib/http/sessions.ts";

/** A registry whose clock the test sets, and the ids of the sessions that it ended, in order. */
interface Registry extends Disposable {
  readonly sessions: Sessions<string>;
  readonly ended: string[];
  add(id: string): void;
  /** Advances the clock and waits until the registry has looked at it and done what is due. */
  pass(milliseconds: number): Promise<void>;
}

function makeRegistry(max = 1000): Registry {
  let now = 0;
  let looked = (): void => {};
  const clock = () => {
    looked();
    return now;
  };
  const sessions = keepSessions<string>({ idleMs: 100, max }, clock);
  const ended: string[] = [];
  return {
    sessions,
    ended,
    add: (id) => sessions.add(id, `session ${id}`, () => ended.push(id)),
    async pass(milliseconds) {
      now += milliseconds;
      // The registry's own timer does not keep the process alive.
      const alive = setTimeout(() => {}, 60_000);
      await new Promise<void>((resolve) => looked = resolve);
      clearTimeout(alive);
    },
    [Symbol.dispose]: () => sessions.endAll(),
  };
}

Deno.test("a session is found by its id until it is removed", () => {
  using registry = makeRegistry();
  const { sessions, ended } = registry;
  registry.add("a");
  registry.add("b");
  assert.deepEqual([sessions.get("a"), sessions.get("b")], ["session a", "session b"]);
  for (const id of ["c", "", "__proto__", "constructor"]) assert.equal(sessions.get(id), undefined);
  sessions.remove("a");
  assert.deepEqual([sessions.get("a"), sessions.size], [undefined, 1]);
  assert.deepEqual(ended, [], "who removes a session has ended it");
});

Deno.test("a session that is idle for too long ends, and not before", async () => {
  using registry = makeRegistry();
  registry.add("a");
  await registry.pass(60);
  registry.add("b");
  await registry.pass(39);
  assert.deepEqual(registry.ended, []);
  await registry.pass(1);
  assert.deepEqual(registry.ended, ["a"]);
  await registry.pass(60);
  assert.deepEqual(registry.ended, ["a", "b"]);
  assert.equal(registry.sessions.get("b"), undefined);
});

Deno.test("a session in use never ends, however long, and is idle only from its release on", async () => {
  using registry = makeRegistry();
  registry.add("a");
  const releases = [registry.sessions.use("a"), registry.sessions.use("a")];
  await registry.pass(1e9);
  releases[0]!();
  // Releasing twice is releasing once.
  releases[0]!();
  await registry.pass(1e9);
  assert.deepEqual(registry.ended, []);
  releases[1]!();
  await registry.pass(99);
  assert.deepEqual(registry.ended, []);
  await registry.pass(1);
  assert.deepEqual(registry.ended, ["a"]);
});

Deno.test("a session in use does not keep the idle ones behind it", async () => {
  using registry = makeRegistry();
  registry.add("a");
  registry.sessions.use("a");
  registry.add("b");
  await registry.pass(200);
  assert.deepEqual(registry.ended, ["b"]);
});

Deno.test("past the most sessions, the one that is idle for longest ends", () => {
  using registry = makeRegistry(3);
  for (const id of ["a", "b", "c"]) registry.add(id);
  registry.sessions.use("a")();
  registry.add("d");
  assert.deepEqual(registry.ended, ["b"]);
  registry.sessions.use("c");
  registry.add("e");
  assert.deepEqual(registry.ended, ["b", "a"]);
  assert.equal(registry.sessions.size, 3);
});

Deno.test("when all are in use, one more is kept rather than any cut", () => {
  using registry = makeRegistry(2);
  for (const id of ["a", "b", "c"]) {
    registry.add(id);
    registry.sessions.use(id);
  }
  assert.deepEqual([registry.ended, registry.sessions.size], [[], 3]);
});

Deno.test("after a time when too many were in use, the next one brings their number down", () => {
  using registry = makeRegistry(2);
  const releases = ["a", "b", "c", "d"].map((id) => {
    registry.add(id);
    return registry.sessions.use(id);
  });
  for (const release of releases) release();
  assert.deepEqual([registry.ended, registry.sessions.size], [[], 4]);
  registry.add("e");
  assert.deepEqual([registry.ended, registry.sessions.size], [["a", "b", "c"], 2]);
});

Deno.test("a release after the end of the session brings nothing back", () => {
  using registry = makeRegistry();
  registry.add("a");
  const release = registry.sessions.use("a");
  registry.sessions.remove("a");
  release();
  assert.equal(registry.sessions.size, 0);
  // Nor does it touch another session of the same id.
  registry.add("a");
  release();
  assert.equal(registry.sessions.size, 1);
  registry.sessions.use("not there")();
});

Deno.test("ending all ends each once", () => {
  using registry = makeRegistry();
  for (const id of ["a", "b", "c"]) registry.add(id);
  registry.sessions.use("b");
  registry.sessions.endAll();
  registry.sessions.endAll();
  assert.deepEqual([registry.ended, registry.sessions.size], [["a", "b", "c"], 0]);
});

Deno.test("a session that removes itself while it ends is no trouble", () => {
  const sessions = keepSessions<string>({ idleMs: 100, max: 1 }, () => 0);
  let ended = 0;
  const add = (id: string) =>
    sessions.add(id, "", () => {
      ended++;
      sessions.remove(id);
    });
  add("a");
  add("b");
  assert.deepEqual([ended, sessions.size], [1, 1]);
  sessions.endAll();
  assert.deepEqual([ended, sessions.size], [2, 0]);
});
