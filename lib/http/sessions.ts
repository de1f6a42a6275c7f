/** How many sessions to keep, and for how long. */
export interface SessionLimits {
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly idleMs: number;
  /** The most sessions; past it, the one that has been idle for longest ends. */
  readonly max: number;
}

/** One kept session. */
interface Kept<T> {
  readonly value: T;
  readonly end: () => void;
  /** Requests running and streams open at the moment; such a session is never cut. */
  busy: number;
  lastUsed: number;
}

/** The open sessions of a server, by id. */
export interface Sessions<T> {
  readonly size: number;

  /**
   * Keeps a session; `end` is called once when it is dropped: for idleness, to make room, or by
   * `endAll`.
   */
  add(id: string, value: T, end: () => void): void;

  /** The session of an id, if it is open. */
  get(id: string): T | undefined;

  /** Marks a session as in use until the returned function is called (once or more often). */
  use(id: string): () => void;

  /** Forgets a session that has ended. */
  remove(id: string): void;

  /** Ends a session, if it is open. */
  end(id: string): void;

  /** Ends all sessions. */
  endAll(): void;
}

/**
 * Keeps sessions within limits.
 *
 * @param clock Milliseconds from any origin that only grow.
 * @returns An empty registry. Its timer does not keep the process alive.
 */
export function keepSessions<T>(
  limits: SessionLimits,
  clock: () => number = () => performance.now(),
): Sessions<T> {
  // A Map iterates in insertion order; a session moves to the end when its use ends, so the first
  // idle one has been idle for longest.
  const kept = new Map<string, Kept<T>>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const touch = (id: string, session: Kept<T>): void => {
    session.lastUsed = clock();
    kept.delete(id);
    kept.set(id, session);
  };
  const drop = (id: string, session: Kept<T>): void => {
    remove(id);
    session.end();
  };
  const remove = (id: string): void => {
    kept.delete(id);
    if (kept.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const sweep = (): void => {
    const oldest = clock() - limits.idleMs;
    for (const [id, session] of kept) {
      if (session.lastUsed > oldest) break;
      if (session.busy === 0) drop(id, session);
    }
  };
  /** Ends the sessions that have been idle for longest, until there are no more than so many. */
  const trim = (most: number): void => {
    for (const [id, session] of kept) {
      if (kept.size <= most) return;
      if (session.busy === 0) drop(id, session);
    }
  };

  return {
    get size() {
      return kept.size;
    },
    add(id, value, end) {
      trim(limits.max - 1);
      kept.set(id, { value, end, busy: 0, lastUsed: clock() });
      if (timer !== undefined) return;
      timer = setInterval(sweep, Math.min(Math.max(limits.idleMs / 4, 50), 30_000));
      Deno.unrefTimer(timer);
    },
    get: (id) => kept.get(id)?.value,
    use(id) {
      const session = kept.get(id);
      if (session === undefined) return () => {};
      session.busy++;
      let used = true;
      return () => {
        if (!used) return;
        used = false;
        session.busy--;
        if (kept.get(id) === session) touch(id, session);
      };
    },
    remove,
    end(id) {
      const session = kept.get(id);
      if (session !== undefined) drop(id, session);
    },
    endAll() {
      for (const [id, session] of [...kept]) drop(id, session);
    },
  };
}
