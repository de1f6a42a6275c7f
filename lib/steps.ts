/** Work that can be left and taken up again after each step. */
export type Steps<T> = Generator<void, T, void>;

/** How long work beside a server goes on at a time, and how long it rests then, in milliseconds. */
const SLICE_MS = 4;
const REST_MS = 4;

/** Does all of some work now. */
export function finish<T>(steps: Steps<T>): T {
  while (true) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does some work beside what else the process does, which waits for a step of it at most. */
export async function finishAside<T>(steps: Steps<T>): Promise<T> {
  while (true) {
    const since = performance.now();
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() - since < SLICE_MS);
    await new Promise((resume) => setTimeout(resume, REST_MS));
  }
}
